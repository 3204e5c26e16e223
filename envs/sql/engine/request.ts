/** Requests to a process of this environment, and their answers. */
import type { DatabaseAnswers, DatabaseRequest } from "../../sqlite/request.js";

/** A database that is made from a seed, or a file of SQLite. */
export type DatabaseRef = { schema: string; seed: number } | { file: string };

/** A question about databases, and a query that answers it. */
export interface Problem {
  question: string;
  /** SQL of the right answer. */
  gold: string;
  /** Whether the order of the rows counts. */
  ordered: boolean;
  /** What else the agent is told. */
  evidence?: string;
  family: string;
  /** 1 to 5. */
  difficulty: number;
}

export type EngineRequest =
  | DatabaseRequest<DatabaseRef>
  /** A question about a schema that is a good one on all databases of the seeds; the first is shown to the agent. */
  | { op: "task"; schema: string; seeds: readonly number[]; family: string; seed: number };

/** What each request is answered with. */
export interface Answers extends DatabaseAnswers {
  task: Problem;
}
