/** Texts that the environment shows to the agent. */
import { mostShown } from "../shared/sqlite/query.js";
import type { SqlTask } from "./tasks.js";

export const prompt = `You answer a question about a SQLite database with one SQL query.

Each of your replies is one of these actions, and nothing else:
schema            shows all tables with their columns and keys
schema TABLE      shows one table, the number of its rows and the first three of them
query SQL         runs a query and shows its first ${mostShown} rows
submit SQL        submits the query that answers the question, and ends the task

A query is one statement that reads: SELECT, WITH, VALUES or EXPLAIN. It has to end within two seconds.
The reward is 1 where the submitted query gives the rows that the question asks for, and 0 otherwise. The query is also run on other databases of the same schema with other rows, so it must not contain the answer itself.
Columns count in the order that the question gives. Their names do not matter. The order of the rows counts only where the question asks for one.`;

export const invalid =
  "Error: expected `schema`, `schema TABLE`, `query SQL` or `submit SQL`, but received another action";

export const right = "The query gives the right rows.";

export function wrong(why: string): string {
  return `The query does not give the right rows: ${why}.`;
}

/** @param schema text of all tables, or undefined if the first observation does not show the schema */
export function opening(
  { problem, schema: name }: SqlTask,
  about: string | undefined,
  schema: string | undefined,
): string {
  const { question, evidence } = problem;
  const lines = [`Database: ${name}.${about === undefined ? "" : ` ${about}`}`, `Question: ${question}`];
  if (evidence !== undefined) lines.push(`Evidence: ${evidence}`);
  return [...lines, ...(schema === undefined ? [] : ["", schema])].join("\n");
}
