/** The schemas of the data files, each read at its first use. */
import { jsonFile, once } from "../../shared/kept/data-file.js";
import type { Column, Make, Schema, Table } from "./schema.js";

/** Names of all schemas. Consecutive tasks use them in this order. */
export const schemaNames: readonly string[] = [
  ...["shop", "library", "airline", "hospital", "university", "music", "football", "logistics"],
];

/** A data file of a schema. */
export interface SchemaFile extends Omit<Schema, "tables"> {
  tables: readonly TableEntry[];
}

/** A table without its name, `order_items` for `order items`, and without its primary key, `order_item_id`. */
interface TableEntry extends Omit<Table, "name" | "columns"> {
  columns: readonly ColumnEntry[];
}

/** A column, with the rule that generates its values. Default of `nulls`: 0. */
type ColumnEntry = { name: string; nulls?: number } & Make;

const folder = new URL("../data/schemas/", import.meta.url);
const schemas = new Map(schemaNames.map((name) => [name, schemaFrom(new URL(`${name}.json`, folder))]));

/** @throws {Error} the schema does not exist */
export function schemaOf(name: string): Schema {
  const schema = schemas.get(name);
  if (schema) return schema();
  throw new Error(`expected one of ${schemaNames.join(", ")}, but received ${name}`);
}

function schemaFrom(url: URL): () => Schema {
  const file = jsonFile<SchemaFile>(url);
  return once(() => ({ ...file(), tables: file().tables.map(tableFrom) }));
}

function tableFrom({ one, many, rows, columns }: TableEntry): Table {
  const key: ColumnEntry = { name: `${snake(one)}_id`, kind: "id" };
  return { name: snake(many), one, many, rows, columns: [key, ...columns].map(columnFrom) };
}

function columnFrom({ name, nulls = 0, ...make }: ColumnEntry): Column {
  const label = make.kind === "ref" ? name.replace(/_id$/, "") : name;
  return { name, make, label: label.replaceAll("_", " "), nulls };
}

function snake(phrase: string): string {
  return phrase.replaceAll(" ", "_");
}
