/**
 * Models of a database as pydantic validates them: types of fields, the conversions of its lax mode, and the texts of its
 * errors.
 */
import { representation } from "./text.js";
import { Model, ToolFailed, typeName, type Value } from "./value.js";

/** Version of pydantic that the links in its error texts name. */
const pydantic = "2.14";
/** Longest text of an input in an error, in characters. */
const mostInput = 50;

interface Problem {
  at: readonly string[];
  message: string;
  kind: string;
  input: Value;
}

/** Returns the converted value, or reports why it has none. */
export type Type = (value: Value, at: readonly string[], report: (problem: Problem) => void) => Value;

export interface Field {
  type: Type;
  /** Value of an absent field. Undefined if the field is required. */
  fallback?: Value;
}

function wrong(message: string, kind: string): Type {
  return (input, at, report) => {
    report({ at, message, kind, input });
    return input;
  };
}

const notString = wrong("Input should be a valid string", "string_type");
export const text: Type = (value, ...rest) => (typeof value === "string" ? value : notString(value, ...rest));

const notInt = wrong("Input should be a valid integer", "int_type");
const fractionalInt = wrong("Input should be a valid integer, got a number with a fractional part", "int_from_float");
const unreadInt = wrong("Input should be a valid integer, unable to parse string as an integer", "int_parsing");
export const int: Type = (value, ...rest) => {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return BigInt(value);
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : fractionalInt(value, ...rest);
  if (typeof value !== "string") return notInt(value, ...rest);
  const [, sign = "", digits] = /^\s*([+-]?)0*(\d+(?:_\d+)*)(?:\.0+)?\s*$/.exec(value) ?? [];
  if (digits === undefined) return unreadInt(value, ...rest);
  const size = BigInt(digits.replaceAll("_", ""));
  return sign === "-" ? -size : size;
};

const notFloat = wrong("Input should be a valid number", "float_type");
const unreadFloat = wrong("Input should be a valid number, unable to parse string as a number", "float_parsing");
export const float: Type = (value, ...rest) => {
  if (typeof value === "number") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  if (typeof value !== "string") return notFloat(value, ...rest);
  const isNumber = /^\s*[+-]?(\d+(_\d+)*\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value);
  return isNumber ? Number(value.replaceAll("_", "")) : unreadFloat(value, ...rest);
};

const notBoolean = wrong("Input should be a valid boolean", "bool_type");
export const boolean: Type = (value, ...rest) => (typeof value === "boolean" ? value : notBoolean(value, ...rest));

/** @param values allowed strings */
export function literal(...values: readonly string[]): Type {
  const quoted = values.map((each) => `'${each}'`);
  const listed = quoted.length === 1 ? quoted[0] : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  const other = wrong(`Input should be ${listed}`, "literal_error");
  return (value, ...rest) => (typeof value === "string" && values.includes(value) ? value : other(value, ...rest));
}

export function optional(type: Type): Field {
  return { type: (value, ...rest) => (value === null ? null : type(value, ...rest)), fallback: null };
}

const notList = wrong("Input should be a valid list", "list_type");
export function list(type: Type): Type {
  return (value, at, report) =>
    Array.isArray(value) ? value.map((each, i) => type(each, [...at, String(i)], report)) : notList(value, at, report);
}

const notDict = wrong("Input should be a valid dictionary", "dict_type");
export function dictOf(type: Type): Type {
  return (value, at, report) => {
    if (!(value instanceof Map) || value instanceof Model) return notDict(value, at, report);
    return new Map([...value].map(([key, each]) => [key, type(each, [...at, key], report)]));
  };
}

/** Returns the first type of a union that takes the value. */
export function union(types: readonly Type[]): Type {
  return (value, at, report) => {
    const problems: Problem[] = [];
    for (const type of types) {
      const own: Problem[] = [];
      const taken = type(value, at, (problem) => own.push(problem));
      if (own.length === 0) return taken;
      problems.push(...own);
    }
    for (const problem of problems) report(problem);
    return value;
  };
}

/** A model: the type of its instances, and its constructor. */
export interface ModelType {
  name: string;
  type: Type;
  /** Makes an instance. @throws {ToolFailed} with pydantic's text, if fields are missing or wrong */
  make(fields: ReadonlyMap<string, Value>): Model;
}

export function model(name: string, fields: Readonly<Record<string, Type | Field>>): ModelType {
  const known = Object.entries(fields).map(
    ([key, field]) => [key, typeof field === "function" ? { type: field } : field] as const,
  );
  const noInstance = wrong(`Input should be a valid dictionary or instance of ${name}`, "model_type");
  const type: Type = (value, at, report) => {
    if (value instanceof Model && value.model === name) return value;
    if (!(value instanceof Map) || value instanceof Model) return noInstance(value, at, report);
    return new Model(
      name,
      known.map(([key, field]) => [key, fieldOf(value, key, field as Field, at, report)] as const),
    );
  };
  return { name, type, make: (values) => validated(name, type, new Map(values)) as Model };
}

function fieldOf(
  value: ReadonlyMap<string, Value>,
  key: string,
  { type, fallback }: Field,
  at: readonly string[],
  report: (problem: Problem) => void,
): Value {
  const given = value.get(key);
  if (given !== undefined) return type(given, [...at, key], report);
  if (fallback !== undefined) return fallback;
  report({ at: [...at, key], message: "Field required", kind: "missing", input: value as Value });
  return null;
}

/** Returns the converted value. @throws {ToolFailed} with pydantic's text */
export function validated(title: string, type: Type, value: Value): Value {
  const problems: Problem[] = [];
  const taken = type(value, [], (problem) => problems.push(problem));
  if (problems.length === 0) return taken;
  const count = problems.length === 1 ? "1 validation error" : `${problems.length} validation errors`;
  throw new ToolFailed([`${count} for ${title}`, ...problems.map(problemText)].join("\n"));
}

function problemText({ at, message, kind, input }: Problem): string {
  const received = `[type=${kind}, input_value=${shortened(representation(input))}, input_type=${typeName(input)}]`;
  const link = `    For further information visit https://errors.pydantic.dev/${pydantic}/v/${kind}`;
  return [at.join("."), `  ${message} ${received}`, link].join("\n");
}

function shortened(full: string): string {
  const characters = Array.from(full);
  if (characters.length <= mostInput) return full;
  return `${characters.slice(0, mostInput / 2).join("")}...${characters.slice(1 - mostInput / 2).join("")}`;
}
