/**
 * Parquet columns of each format. Lists are nested in three levels, as Arrow and `datasets` expect for lists of
 * records.
 */
import type { SchemaElement } from "hyparquet";
import type { FormatName } from "../../server/formats/training/rows.js";

/** A column: its elements in depth-first order, and the conversion of a row's value for the writer. */
export interface ParquetColumn {
  readonly name: string;
  readonly elements: readonly SchemaElement[];
  convert(value: unknown): unknown;
}

type Field = Omit<ParquetColumn, "name">;

const asIs = (value: unknown) => value ?? null;

function leaf(name: string, type: Partial<SchemaElement>, convert: Field["convert"] = asIs): ParquetColumn {
  return { name, elements: [{ name, repetition_type: "OPTIONAL", ...type }], convert };
}

const utf8 = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const text = (name: string) => leaf(name, utf8);
const flag = (name: string) => leaf(name, { type: "BOOLEAN" });
const double = (name: string) => leaf(name, { type: "DOUBLE" });
const whole = (name: string) => leaf(name, { type: "INT64" }, (value) => BigInt(value as number));
/** Makes a column of JSON text, for values whose shape differs between rows. */
const json = (name: string) => leaf(name, utf8, (value) => (value === undefined ? null : JSON.stringify(value)));

function record(name: string, fields: readonly ParquetColumn[]): ParquetColumn {
  return {
    name,
    elements: [
      { name, repetition_type: "OPTIONAL", num_children: fields.length },
      ...fields.flatMap(({ elements }) => elements),
    ],
    convert(value) {
      if (value === undefined || value === null) return null;
      const given = value as Record<string, unknown>;
      return Object.fromEntries(fields.map((field) => [field.name, field.convert(given[field.name])]));
    },
  };
}

function list(name: string, fields: readonly ParquetColumn[]): ParquetColumn {
  const element = record("element", fields);
  return {
    name,
    elements: [
      { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...element.elements,
    ],
    convert: (value) => (Array.isArray(value) ? value.map((each) => element.convert(each)) : null),
  };
}

function messages(name: string): ParquetColumn {
  const called = record("function", [text("name"), text("arguments")]);
  const calls = list("tool_calls", [text("id"), text("type"), called]);
  return list(name, [text("role"), text("content"), calls, text("tool_call_id")]);
}

const task = record("task", [text("split"), whole("index")]);

export const parquetColumns: Readonly<Record<FormatName, readonly ParquetColumn[]>> = {
  openai: [messages("messages"), json("tools")],
  agentgym: [list("conversations", [text("from"), flag("loss"), text("value")]), text("item_id")],
  steps: [
    ...[text("episodeId"), text("seat"), text("environment"), task, whole("seed"), json("options"), whole("index")],
    ...[text("observation"), text("reply"), text("action"), double("reward"), text("nextObservation")],
    ...[flag("terminated"), flag("truncated"), double("return"), flag("solved")],
  ],
  preferences: [
    ...[messages("prompt"), messages("chosen"), messages("rejected"), json("tools")],
    ...[double("chosenReturn"), double("rejectedReturn"), text("environment"), task, text("seat")],
  ],
};
