/** Data for building a question: a schema, a database with its rows, and random choices. */
import type Database from "better-sqlite3";
import type { MersenneTwister } from "../../shared/rng/mersenne-twister.js";
import { type Column, keyOf, type Schema, type Table, tableOf } from "../schemas/schema.js";

/** A question that is not yet checked against the rows of the databases. */
export interface Draft {
  /** The question as a sentence. */
  question: string;
  /** Descriptions of the columns that the answer must have. */
  columns: readonly string[];
  gold: string;
  /** Description of the required order of rows, or undefined if the order does not matter. */
  order?: string;
  /** SQL queries with a likely mistake. The rows of each query must differ from the rows of the gold query. */
  traps?: readonly string[];
}

/** A kind of question. */
export interface Family {
  /** Short title that lists of tasks show. */
  title: string;
  /** Difficulty from 1 to 5. */
  difficulty: number;
  /** Builds a question. Returns null if the schema or the random choices do not allow one. */
  build(ask: Ask): Draft | null;
}

/** A foreign key. Rows of the table `child` reference rows of the table `parent` by the column `ref`. */
export interface Link {
  child: Table;
  ref: Column;
  parent: Table;
}

export interface Condition {
  /** SQL of the condition, with or without a table alias. */
  sql: string;
  /** The condition in words, as a phrase that begins with `whose`. */
  words: string;
  column: Column;
}

type Kind = Column["make"]["kind"];

export class Ask {
  constructor(
    readonly schema: Schema,
    readonly database: Database.Database,
    readonly random: MersenneTwister,
  ) {}

  pick<T>(from: readonly T[]): T {
    return this.random.choice(from);
  }

  /** Chooses one of several wordings at random. */
  say(...wordings: string[]): string {
    return this.pick(wordings);
  }

  table(fits: (table: Table) => boolean = () => true): Table | undefined {
    return this.maybe(this.schema.tables.filter(fits));
  }

  column(table: Table, ...kinds: Kind[]): Column | undefined {
    return this.maybe(columnsOf(table, ...kinds));
  }

  link(fits: (link: Link) => boolean = () => true): Link | undefined {
    return this.maybe(linksOf(this.schema).filter(fits));
  }

  /** @param alias table alias that precedes the column's name, or `""` */
  condition(table: Table, alias = "", without: readonly string[] = []): Condition | undefined {
    const column = this.maybe(
      columnsOf(table, "integer", "real", "date", "choice", "text").filter(({ name }) => !without.includes(name)),
    );
    return column && this.conditionOn(table, column, alias === "" ? column.name : `${alias}.${column.name}`);
  }

  /** Returns the value at the quantile `share` (0 to 1) of a column. NULL values are ignored. */
  quantile(table: Table, column: Column, share: number): string | number | undefined {
    const from = `FROM ${table.name} WHERE ${column.name} IS NOT NULL`;
    const { count } = this.database.prepare(`SELECT COUNT(*) AS count ${from}`).get() as { count: number };
    const at = Math.min(count - 1, Math.floor(count * share));
    const sql = `SELECT ${column.name} AS value ${from} ORDER BY ${column.name} LIMIT 1 OFFSET ${Math.max(0, at)}`;
    return (this.database.prepare(sql).get() as { value: string | number } | undefined)?.value;
  }

  private conditionOn(table: Table, column: Column, name: string): Condition | undefined {
    const share = 0.2 + 0.6 * this.random.random();
    const value = this.quantile(table, column, share);
    if (value === undefined) return undefined;
    const whose = `whose ${column.label}`;
    const { kind } = column.make;
    if (kind === "choice") return { column, sql: `${name} = ${literal(value)}`, words: `${whose} is '${value}'` };
    if (kind === "text") {
      const letter = String(value)[0] as string;
      if (!/[A-Z]/.test(letter)) return undefined;
      return { column, sql: `${name} LIKE '${letter}%'`, words: `${whose} begins with the letter ${letter}` };
    }
    if (kind === "date") return this.dateCondition(column, name, String(value));
    const [sign, words] = this.pick([
      [">", "is above"],
      [">=", "is at least"],
      ["<", "is below"],
      ["<=", "is at most"],
    ] as const);
    return { column, sql: `${name} ${sign} ${value}`, words: `${whose} ${words} ${value}` };
  }

  private dateCondition(column: Column, name: string, value: string): Condition {
    const year = value.slice(0, 4);
    const whose = `whose ${column.label}`;
    return this.pick([
      { column, sql: `${name} > '${value}'`, words: `${whose} is after ${value}` },
      { column, sql: `${name} < '${value}'`, words: `${whose} is before ${value}` },
      { column, sql: `${name} BETWEEN '${year}-01-01' AND '${year}-12-31'`, words: `${whose} is in the year ${year}` },
    ]);
  }

  private maybe<T>(from: readonly T[]): T | undefined {
    return from.length === 0 ? undefined : this.random.choice(from);
  }
}

/** Returns the columns whose generator has one of the given kinds, in table order. */
export function columnsOf(table: Table, ...kinds: Kind[]): Column[] {
  return table.columns.filter(({ make }) => kinds.includes(make.kind));
}

export function linksOf(schema: Schema): Link[] {
  return schema.tables.flatMap((child) =>
    columnsOf(child, "ref").map((ref) => {
      return { child, ref, parent: tableOf(schema, (ref.make as { table: string }).table) };
    }),
  );
}

/** Returns the names of the primary key and of up to two text columns, which together identify a row for a reader. */
export function namesOf(table: Table): string[] {
  const names = table.columns.filter(({ make, nulls }) => make.kind === "text" && nulls === 0).slice(0, 2);
  return [keyOf(table), ...names.map(({ name }) => name)];
}

/** Returns a list of columns with a table alias: `t.a, t.b`. */
export function listed(alias: string, names: readonly string[]): string {
  return names.map((name) => (alias === "" ? name : `${alias}.${name}`)).join(", ");
}

/** Returns the join condition: `child.ref = parent.key`. */
export function joined({ child, ref, parent }: Link): string {
  return `${child.name}.${ref.name} = ${parent.name}.${keyOf(parent)}`;
}

/** Returns a phrase for the children of a parent: `its orders`, or `the matches whose home team it is`. */
export function its({ child, ref, parent }: Link): string {
  return ref.label === parent.one ? `its ${child.many}` : `the ${child.many} whose ${ref.label} it is`;
}

/** Returns a verb phrase for parents with at least one child: `have an order`, or `are the home team of a match`. */
export function have({ child, ref, parent }: Link, how = ""): string {
  const some = `${how === "" ? article(child.one) : how} ${child.one}`;
  return ref.label === parent.one ? `have ${some}` : `are the ${ref.label} of ${some}`;
}

/** Returns a phrase for the parent of a child: `its customer`, or `its home team`. */
export function of({ ref }: Link): string {
  return `its ${ref.label}`;
}

/** Returns the SQL literal of a text or a number. */
export function literal(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

function article(noun: string): string {
  return /^[aeio]|^u(?!ni)/.test(noun) ? "an" : "a";
}
