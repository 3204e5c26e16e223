/** Errors of calls after `close`. */
import { SandboxError } from "./sandbox.js";

/** Returns the error of `open` after the provider was closed. */
export function providerClosed(): SandboxError {
  return SandboxError.ofState("REFUSED", "The provider is closed.");
}

/** Returns the error of a call to a closed sandbox, service or session. */
export function sandboxClosed(id: string): SandboxError {
  return SandboxError.ofState("LOST", `${id} is closed.`);
}
