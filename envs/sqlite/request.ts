/** Requests about a database to a process that runs SQL, and their answers. */

/** `Ref` names the database: such as the absolute path of its file. */
export type DatabaseRequest<Ref> =
  /** The rows of a query, as text. `rows`: how many are shown, at most; left out: `mostShown`. */
  | { op: "query"; database: Ref; sql: string; rows?: number }
  /** Whether a query gives the rows of the gold one. */
  | { op: "compare"; database: Ref; gold: string; sql: string; ordered: boolean }
  /** The tables of a database; of one table also its first rows. */
  | { op: "describe"; database: Ref; table?: string };

/** What each request is answered with. */
export interface DatabaseAnswers {
  query: QueryAnswer;
  compare: Comparison;
  describe: Description;
}

/** `rows`: how many there are, at most `mostCounted`. */
export type QueryAnswer = { kind: "rows"; text: string; rows: number } | { kind: "error"; text: string };

/** `why`: what differs. */
export type Comparison = { equal: true } | { equal: false; why: string };

export interface Description {
  kind: "schema" | "error";
  text: string;
}
