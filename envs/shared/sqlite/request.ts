/** Requests to a process that runs SQL on a database, and the replies. */

/** A request. The type `Ref` identifies the database; it may be the absolute path of a file. */
export type DatabaseRequest<Ref> =
  /** Requests the rows of a query as text. `rows` is the maximum number of rows in the text (default `mostShown`). */
  | { op: "query"; database: Ref; sql: string; rows?: number }
  /** Requests a comparison: does `sql` return the same rows as the gold query? */
  | { op: "compare"; database: Ref; gold: string; sql: string; ordered: boolean }
  /** Requests a description of all tables, or of the table `table` with its first rows. */
  | { op: "describe"; database: Ref; table?: string };

/** Type of the reply, by the kind of request. */
export interface DatabaseAnswers {
  query: QueryAnswer;
  compare: Comparison;
  describe: Description;
}

/** Reply to a query. `rows` is the number of rows, at most `mostCounted`. */
export type QueryAnswer = { kind: "rows"; text: string; rows: number } | { kind: "error"; text: string };

/** Result of a comparison. `why` names the difference. */
export type Comparison = { equal: true } | { equal: false; why: string };

export interface Description {
  kind: "schema" | "error";
  text: string;
}
