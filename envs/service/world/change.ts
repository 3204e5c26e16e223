/** Changes of the database: what a command of the agent does, what it costs, and whether the policy allows it. */
import type { Database } from "./database.js";

export interface Change {
  kind: string;
  /** Arguments in the order of the kind's parameters. */
  args: readonly string[];
}

/** A kind of change. The functions after `wrong` are called only with arguments in which nothing is wrong. */
export interface ChangeKind {
  parameters: readonly string[];
  /** Returns what is expected of the arguments and what was received, or undefined. */
  wrong(database: Database, args: readonly string[]): string | undefined;
  /** Returns the reason why the policy forbids the change, or undefined. */
  forbidden(database: Database, args: readonly string[]): string | undefined;
  /** Returns the sum that the change costs the customer. */
  cost(database: Database, args: readonly string[]): number;
  /** Changes the database, and returns what was done. */
  perform(database: Database, args: readonly string[]): string;
  /** Id of the customer whose record is changed. */
  owner(database: Database, args: readonly string[]): string;
}

export function expected(what: string, received: string): string {
  return `expected ${what} but received ${received === "" ? "nothing" : received}`;
}
