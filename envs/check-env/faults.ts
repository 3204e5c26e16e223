/** Errors of an environment that stop checks. One error is one failure, also if several checks meet it. */

import { traceOf } from "../contract/trace.js";
import { PromiseReturned } from "../errors.js";
import { thrownByEngines } from "./instance.js";

export interface Fault {
  detail: string;
  /** Frames of the environment's code, or "". */
  trace: string;
  /** Name of the check that met the error first, which reports it. */
  failed: string;
}

export class Faults {
  /** Names of the checks that reported the errors, by the place of the error or its text. */
  private readonly reported = new Map<string, string>();

  /** @param error what ended a check: what the environment threw, or a message of the check, with that as its cause */
  add(check: string, error: unknown): Fault {
    const { message, cause } = error instanceof Error ? error : { message: String(error) };
    const thrown = cause ?? error;
    const { place, frames } = traceOf(thrown);
    const isThrown = thrown !== error || !(error instanceof Error) || thrownByEngines.has(error);
    if (!isThrown && place === undefined) return { detail: message, trace: "", failed: check };
    const key = place ?? String(thrown);
    if (!this.reported.has(key)) this.reported.set(key, check);
    const isBare = thrown === error && !(error instanceof PromiseReturned);
    const detail = isBare ? String(error) : message;
    return { detail, trace: frames, failed: this.reported.get(key) as string };
  }
}
