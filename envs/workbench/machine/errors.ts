/** Errors of sandboxes by their codes. An environment knows the sandbox's contract by its types alone. */
import type { SandboxErrorCode } from "../../../sandboxes/sandbox.js";

export function sandboxCode(error: unknown): SandboxErrorCode | undefined {
  if (!(error instanceof Error) || error.name !== "SandboxError") return undefined;
  return (error as Error & { code?: SandboxErrorCode }).code;
}
