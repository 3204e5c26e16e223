/** Checks of the queries, for environments that have queries. */
import { type Answer, askAlongRecordings } from "./answers.js";
import { expectThat } from "./expectations.js";
import type { Instance } from "./instance.js";
import { isSentence } from "./spec-checks.js";
import { Skipped, type Subject } from "./subject.js";

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
  // The queries take turns. All queries in each state would take too long in environments with slow queries.
  const asked = await askAlongRecordings(subject, (instance, state, turn) => {
    const name = names[turn % names.length] as string;
    return query(instance, name, `${name} of ${state}`);
  });
  return `${names.join(", ")}, asked ${asked} times`;
}

async function query(instance: Instance, name: string, place: string): Promise<Answer> {
  const text = textOf(await instance.answer(name), place);
  const again = textOf(await instance.answer(name), place);
  expectThat(text === again, `${text} from a second query`, again, place);
  return { text, place };
}

/** Returns an answer as JSON. @throws {Error} the answer has a value that JSON would drop or change */
function textOf(answer: unknown, place: string): string {
  const text = JSON.stringify(answer);
  expectThat(text !== undefined && isHeld(answer), "an answer that can be written as JSON", answer, place);
  return text;
}

/** Whether JSON holds a value unchanged. */
export function isHeld(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isHeld);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value as object).every(isHeld);
}
