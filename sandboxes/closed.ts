/** Errors of calls that come after a close. */
import { SandboxError } from "./sandbox.js";

/** Returns the error of opening something at a closed provider. */
export function providerClosed(): SandboxError {
  return new SandboxError("REFUSED", "a provider that is open", "a call after its close");
}

/** Returns the error of a call to a closed sandbox, service or session. */
export function sandboxClosed(id: string): SandboxError {
  return new SandboxError("LOST", `${id} to be open`, "a call after its close");
}
