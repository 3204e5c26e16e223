/** Requests about a database to a process that runs SQL, and their replies. */

/** A request. `Ref` identifies the database, such as the absolute path of its file. */
export type DatabaseRequest<Ref> =
  /** Requests the rows of a query as text. `rows` is the maximum number of rows shown (`mostShown` by default). */
  | { op: "query"; database: Ref; sql: string; rows?: number }
  /** Asks whether a query gives the same rows as the gold query. */
  | { op: "compare"; database: Ref; gold: string; sql: string; ordered: boolean }
  /** Requests the tables of a database. If `table` is given, the reply describes one table with its first rows. */
  | { op: "describe"; database: Ref; table?: string };

/** Reply to each kind of request. */
export interface DatabaseAnswers {
  query: QueryAnswer;
  compare: Comparison;
  describe: Description;
}

/** Reply to a query. `rows` is the number of rows, counted up to `mostCounted`. */
export type QueryAnswer = { kind: "rows"; text: string; rows: number } | { kind: "error"; text: string };

/** Result of a comparison. `why` names the difference. */
export type Comparison = { equal: true } | { equal: false; why: string };

export interface Description {
  kind: "schema" | "error";
  text: string;
}
