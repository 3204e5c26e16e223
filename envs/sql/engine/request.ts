/** Requests to the SQL processes of this environment, and their replies. */
import type { DatabaseAnswers, DatabaseRequest } from "../../shared/sqlite/request.js";

/** A database generated from a seed, or a SQLite file. */
export type DatabaseRef = { schema: string; seed: number } | { file: string };

/** A question about databases, and the gold query that answers it. */
export interface Problem {
  question: string;
  /** SQL of the gold query, which returns the right answer. */
  gold: string;
  /** Whether an answer must have its rows in the same order as the gold query. */
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
   * Requests a question about a schema. The question must be a good one on the databases of all seeds. The agent
   * queries the database of the first seed.
   */
  | { op: "task"; schema: string; seeds: readonly number[]; family: string; seed: number };

/** Type of the reply, by the kind of request. */
export interface Answers extends DatabaseAnswers {
  task: Problem;
}
