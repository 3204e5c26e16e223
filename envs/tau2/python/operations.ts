/** Operations on values as Python performs them, with its errors. */
import { representation } from "./text.js";
import { type Dict, Model, ToolFailed, typeName, type Value } from "./value.js";

/** Returns `a == b`. Ints, floats and booleans are equal by their number. */
export function isEqual(a: Value, b: Value): boolean {
  const [left, right] = [numeric(a), numeric(b)];
  if (left !== undefined && right !== undefined) return left <= right && left >= right;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => isEqual(each, b[at] as Value));
  if (a instanceof Map && b instanceof Map) {
    if ((a instanceof Model ? a.model : "") !== (b instanceof Model ? b.model : "")) return false;
    return a.size === b.size && [...a].every(([key, each]) => b.has(key) && isEqual(each, b.get(key) as Value));
  }
  return a === b;
}

/** Returns `round(value, 2)` of a float: to the nearest hundredth, and a tie to the even one. */
export function rounded(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return value;
  const eighths = value * 8;
  const isTie = Number.isInteger(eighths) && Math.abs(eighths) % 2 === 1;
  if (!isTie) return Number(value.toFixed(2));
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}

/** Returns an item's value in a dict with string keys. @throws {ToolFailed} the key has no hash */
export function lookUp<T extends Value>(table: { get(key: string): T | undefined }, key: Value): T | undefined {
  if (Array.isArray(key) || key instanceof Map) throw new ToolFailed(unhashable(key));
  return typeof key === "string" ? table.get(key) : undefined;
}

/** Returns `table[key]`. @throws {ToolFailed} as Python's KeyError */
export function item(table: Dict, key: Value): Value {
  const found = lookUp(table, key);
  if (found === undefined) throw new ToolFailed(representation(key));
  return found;
}

/** @throws {ToolFailed} the value has no hash */
export function checkHash(value: Value): void {
  if (Array.isArray(value) || value instanceof Map) throw new ToolFailed(unhashable(value));
}

/** Python's text, which names no more than the type of a list or dict. */
function unhashable(value: Value): string {
  return `unhashable type: '${typeName(value)}'`;
}

/** Returns the elements over which Python's `for` iterates. @throws {ToolFailed} the value has none */
export function elements(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return Array.from(value);
  if (value instanceof Map) return [...value.keys()];
  throw new ToolFailed(`'${typeName(value)}' object is not iterable`);
}

/** Returns `len(value)`. @throws {ToolFailed} */
export function lengthOf(value: Value): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return Array.from(value).length;
  if (value instanceof Map) return value.size;
  throw new ToolFailed(`object of type '${typeName(value)}' has no len()`);
}

/** Returns `value.lower()`. @throws {ToolFailed} */
export function lower(value: Value): string {
  if (typeof value === "string") return value.toLowerCase();
  throw new ToolFailed(`'${typeName(value)}' object has no attribute 'lower'`);
}

/** Returns `list(value).count(sought)` of a list or a string. @throws {ToolFailed} */
export function countIn(value: Value, sought: Value): number {
  if (Array.isArray(value)) return value.filter((each) => isEqual(each, sought)).length;
  if (typeof value === "string") return value.split(String(sought)).length - 1;
  throw new ToolFailed(`'${typeName(value)}' object has no attribute 'count'`);
}

/** Returns `sorted(value)`. @throws {ToolFailed} the elements cannot be compared */
export function sorted(value: Value): Value[] {
  return elements(value)
    .slice()
    .sort((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0));
}

/** Returns `a < b` of numbers or strings. @throws {ToolFailed} */
export function isLess(a: Value, b: Value): boolean {
  const [left, right] = [numeric(a), numeric(b)];
  if (left !== undefined && right !== undefined) return left < right;
  if (typeof a === "string" && typeof b === "string") return a < b;
  throw new ToolFailed(`'<' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

type Numeric = bigint | number;

/** Returns `a + b` of numbers. @param sign operator in the error's text, such as `+=` @throws {ToolFailed} */
export function add(a: Value, b: Value, sign = "+"): Numeric {
  return calculated(
    a,
    b,
    sign,
    (x, y) => x + y,
    (x, y) => x + y,
  );
}

/** Returns `a - b` of numbers. @throws {ToolFailed} */
export function subtract(a: Value, b: Value, sign = "-"): Numeric {
  return calculated(
    a,
    b,
    sign,
    (x, y) => x - y,
    (x, y) => x - y,
  );
}

function calculated(
  a: Value,
  b: Value,
  sign: string,
  ofInts: (x: bigint, y: bigint) => bigint,
  ofFloats: (x: number, y: number) => number,
): Numeric {
  const [left, right] = [numeric(a), numeric(b)];
  if (left === undefined || right === undefined)
    throw new ToolFailed(`unsupported operand type(s) for ${sign}: '${typeName(a)}' and '${typeName(b)}'`);
  if (typeof left === "bigint" && typeof right === "bigint") return ofInts(left, right);
  return ofFloats(Number(left), Number(right));
}

/** Returns `factor * value`, which repeats a string or a list. @throws {ToolFailed} */
export function times(factor: bigint, value: Value): Value {
  const number = numeric(value);
  if (typeof number === "bigint") return factor * number;
  if (typeof number === "number") return Number(factor) * number;
  if (typeof value === "string") return value.repeat(Number(factor));
  if (Array.isArray(value)) return Array.from({ length: Number(factor) }, () => value).flat();
  throw new ToolFailed(`unsupported operand type(s) for *: 'int' and '${typeName(value)}'`);
}

/** Returns the number of an int, a float or a boolean, and undefined of any other value. */
export function numeric(value: Value): Numeric | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return typeof value === "boolean" ? BigInt(value) : undefined;
}
