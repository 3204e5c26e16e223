/** Requests to the SQL processes of this environment, and their replies. */
import type { DatabaseAnswers, DatabaseRequest } from "../../sqlite/request.js";

/** A database generated from a seed, or a SQLite file. */
export type DatabaseRef = { schema: string; seed: number } | { file: string };

/** A question about databases, and a query that answers it. */
export interface Problem {
  question: string;
  /** SQL that gives the right answer. */
  gold: string;
  /** Whether the order of the rows counts. */
  ordered: boolean;
  /** Additional hint for the agent. */
  evidence?: string;
  family: string;
  /** Difficulty from 1 to 5. */
  difficulty: number;
}

export type EngineRequest =
  | DatabaseRequest<DatabaseRef>
  /** A question about a schema that is a good one on all databases of the seeds; the first is shown to the agent. */
  | { op: "task"; schema: string; seeds: readonly number[]; family: string; seed: number };

/** Reply to each kind of request. */
export interface Answers extends DatabaseAnswers {
  task: Problem;
}
