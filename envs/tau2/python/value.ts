/**
 * Values as tau2-bench's Python has them. A JSON number without a point is an int, here a bigint, and any other number is a
 * float, here a number: the hash of a database and the text of a tool's result tell 1 from 1.0. Dicts keep their order, also
 * with keys such as "1008292230", which an object of JavaScript would sort.
 */
export type Value = null | boolean | bigint | number | string | Value[] | Dict;

export type Dict = Map<string, Value>;

/** An instance of a model of the database, whose fields are read as attributes. */
export class Model extends Map<string, Value> {
  constructor(
    readonly model: string,
    entries: Iterable<readonly [string, Value]>,
  ) {
    super(entries);
  }
}

/** An exception of a tool. The message is the text of tau2-bench's exception. */
export class ToolFailed extends Error {
  override readonly name = "ToolFailed";
}

/** Returns a copy that shares nothing with the value. */
export function copyOf<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map((each) => copyOf(each)) as T;
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Dict)].map(([key, each]) => [key, copyOf(each)] as const);
  return (value instanceof Model ? new Model(value.model, entries) : new Map(entries)) as T;
}

/** Returns the name of a value's Python type. */
export function typeName(value: Value): string {
  if (value === null) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (value instanceof Model) return value.model;
  if (value instanceof Map) return "dict";
  return { boolean: "bool", bigint: "int", number: "float", string: "str" }[typeof value as string] as string;
}

/** Returns a dict of a plain object's values, for values that are written in TypeScript. */
export function dict(entries: Readonly<Record<string, Value>>): Dict {
  return new Map(Object.entries(entries));
}

/** Reads an attribute of a model. @throws {ToolFailed} as Python's AttributeError */
export function attribute(value: Value, name: string): Value {
  if (value instanceof Model && value.has(name)) return value.get(name) as Value;
  const owner = value instanceof Model ? `'${value.model}' object` : `'${typeName(value)}' object`;
  throw new ToolFailed(`${owner} has no attribute '${name}'`);
}
