/** Checks of what a running instance can be asked, where it can be asked anything. */
import type { JsonValue } from "../env.js";
import { expectThat } from "./expectations.js";
import { isSentence } from "./spec-checks.js";
import {
  context,
  expectSameTrace,
  nameOf,
  type Recording,
  Skipped,
  type Subject,
  traceOf,
  withInstance,
} from "./subject.js";

type Queries = NonNullable<Subject["spec"]["queries"]>;

/** Each query answers with JSON, twice the same, and leaves the instance as it was, in any state of an episode. */
export function checkQueries(subject: Subject): string {
  const { queries = {} } = subject.spec;
  const names = Object.keys(queries);
  if (names.length === 0) throw new Skipped("the spec has no queries");
  for (const [name, { summary }] of Object.entries(queries)) {
    expectThat(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name), "query names of lower-case letters, digits and dashes", name);
    expectThat(isSentence(summary), `the summary of the query ${name} to be one sentence`, summary);
  }
  const asked = subject.recordings.reduce(
    (sum, recording, turn) => sum + askAlong(subject, recording, queries, turn),
    0,
  );
  return `${names.join(", ")}, asked ${asked} times`;
}

/**
 * Plays a recording once more with a query in each state, the next one in turn: all of them in each would take too long
 * where an answer takes longer than a step.
 *
 * @returns how often one was asked
 */
function askAlong({ spec }: Subject, recording: Recording, queries: Queries, turn: number): number {
  const all = Object.entries(queries);
  return withInstance(spec, context, (environment) => {
    const trace: string[] = [];
    for (const line of traceOf(environment, recording)) {
      trace.push(line);
      if (trace.length > recording.actions.length) break;
      const [name, query] = all[(turn + trace.length) % all.length] as (typeof all)[number];
      const place = `${name} of ${nameOf(recording)} after ${trace.length - 1} steps`;
      const answer = textOf(query.answer(environment), place);
      const again = textOf(query.answer(environment), place);
      expectThat(answer === again, `${answer} when asked again`, again, place);
    }
    expectSameTrace(recording, recording.trace, trace);
    return trace.length;
  });
}

/** What JSON does not hold would reach the caller as something else. */
function textOf(answer: JsonValue, place: string): string {
  const text = JSON.stringify(answer);
  expectThat(text !== undefined && isHeld(answer), "an answer that JSON can hold", answer, place);
  return text;
}

function isHeld(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isHeld);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value as object).every(isHeld);
}
