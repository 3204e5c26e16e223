/** Types of a schema, and the statements that create its tables. */

/** Rule that generates the values of a column. */
export type Make =
  /** The primary key: 1, 2, 3 and so on. */
  | { kind: "id" }
  /** A foreign key to the table `table`. No row references a share `without` (0 to 1) of that table's rows. */
  | { kind: "ref"; table: string; without: number }
  /** An integer from `low` to `high`. If `skewed` is true, low integers are more frequent. */
  | { kind: "integer"; low: number; high: number; skewed: boolean }
  /** A number from `low` to `high` with `decimals` digits after the decimal point. */
  | { kind: "real"; low: number; high: number; decimals: number }
  /** A date in the form `YYYY-MM-DD`, from `from` to `to`. */
  | { kind: "date"; from: string; to: string }
  /** A value from a short list. Values at the front of the list are more frequent. */
  | { kind: "choice"; values: readonly string[] }
  /** Text from a pattern such as `{first} {last}`. A word from the list `first` replaces `{first}`. */
  | { kind: "text"; pattern: string };

export interface Column {
  name: string;
  make: Make;
  /** Name of the column in questions: `order date`. */
  label: string;
  /** Share of rows whose value is NULL, from 0 to 1. */
  nulls: number;
}

export interface Table {
  /** Name of the table, in the plural: `order_items`. */
  name: string;
  /** Singular noun for a row in questions: `order item`. */
  one: string;
  /** Plural noun for rows in questions: `order items`. */
  many: string;
  /** Minimum and maximum number of rows. */
  rows: readonly [number, number];
  /** Columns of the table, with the primary key first. */
  columns: readonly Column[];
}

export interface Schema {
  /** Name of the schema, which is one word. */
  name: string;
  /** Subject of the database, in one sentence. */
  about: string;
  /** All tables. Each table comes after the tables that it references. */
  tables: readonly Table[];
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
  throw new Error(`expected the name of a table in the schema ${schema.name}, but received ${JSON.stringify(name)}`);
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
