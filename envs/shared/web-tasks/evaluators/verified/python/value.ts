/** Values that Python's `json.loads` returns, and the Python operations that the public evaluators use. */
import { pythonRepr } from "../../../../browser/observation/python-text.js";

/** A Python value. `bigint` stands for Python's `int`, `number` for `float`, and `Map` for `dict`. */
export type PyValue = null | boolean | bigint | number | string | readonly PyValue[] | PyDict;
export type PyDict = ReadonlyMap<string, PyValue>;

export function isDict(value: PyValue): value is PyDict {
  return value instanceof Map;
}

export function isList(value: PyValue): value is readonly PyValue[] {
  return Array.isArray(value);
}

/** Whether a value is a number. As in Python, booleans count as numbers. */
export function isNumeric(value: PyValue): value is boolean | bigint | number {
  return typeof value === "boolean" || typeof value === "bigint" || typeof value === "number";
}

/** Whether Python treats a value as true. Python treats empty texts, empty lists, empty dicts and zeros as false. */
export function isTruthy(value: PyValue): boolean {
  if (isDict(value)) return value.size > 0;
  return isList(value) ? value.length > 0 : Boolean(value);
}

/** Whether two values are equal by Python's `==`. `int`, `float` and `bool` are compared by their numeric value. */
export function isEqual(one: PyValue, other: PyValue): boolean {
  if (isNumeric(one) && isNumeric(other)) {
    const [left, right] = [one, other].map((value) => (typeof value === "boolean" ? BigInt(value) : value));
    // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number by value.
    return left == right;
  }
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((item, at) => isEqual(item, other[at] as PyValue));
  if (isDict(one) && isDict(other))
    return (
      one.size === other.size &&
      [...one].every(([key, item]) => other.has(key) && isEqual(item, other.get(key) ?? null))
    );
  return one === other;
}

/** Formats a value like Python's `str`: `True`, `1.0`, `{'name': None}`. */
export function pyStr(value: PyValue): string {
  return typeof value === "string" ? value : repr(value);
}

function repr(value: PyValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return floatRepr(value);
  if (typeof value === "string") return pythonRepr(value);
  if (isList(value)) return `[${value.map(repr).join(", ")}]`;
  if (isDict(value)) return `{${[...value].map(([key, item]) => `${pythonRepr(key)}: ${repr(item)}`).join(", ")}}`;
  return `${value}`;
}

/**
 * Formats a float like Python's `repr`: with the shortest digits that round-trip, and with an exponent if the absolute
 * value is below 1e-4 or at least 1e16.
 */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (value !== 0 && (exponent < -4 || exponent >= 16))
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${`${Math.abs(exponent)}`.padStart(2, "0")}`;
  const plain = Object.is(value, -0) ? "-0" : `${value}`;
  return plain.includes(".") ? plain : `${plain}.0`;
}

const digits = "\\d+(?:_\\d+)*";
const float = new RegExp(`^[+-]?(?:${digits}(?:\\.(?:${digits})?)?|\\.${digits})(?:e[+-]?${digits})?$`);

/** Parses a text like Python's `float`. Returns undefined if Python would raise an error. */
export function pyFloat(text: string): number | undefined {
  const trimmed = pyStrip(text).toLowerCase();
  const special = /^([+-]?)(?:inf(?:inity)?|(nan))$/.exec(trimmed);
  if (special) return special[2] ? Number.NaN : special[1] === "-" ? -Infinity : Infinity;
  return float.test(trimmed) ? Number(trimmed.replaceAll("_", "")) : undefined;
}

/**
 * Strips a text like Python's `str.strip`. The stripped white space includes U+001C to U+001F and U+0085, but not
 * U+FEFF.
 */
export function pyStrip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start] as string)) start += 1;
  while (end > start && isSpace(text[end - 1] as string)) end -= 1;
  return text.slice(start, end);
}

/**
 * Strips characters from the end of a text, like Python's `str.rstrip`. A loop is used because a regular expression
 * that ends with `+$` takes quadratic time.
 */
export function stripEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

export function isSpace(character: string): boolean {
  return (/\s/.test(character) && character !== "\ufeff") || "\x1c\x1d\x1e\x1f\x85".includes(character);
}

/**
 * Converts a value from `JSON.parse`, which does not distinguish `1.0` from `1`. Each safe integer becomes an `int`.
 */
export function fromJson(value: unknown): PyValue {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value === "object" && value !== null)
    return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item)]));
  return (value ?? null) as PyValue;
}
