/** Statements that list episodes by a filter, in the SQL that SQLite and PostgreSQL have in common. */
import { createEpisodeId } from "./episode-id.js";
import type { Outcome } from "./episode-state.js";

/** Orders of a list. `highest` to `shortest` list only episodes with a verdict. */
export const episodeOrders = ["newest", "highest", "lowest", "longest", "shortest"] as const;
export type EpisodeOrder = (typeof episodeOrders)[number];

/** Filter of episodes. An absent property matches every episode. */
export interface EpisodeFilter {
  /** `id@version`, or `id` for all versions. */
  environment?: string | undefined;
  split?: string | undefined;
  taskIndex?: number | undefined;
  /**
   * Outcome, as far as the marks tell it. For `running`, `ended` and `closed`, the list has the episodes of all three.
   */
  outcome?: Outcome | undefined;
  /** Least creation time in milliseconds since the Unix epoch. */
  sinceMs?: number | undefined;
  /** Name of the training run or evaluation that plays the episode. */
  run?: string | undefined;
  /** Name of the policy that plays the episode. */
  policy?: string | undefined;
  /** Tag of a note on the episode or on one of its steps. */
  tag?: string | undefined;
  /** Default: `newest`. */
  order?: EpisodeOrder | undefined;
  /** Whether the goals of the verdicts are returned beside the episodes. */
  withGoals?: boolean | undefined;
}

/** Largest number of rows that one call with a filter looks at: some milliseconds of work. */
export const mostLookedAt = 2_000;

/** Time in milliseconds by which clocks may have been set back between two episodes. */
const clockMarginMs = 3_600_000;

/** The parts in which the databases differ. */
export interface Dialect {
  /** Name of a table. */
  table(name: "episodes" | "marks"): string;
  /** Table of marks, to be read in the order of a number in the details of verdicts. */
  ranked(field: "return" | "steps"): string;
  /** Number in the detail of a verdict, as an index has it. */
  number(field: "return" | "steps"): string;
  /** Goal in the detail of a verdict, or null. */
  readonly goal: string;
  /** Value in the JSON text of an episode's options, or null. */
  setting(name: string): string;
  /** Column by which later marks are known. */
  readonly entry: string;
  /** Step that a note is about. @param mark alias of the table of marks */
  noteStep(mark: string): string;
  /** Position of a text in another one, or 0. */
  position(text: string, part: string): string;
  /** Placeholder of the parameter with this number, counted from 1. */
  parameter(number: number): string;
}

/** Condition that the indexes of verdicts have too, word by word. */
export const isVerdictMark = `kind IN ('solved', 'unsolved')`;

const ranks = {
  newest: null,
  highest: { field: "return", isDescending: true },
  lowest: { field: "return", isDescending: false },
  longest: { field: "steps", isDescending: true },
  shortest: { field: "steps", isDescending: false },
} as const satisfies Record<EpisodeOrder, object | null>;

/** Kinds of marks that every episode with the outcome has. */
const markOf: Partial<Record<NonNullable<EpisodeFilter["outcome"]>, string>> = {
  solved: "solved",
  failed: "unsolved",
  error: "failed",
};

/** Place after which a list continues. `rank` is the number by which it is ordered, or null. */
export interface Cursor {
  key: number;
  rank: number | null;
}

export interface Statement {
  text: string;
  values: unknown[];
}

/** The last row that a list looks at. */
export interface ListEnd {
  key: number;
  id: string;
  owner: string;
  createdAtMs: number;
}

/** A list of an owner's episodes. An object makes one statement. */
export class FilteredList {
  private readonly values: unknown[] = [];

  constructor(
    private readonly dialect: Dialect,
    private readonly owner: string,
    private readonly filter: EpisodeFilter,
    private readonly after: Cursor,
  ) {}

  /** Whether the list is ordered by a number, so that it needs the rank of its cursor. */
  static isRanked({ order = "newest" }: EpisodeFilter): boolean {
    return ranks[order] !== null;
  }

  /** Returns the statement for the rank of an episode. */
  static rank(dialect: Dialect, { order = "newest" }: EpisodeFilter, key: number): Statement {
    const field = ranks[order]?.field ?? "return";
    const text = `SELECT ${dialect.number(field)} AS rank FROM ${dialect.table("marks")}
      WHERE episode = ${dialect.parameter(1)} AND ${isVerdictMark}`;
    return { text, values: [key] };
  }

  /**
   * Returns the statement for the rows that pass the filter, in order, and for their goals if they are asked for. SQLite keeps the order of a cross join, so that it
   * reads the episodes of the rows that were looked at, and not all episodes.
   *
   * @param columns columns of the episodes `e`
   */
  found(columns: string, limit: number): Statement {
    const { table } = this.dialect;
    const text = `WITH looked AS (${this.looked()})
      SELECT ${columns}${this.goal()} FROM looked CROSS JOIN ${table("episodes")} e
      WHERE e.key = looked.episode AND ${this.conditions().join(" AND ")} ORDER BY ${this.ordered("looked.rank", "looked.episode")}
      LIMIT ${this.value(limit)}`;
    return { text, values: this.values };
  }

  /** Returns the statement for the last row that `found` looks at, if it looks at as many rows as it may. */
  end(): Statement {
    const text = `WITH looked AS (${this.looked()})
      SELECT e.key, e.id, e.owner, e."createdAtMs" FROM looked CROSS JOIN ${this.dialect.table("episodes")} e
      WHERE e.key = looked.episode ORDER BY ${this.ordered("looked.rank", "looked.episode")} LIMIT 1 OFFSET ${mostLookedAt - 1}`;
    return { text, values: this.values };
  }

  /**
   * Returns the id at which the next call begins, or null if no later row can pass.
   *
   * @param end row of the statement `end`, for a call that found fewer rows than its limit
   */
  next(end: ListEnd | undefined): string | null {
    const { sinceMs, order = "newest" } = this.filter;
    if (!end || (order === "newest" && sinceMs !== undefined && end.createdAtMs < sinceMs - clockMarginMs)) return null;
    return end.owner === this.owner ? end.id : createEpisodeId(end.key);
  }

  private get rank() {
    return ranks[this.filter.order ?? "newest"];
  }

  /** Keys and ranks of the next rows in order. */
  private looked(): string {
    const { outcome } = this.filter;
    const kind = (outcome && markOf[outcome]) ?? (this.filter.tag === undefined ? undefined : "note");
    const source = this.rank ? this.byRank(this.rank) : kind === undefined ? this.ofOwner() : this.marked(kind);
    return `${source} LIMIT ${mostLookedAt}`;
  }

  private ofOwner(): string {
    return `SELECT key AS episode, 0 AS rank FROM ${this.dialect.table("episodes")}
      WHERE owner = ${this.value(this.owner)} AND key < ${this.value(this.after.key)} ORDER BY key DESC`;
  }

  private marked(kind: string): string {
    return `SELECT episode, 0 AS rank FROM ${this.dialect.table("marks")}
      WHERE kind = ${this.value(kind)} AND episode < ${this.value(this.after.key)} GROUP BY episode ORDER BY episode DESC`;
  }

  private byRank({ field, isDescending }: { field: "return" | "steps"; isDescending: boolean }): string {
    const { ranked: marks, number } = this.dialect;
    const { rank, key } = this.after;
    const ranked = number(field);
    const sign = isDescending ? "<" : ">";
    let next = "";
    if (rank !== null) {
      const from = this.value(rank);
      next = ` AND ${ranked} ${sign}= ${from} AND (${ranked} ${sign} ${from} OR episode ${sign} ${this.value(key)})`;
    }
    return `SELECT episode, ${ranked} AS rank FROM ${marks(field)}
      WHERE ${isVerdictMark}${next} ORDER BY ${this.ordered(ranked, "episode")}`;
  }

  private ordered(rank: string, key: string): string {
    const direction = this.rank && !this.rank.isDescending ? "ASC" : "DESC";
    return this.rank ? `${rank} ${direction}, ${key} ${direction}` : `${key} DESC`;
  }

  /** Column of the goals of verdicts, if they are asked for. */
  private goal(): string {
    if (!this.filter.withGoals) return "";
    const { table, goal } = this.dialect;
    return `, (SELECT ${goal} FROM ${table("marks")} WHERE episode = e.key AND ${isVerdictMark} LIMIT 1) AS goal`;
  }

  private conditions(): string[] {
    const { setting } = this.dialect;
    const { environment, split, taskIndex, sinceMs, run, policy, tag } = this.filter;
    const conditions = [`e.owner = ${this.value(this.owner)}`];
    if (environment !== undefined) {
      const versions = `${environment}@`;
      conditions.push(
        `(e.environment = ${this.value(environment)} OR substr(e.environment, 1, ${versions.length}) = ${this.value(versions)})`,
      );
    }
    if (split !== undefined) conditions.push(`e.split = ${this.value(split)}`);
    if (taskIndex !== undefined) conditions.push(`e."taskIndex" = ${this.value(taskIndex)}`);
    if (sinceMs !== undefined) conditions.push(`e."createdAtMs" >= ${this.value(sinceMs)}`);
    if (run !== undefined) conditions.push(`${setting("@run")} = ${this.value(run)}`);
    if (policy !== undefined) conditions.push(`${setting("@policy")} = ${this.value(policy)}`);
    if (tag !== undefined) conditions.push(this.tagged(tag));
    return [...conditions, ...this.outcomeConditions()];
  }

  private outcomeConditions(): string[] {
    const { outcome } = this.filter;
    if (outcome === undefined) return [];
    const marks = `SELECT 1 FROM ${this.dialect.table("marks")} m WHERE m.episode = e.key AND m.kind`;
    const kind = markOf[outcome];
    if (kind !== undefined) {
      const isFailed = outcome === "error" ? [] : [`NOT EXISTS (${marks} = 'failed')`];
      return [`EXISTS (${marks} = ${this.value(kind)})`, ...isFailed];
    }
    return [`NOT EXISTS (${marks} IN ('failed', 'solved', 'unsolved'))`];
  }

  /** A note counts unless a later one has replaced it. */
  private tagged(tag: string): string {
    const { table, position, noteStep, entry } = this.dialect;
    // The list of tags is the only place of a note where a comma or a bracket follows a quotation mark.
    const ends = [",", "]"].map((end) => `${position("m.detail", this.value(JSON.stringify(tag) + end))} > 0`);
    const has = `(${ends.join(" OR ")})`;
    const later = `SELECT 1 FROM ${table("marks")} n WHERE n.episode = m.episode AND n.kind = 'note'
      AND n.${entry} > m.${entry} AND ${noteStep("n")} = ${noteStep("m")}`;
    return `EXISTS (SELECT 1 FROM ${table("marks")} m WHERE m.episode = e.key AND m.kind = 'note' AND ${has} AND NOT EXISTS (${later}))`;
  }

  private value(value: unknown): string {
    return this.dialect.parameter(this.values.push(value));
  }
}
