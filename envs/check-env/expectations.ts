/** Error messages of the checks. */
import { inspect } from "node:util";
import { PromiseReturned } from "../errors.js";

/**
 * Checks a condition. @throws {Error} `holds` is false; the message is `<place>: expected <what>, but received <value>`
 */
export function expectThat(holds: boolean, what: string, value: unknown, place?: string): void {
  if (holds) return;
  const shown = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 100 });
  throw mismatch(what, shown, place);
}

/** Returns the error of `expectThat`. @param received description of the received value */
export function mismatch(what: string, received: string, place?: string): Error {
  return new Error(`${place ? `${place}: ` : ""}expected ${what}, but received ${received}`);
}

/** Returns the error for a call that threw. The error's `cause` is what the environment threw. */
export function threw(what: string, thrown: unknown, place: string): Error {
  const error =
    thrown instanceof PromiseReturned
      ? new Error(`${place}: ${thrown.message}`)
      : mismatch(what, String(thrown), place);
  return Object.assign(error, { cause: thrown });
}
