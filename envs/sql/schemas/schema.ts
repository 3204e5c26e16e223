/** The declaration of a schema, and short constructors for its parts. */

/** Generator of a column's values. */
export type Make =
  /** The primary key: 1, 2, 3 and so on. */
  | { kind: "id" }
  /** The key of a row of another table. `without` is the share of that table's rows that no row references. */
  | { kind: "ref"; table: string; without: number }
  /** A whole number from `low` to `high`. If `skewed` is true, low numbers are more frequent. */
  | { kind: "integer"; low: number; high: number; skewed: boolean }
  /** A number from `low` to `high` with `decimals` digits after the point. */
  | { kind: "real"; low: number; high: number; decimals: number }
  /** A date in the form `YYYY-MM-DD`, from `from` to `to`. */
  | { kind: "date"; from: string; to: string }
  /** One of a few values. Earlier values are more frequent. */
  | { kind: "choice"; values: readonly string[] }
  /** Text from a pattern such as `{first} {last}`. Each name in braces is replaced by a word from the list of that name. */
  | { kind: "text"; pattern: string };

export interface Column {
  name: string;
  make: Make;
  /** Name of the column in a sentence: `order date`. */
  label: string;
  /** Share of rows with NULL, from 0 to 1. */
  nulls: number;
}

export interface Table {
  /** Name in the plural: `order_items`. */
  name: string;
  /** Noun for one row in a sentence: `order item`. */
  one: string;
  /** Noun for several rows in a sentence: `order items`. */
  many: string;
  /** Minimum and maximum number of rows. */
  rows: readonly [number, number];
  /** Columns of the table, with the primary key first. */
  columns: readonly Column[];
}

export interface Schema {
  /** Name of the schema: one word. */
  name: string;
  /** Subject of the database, in one sentence. */
  about: string;
  /** Tables in order: a table comes after all tables that it references. */
  tables: readonly Table[];
}

/** Declares a table with the key `<one>_id`, such as `order_item_id`. */
export function table(
  one: string,
  rows: readonly [number, number],
  columns: readonly Column[],
  many = `${one}s`,
): Table {
  const key = column(`${snake(one)}_id`, { kind: "id" });
  return { name: snake(many), one, many, rows, columns: [key, ...columns] };
}

/**
 * Declares a foreign key.
 *
 * @param without share of the other table's rows that no row references
 */
export function ref(name: string, tableName: string, without = 0.1): Column {
  return { ...column(name, { kind: "ref", table: tableName, without }), label: words(name.replace(/_id$/, "")) };
}

export function integer(name: string, low: number, high: number, skewed = false): Column {
  return column(name, { kind: "integer", low, high, skewed });
}

export function real(name: string, low: number, high: number, decimals = 2): Column {
  return column(name, { kind: "real", low, high, decimals });
}

export function date(name: string, from: string, to: string): Column {
  return column(name, { kind: "date", from, to });
}

export function choice(name: string, ...values: string[]): Column {
  return column(name, { kind: "choice", values });
}

export function text(name: string, pattern: string): Column {
  return column(name, { kind: "text", pattern });
}

/** Returns a copy of the column with NULL in a share of the rows. */
export function sometimes(nulls: number, of: Column): Column {
  return { ...of, nulls };
}

export function sqlType({ make }: Column): "INTEGER" | "REAL" | "TEXT" {
  if (make.kind === "id" || make.kind === "ref" || make.kind === "integer") return "INTEGER";
  return make.kind === "real" ? "REAL" : "TEXT";
}

export function keyOf(of: Table): string {
  return (of.columns[0] as Column).name;
}

/** @throws {Error} the schema does not have the table */
export function tableOf(schema: Schema, name: string): Table {
  const found = schema.tables.find((each) => each.name === name);
  if (found) return found;
  throw new Error(`expected a table of the schema ${schema.name}, but received ${JSON.stringify(name)}`);
}

/** Returns the `CREATE TABLE` statement of each table, with primary and foreign keys. */
export function createStatements(schema: Schema): string[] {
  return schema.tables.map((each) => {
    const columns = each.columns.map((of) => `  ${of.name} ${sqlType(of)}${constraint(schema, of)}`);
    return `CREATE TABLE ${each.name} (\n${columns.join(",\n")}\n)`;
  });
}

function constraint(schema: Schema, { make, nulls }: Column): string {
  if (make.kind === "id") return " PRIMARY KEY";
  const needed = nulls > 0 ? "" : " NOT NULL";
  if (make.kind !== "ref") return needed;
  return `${needed} REFERENCES ${make.table}(${keyOf(tableOf(schema, make.table))})`;
}

function column(name: string, make: Make): Column {
  return { name, make, label: words(name), nulls: 0 };
}

function snake(phrase: string): string {
  return phrase.replaceAll(" ", "_");
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}
