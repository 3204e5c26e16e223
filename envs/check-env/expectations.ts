/** The wording of findings, which all checks share. */
import { inspect } from "node:util";

/** @throws {Error} `<place>: expected <what>, but received <value>` unless `holds` */
export function expectThat(holds: boolean, what: string, value: unknown, place?: string): void {
  if (holds) return;
  const shown = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 100 });
  throw mismatch(what, shown, place);
}

/** Returns the same error, for a received value that is described in words. */
export function mismatch(what: string, received: string, place?: string): Error {
  return new Error(`${place ? `${place}: ` : ""}expected ${what}, but received ${received}`);
}
