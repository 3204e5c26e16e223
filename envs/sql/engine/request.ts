/** Requests to the SQL processes of this environment, and their replies. */
import type { DatabaseAnswers, DatabaseRequest } from "../../sqlite/request.js";

/** A database generated from a seed, or a SQLite file. */
export type DatabaseRef = { schema: string; seed: number } | { file: string };

/** A question about databases, and a query that answers it. */
export interface Problem {
  question: string;
  /** SQL that gives the right answer. */
  gold: string;
  /** Whether the rows of an answer have to be in the order of the gold query's rows. */
  ordered: boolean;
  /** Additional hint that is shown to the agent. */
  evidence?: string;
  family: string;
  /** Difficulty from 1 to 5. */
  difficulty: number;
}

export type EngineRequest =
  | DatabaseRequest<DatabaseRef>
  /**
   * Requests a question about a schema that is a good question on the databases of all seeds. The agent queries the database
   * of the first seed.
   */
  | { op: "task"; schema: string; seeds: readonly number[]; family: string; seed: number };

/** Reply to each kind of request. */
export interface Answers extends DatabaseAnswers {
  task: Problem;
}
