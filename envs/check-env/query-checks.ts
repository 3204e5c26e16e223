/** Checks of the queries, for environments that have queries. */
import { expectThat } from "./expectations.js";
import { nameOf } from "./instance.js";
import { isSentence } from "./spec-checks.js";
import { expectSameTrace, type Recording, Skipped, type Subject, traceOf } from "./subject.js";

/** Checks that each query returns JSON, returns the same answer twice, and does not change the instance. */
export async function checkQueries(subject: Subject): Promise<string> {
  const queries: Record<string, { summary: string }> = subject.spec.queries ?? {};
  const names = Object.keys(queries);
  if (names.length === 0) throw new Skipped("the spec has no queries");
  for (const [name, { summary }] of Object.entries(queries)) {
    expectThat(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name), "query names of lower-case letters, digits and dashes", name);
    expectThat(isSentence(summary), `the summary of the query ${name} to be one sentence`, summary);
  }
  let asked = 0;
  for (const [turn, recording] of (await subject.recordings()).entries()) {
    asked += await askAlong(subject, recording, names, turn);
  }
  return `${names.join(", ")}, asked ${asked} times`;
}

/**
 * Plays a recording again and makes one query in each state; the queries take turns. Making all queries in every state
 * would take too long in environments with slow queries.
 *
 * @returns the number of queries made
 */
function askAlong(subject: Subject, recording: Recording, names: string[], turn: number): Promise<number> {
  return subject.withInstance(async (instance) => {
    const trace: string[] = [];
    for await (const line of traceOf(instance, recording)) {
      trace.push(line);
      if (trace.length > recording.actions.length) break;
      const name = names[(turn + trace.length) % names.length] as string;
      const place = `${name} of ${nameOf(recording)} after ${trace.length - 1} steps`;
      const answer = textOf(await instance.answer(name), place);
      const again = textOf(await instance.answer(name), place);
      expectThat(answer === again, `${answer} from a second query`, again, place);
    }
    expectSameTrace(recording, recording.trace, trace);
    return trace.length;
  });
}

/** Returns an answer as JSON. @throws {Error} the answer has a value that JSON would drop or change */
function textOf(answer: unknown, place: string): string {
  const text = JSON.stringify(answer);
  expectThat(text !== undefined && isHeld(answer), "an answer that can be written as JSON", answer, place);
  return text;
}

function isHeld(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isHeld);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value as object).every(isHeld);
}
