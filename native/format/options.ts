/** Options as tables of checks: a key that no table has is refused, and named. */
import { invalid } from "../addon/errors.js";

/** Gives the value, or throws. `name` is the option's. */
export type Check<T> = (value: unknown, name: string) => T;

type Table = Record<string, Check<unknown>>;
type Checked<T extends Table> = { [K in keyof T]: ReturnType<T[K]> };

/** @param what for messages: "the options of Engine.create" */
export function checkOptions<T extends Table>(what: string, given: unknown, table: T): Checked<T> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw invalid(`${what} as an object`, given);
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(table, key)) throw invalid(`${what} among ${Object.keys(table).join(", ")}`, key);
  }
  const checked = Object.entries(table).map(([key, check]) => [
    key,
    check((given as Record<string, unknown>)[key], key),
  ]);
  return Object.fromEntries(checked) as Checked<T>;
}

export function optional<T, const D>(check: Check<T>, otherwise: D): Check<T | D> {
  return (value, name) => (value === undefined ? otherwise : check(value, name));
}

export function integer(least: number, most: number): Check<number> {
  return (value, name) => {
    if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
    throw invalid(`${name} as an integer of ${least} to ${most}`, value);
  };
}

export function number(least: number, most: number): Check<number> {
  return (value, name) => {
    if (typeof value === "number" && value >= least && value <= most) return value;
    throw invalid(`${name} as a number of ${least} to ${most}`, value);
  };
}

/** Above `least`, which it may not be. */
export function numberAbove(least: number): Check<number> {
  return (value, name) => {
    if (typeof value === "number" && Number.isFinite(value) && value > least) return value;
    throw invalid(`${name} as a number above ${least}`, value);
  };
}

/** 64 bits, as a number or a bigint. */
export const seed: Check<bigint> = (value, name) => {
  const isWhole = typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));
  if (isWhole && BigInt(value) >= 0n && BigInt(value) < 1n << 64n) return BigInt(value);
  throw invalid(`${name} as an integer of 0 to 2^64 - 1`, value);
};

export const boolean: Check<boolean> = (value, name) => {
  if (typeof value === "boolean") return value;
  throw invalid(`${name} as true or false`, value);
};

export const string: Check<string> = (value, name) => {
  if (typeof value === "string" && value !== "") return value;
  throw invalid(`${name} as a string that is not empty`, value);
};

/** Of a file or folder. */
export const filePath: Check<string> = (value, name) => {
  const text = string(value, name);
  // C would take what comes before it for the whole.
  if (text.includes("\0")) throw invalid(`${name} as a path without null characters`, text);
  return text;
};

export function oneOf<const T extends string>(values: readonly T[]): Check<T> {
  return (value, name) => {
    const found = values.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    throw invalid(`${name} among ${values.join(", ")}`, value);
  };
}

export function instance<T>(type: abstract new (...args: never[]) => T, what: string): Check<T> {
  return (value, name) => {
    if (value instanceof type) return value as T;
    throw invalid(`${name} as ${what}`, value);
  };
}

export const signal: Check<AbortSignal> = instance(AbortSignal, "an AbortSignal");

/** What every call that waits takes. */
export interface SignalOption {
  /** Ends the call with NATIVE_CANCELLED. */
  signal?: AbortSignal;
}

export function signalOf(method: string, options: SignalOption): AbortSignal | undefined {
  return checkOptions(`the options of ${method}`, options, { signal: optional(signal, undefined) }).signal;
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) throw invalid(`${name} as an array`, value);
    // Not by `map`, which passes over holes.
    return Array.from(value, (item, index) => check(item, `${name}[${index}]`));
  };
}

/** Token ids: an Int32Array as it is, or an array of integers. */
export const tokenIds: Check<Int32Array> = (value, name) => {
  if (value instanceof Int32Array) return value;
  if (!Array.isArray(value)) throw invalid(`${name} as an Int32Array or an array`, value);
  const most = 2 ** 31 - 1;
  const wrong = value.findIndex((id) => !Number.isInteger(id) || id < 0 || id > most);
  if (wrong >= 0) throw invalid(`${name}[${wrong}] as an integer of 0 to ${most}`, value[wrong]);
  return Int32Array.from(value);
};

/** Float32Array (length), as it is, or numbers of another kind of array. */
export function floats(length: number): Check<Float32Array> {
  return (value, name) => {
    const array = value instanceof Float32Array ? value : Float32Array.from(numbersOf(value, name));
    if (array.length !== length) throw invalid(`${name} of ${length} numbers, one a token`, array);
    return array;
  };
}

/** (length): 1 where there is a number other than 0, or true. */
export function flags(length: number): Check<Uint8Array> {
  return (value, name) => {
    const isFlag = (item: unknown) => typeof item === "boolean" || typeof item === "number";
    const array = arrayOf(value, name, isFlag, "a number or true or false");
    if (array.length !== length) throw invalid(`${name} of ${length} flags, one a token`, value);
    return Uint8Array.from(array, (item) => (item ? 1 : 0));
  };
}

function numbersOf(value: unknown, name: string): ArrayLike<number> {
  return arrayOf(value, name, (item) => typeof item === "number", "a number") as ArrayLike<number>;
}

function arrayOf(
  value: unknown,
  name: string,
  fits: (item: unknown) => boolean,
  what: string,
): ArrayLike<number | boolean> {
  const isArray = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (!isArray) throw invalid(`${name} as an array`, value);
  const array = value as unknown as (number | boolean)[];
  const wrong = array.findIndex((item) => !fits(item));
  if (wrong >= 0) throw invalid(`${name}[${wrong}] as ${what}`, array[wrong]);
  return array;
}

/** In the order of the C ABI, after the default. */
export const dtypes = ["f32", "bf16"] as const;

export function numberOf(dtype: (typeof dtypes)[number] | null): number {
  return dtype === null ? 0 : dtypes.indexOf(dtype) + 1;
}
