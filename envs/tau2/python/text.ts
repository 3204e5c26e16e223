/** Texts of values, as Python's `str`, `repr` and `json.dumps` write them. */
import { Model, type Value } from "./value.js";

/** Returns the shortest text of a float that reads back, with Python's exponents. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits, power = "0"] = value.toExponential().split("e") as [string, string?];
    return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** Returns `str(value)`. */
export function textOf(value: Value): string {
  return typeof value === "string" ? value : representation(value);
}

/** Returns `repr(value)`. */
export function representation(value: Value): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return floatText(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(representation).join(", ")}]`;
  const fields = [...value];
  if (value instanceof Model)
    return `${value.model}(${fields.map(([key, each]) => `${key}=${representation(each)}`).join(", ")})`;
  return `{${fields.map(([key, each]) => `${quoted(key)}: ${representation(each)}`).join(", ")}}`;
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Python writes control characters as \xNN
  const inside = text.replace(/[\n\r\t\\]|[\u0000-\u001f\u007f-\u00a0\u00ad]/g, (each) => escapes[each] ?? hex(each));
  return `${mark}${inside.replaceAll(mark, `\\${mark}`)}${mark}`;
}

function hex(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** Returns `json.dumps(value)`. @param isSorted whether the keys of dicts are sorted */
export function jsonText(value: Value, isSorted = false): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return jsonFloat(value);
  if (typeof value === "string") return jsonString(value);
  if (Array.isArray(value)) return `[${value.map((each) => jsonText(each, isSorted)).join(", ")}]`;
  const fields = isSorted ? [...value].sort(([a], [b]) => byCodePoints(a, b)) : [...value];
  return `{${fields.map(([key, each]) => `${jsonString(key)}: ${jsonText(each, isSorted)}`).join(", ")}}`;
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? floatText(value) : value > 0 ? "Infinity" : "-Infinity";
}

function jsonString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (each) =>
    each === "\u007f" ? each : `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Compares texts as Python does, by code points. */
export function byCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
