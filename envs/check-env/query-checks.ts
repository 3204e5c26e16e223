/** Checks of the queries, for environments that have queries. */
import { expectThat, mismatch } from "./expectations.js";
import { type Instance, nameOf } from "./instance.js";
import { isSentence } from "./spec-checks.js";
import { arrayOf, expectSameTrace, type Recording, Skipped, type Subject, traceOf } from "./subject.js";

/**
 * Checks that each query returns JSON, returns the same answer twice, and does not change the instance. An instance that
 * has played other episodes must give the same answers.
 */
export async function checkQueries(subject: Subject): Promise<string> {
  const queries: Record<string, { summary: string }> = subject.spec.queries ?? {};
  const names = Object.keys(queries);
  if (names.length === 0) throw new Skipped("the spec has no queries");
  for (const [name, { summary }] of Object.entries(queries)) {
    expectThat(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name), "query names of lower-case letters, digits and dashes", name);
    expectThat(isSentence(summary), `the summary of the query ${name} to be one sentence`, summary);
  }
  let asked = 0;
  await subject.withInstance(async (used) => {
    for (const [turn, recording] of (await subject.recordings()).entries()) {
      const first = await subject.withInstance((instance) => askAlong(instance, recording, names, turn));
      await arrayOf(traceOf(used, recording));
      const second = await askAlong(used, recording, names, turn);
      asked += first.length;
      const differing = first.findIndex((answer, i) => answer !== second[i]);
      if (differing === -1) continue;
      const place = placeOf(recording, names, turn, differing);
      throw mismatch(`${first[differing]} from an instance that was reset again`, `${second[differing]}`, place);
    }
  });
  return `${names.join(", ")}, asked ${asked} times`;
}

/**
 * Plays a recording again and makes one query in each state; the queries take turns. Making all queries in every state
 * would take too long in environments with slow queries.
 *
 * @returns the answers as JSON
 */
async function askAlong(instance: Instance, recording: Recording, names: string[], turn: number): Promise<string[]> {
  const answers: string[] = [];
  const trace: string[] = [];
  for await (const line of traceOf(instance, recording)) {
    const place = placeOf(recording, names, turn, trace.length);
    trace.push(line);
    if (trace.length > recording.actions.length) break;
    const name = nameAt(names, turn, trace.length - 1);
    const answer = textOf(await instance.answer(name), place);
    const again = textOf(await instance.answer(name), place);
    expectThat(answer === again, `${answer} from a second query`, again, place);
    answers.push(answer);
  }
  expectSameTrace(recording, recording.trace, trace);
  return answers;
}

/** Returns the query to make after a number of steps of the recording at position `turn`. */
function nameAt(names: string[], turn: number, steps: number): string {
  return names[(turn + steps) % names.length] as string;
}

function placeOf(recording: Recording, names: string[], turn: number, steps: number): string {
  return `${nameAt(names, turn, steps)} of ${nameOf(recording)} after ${steps} steps`;
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
