/** What a database process is asked, and what it answers. */

/** A database that is made from a seed, or a file of SQLite. */
export type DatabaseRef = { schema: string; seed: number } | { file: string };

/** A question about databases, and a query that answers it. */
export interface Problem {
  question: string;
  /** SQL of the right answer. */
  gold: string;
  /** Whether the order of the rows counts. */
  ordered: boolean;
  family: string;
  /** 1 to 5. */
  difficulty: number;
}

export type EngineRequest =
  /** The rows of a query, as text. */
  | { op: "query"; database: DatabaseRef; sql: string }
  /** Whether a query gives the rows of the gold one. */
  | { op: "compare"; database: DatabaseRef; gold: string; sql: string; ordered: boolean }
  /** The tables of a database; of one table also its first rows. */
  | { op: "describe"; database: DatabaseRef; table?: string }
  /** A question about a schema that is a good one on all databases of the seeds; the first is shown to the agent. */
  | { op: "task"; schema: string; seeds: readonly number[]; family: string; seed: number };

/** What each request is answered with. */
export interface Answers {
  query: QueryAnswer;
  compare: Comparison;
  describe: string;
  task: Problem;
}

/** `rows`: how many there are, at most `mostCounted`. */
export type QueryAnswer = { kind: "rows"; text: string; rows: number } | { kind: "error"; text: string };

/** `why`: what differs. */
export type Comparison = { equal: true } | { equal: false; why: string };

/** What a database process is sent, as a line of JSON. */
export type ToEngine = EngineRequest & { id: number };

/** What it sends back, each as a line of JSON. `running`: all that the caller's SQL needs is there, its time begins. */
export type FromEngine =
  | { kind: "ready" }
  | { kind: "running"; id: number }
  | { kind: "answered"; id: number; answer: unknown }
  | { kind: "threw"; id: number; message: string };

/** File descriptors of the process: requests, answers, and one that ends with the gym. */
export const requestDescriptor = 3;
export const answerDescriptor = 4;
export const lifeDescriptor = 5;
