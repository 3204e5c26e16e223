/** Schemas of options. The error of a schema is a phrase that completes "expected NAME to be ...". */
import { z } from "zod";
import { invalid } from "../addon/errors.js";

/**
 * Checks options against a schema. Fails with NATIVE_INVALID_ARGUMENT. @param name the subject of the message: "the options
 * of Engine.create"
 */
export function check<S extends z.ZodType>(name: string, schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  const received = issue.code === "unrecognized_keys" ? issue.keys[0] : issue.input;
  throw invalid(`${nameOf(issue.path, name)} to be ${issue.message}`, received);
}

/**
 * Formats a path as code, such as `shares.train`. A path that is empty or begins with an index is prefixed with
 * `subject`.
 */
function nameOf(path: PropertyKey[], subject: string): string {
  const [first, ...rest] = typeof path[0] === "string" ? path : [subject, ...path];
  return rest.reduce<string>(
    (name, key) => (typeof key === "number" ? `${name}[${key}]` : `${name}.${String(key)}`),
    String(first),
  );
}

/** Schema of an object of options. Unknown keys are refused. */
export function table<T extends z.ZodRawShape>(shape: T) {
  const known = `among ${Object.keys(shape).join(", ")}`;
  return z.strictObject(shape, { error: ({ code }) => (code === "unrecognized_keys" ? known : "an object") });
}

export function integer(least: number, most: number) {
  return z.custom<number>(
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
    `an integer from ${least} to ${most}`,
  );
}

/** Whether a number fits before and after it is rounded to a 32-bit float, with which the engine computes. */
export function isFloat(value: unknown, fits: (value: number) => boolean): value is number {
  return typeof value === "number" && fits(value) && fits(Math.fround(value));
}

function float(fits: (value: number) => boolean, phrase: string) {
  return z.custom<number>((value) => isFloat(value, fits), {
    error: ({ input }) => (typeof input === "number" && fits(input) ? `${phrase} as a 32-bit float` : phrase),
  });
}

export function number(least: number, most: number) {
  return float((value) => value >= least && value <= most, `a number from ${least} to ${most}`);
}

/** Schema of a finite number greater than `bound`. */
export function numberAbove(bound: number) {
  return float((value) => Number.isFinite(value) && value > bound, `a number above ${bound}`);
}

const largestNumber = 1e6;

/** Schema of numbers by token id. */
export const numbersByToken = z.record(
  z.string().refine((id) => isTokenId(Number(id)) && String(Number(id)) === id, `a token id`),
  number(-largestNumber, largestNumber),
  "an object of numbers by token id",
);

/** Schema of a 64-bit seed, given as a number or a bigint. */
export const seed = z
  .custom<number | bigint>((value) => {
    const isWhole = typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));
    return isWhole && BigInt(value) >= 0n && BigInt(value) < 1n << 64n;
  }, "an integer from 0 to 2^64 - 1")
  .transform((value) => BigInt(value));

export const boolean = z.boolean("true or false");

export const text = z.string("a string").min(1, "a string that is not empty");

/** Schema of the path of a file or folder. A null character is refused, since it would end the path in C. */
export const filePath = text.refine((path) => !path.includes("\0"), "a path without null characters");

export function oneOf<const T extends string>(values: readonly T[]) {
  return z.enum(values as readonly [T, ...T[]], `one of ${values.join(", ")}`);
}

export function listOf<S extends z.ZodType>(item: S) {
  return z.array(item, "an array");
}

export const signal = z.instanceof(AbortSignal, { error: "an AbortSignal" });

/** Option of every call that waits for the engine. */
export interface SignalOption {
  /** Signal that ends the call with NATIVE_CANCELLED. */
  signal?: AbortSignal;
}

const signalTable = table({ signal: signal.optional() });

export function signalOf(method: string, options: SignalOption): AbortSignal | undefined {
  return check(`the options of ${method}`, signalTable, options).signal;
}

const highestTokenId = 2 ** 31 - 1;

export function isTokenId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= highestTokenId;
}

/** Schema of token ids: an Int32Array, which is not copied, or an array of integers. */
export const tokenIds = z.unknown().transform((value, context): Int32Array => {
  if (value instanceof Int32Array) return value;
  if (!Array.isArray(value)) return refuse(context, "an Int32Array or an array", value);
  const wrong = value.findIndex((id) => !isTokenId(id));
  if (wrong < 0) return Int32Array.from(value);
  return refuse(context, `an integer from 0 to ${highestTokenId}`, value[wrong], wrong);
});

/** Schema of numbers, one per token: a Float32Array, which is not copied, or an array-like object of numbers. */
export const floats = z.unknown().transform((value, context): Float32Array => {
  if (value instanceof Float32Array) return value;
  const array = arrayOf(context, value, (item) => typeof item === "number", "a number");
  return Float32Array.from(array as ArrayLike<number>);
});

/** Schema of flags, one per token: true and every number except 0 become 1. */
export const flags = z.unknown().transform((value, context): Uint8Array => {
  const isFlag = (item: unknown) => typeof item === "boolean" || typeof item === "number";
  const array = arrayOf(context, value, isFlag, "a number or true or false");
  return Uint8Array.from(array, (item) => (item ? 1 : 0));
});

/** Fails with NATIVE_INVALID_ARGUMENT unless each given array has one entry per token. */
/** Indices of earlier sequences in a pack, or -1. */
export const parentIndices = z.unknown().transform((value, context): Int32Array => {
  if (value instanceof Int32Array) return value;
  if (!Array.isArray(value)) return refuse(context, "an Int32Array or an array", value);
  const wrong = value.findIndex((index) => !(index === -1 || isTokenId(index)));
  if (wrong < 0) return Int32Array.from(value);
  return refuse(context, "-1 or the index of a sequence", value[wrong], wrong);
});

export function expectLengths(
  count: number,
  arrays: Record<string, ArrayLike<unknown> | null | undefined>,
  each: "token" | "sequence" = "token",
): void {
  for (const [name, array] of Object.entries(arrays)) {
    if (array && array.length !== count) throw invalid(`${name} to have ${count} entries, one per ${each}`, array);
  }
}

function arrayOf(
  context: z.core.$RefinementCtx,
  value: unknown,
  fits: (item: unknown) => boolean,
  phrase: string,
): ArrayLike<number | boolean> {
  const isArray = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (!isArray) return refuse(context, "an array", value);
  const array = value as unknown as (number | boolean)[];
  const wrong = array.findIndex((item) => !fits(item));
  return wrong < 0 ? array : refuse(context, phrase, array[wrong], wrong);
}

/** Reports that a value, or its entry at `index`, does not match the schema. */
function refuse(context: z.core.$RefinementCtx, message: string, input: unknown, index?: number): never {
  context.issues.push({ code: "custom", message, input, path: index === undefined ? [] : [index] } as never);
  return z.NEVER;
}

/** Names of the data types in the order of the C ABI, from number 1. Number 0 is the default type. */
export const dtypes = ["f32", "bf16"] as const;

export function numberOf(dtype: (typeof dtypes)[number] | undefined): number {
  return dtype === undefined ? 0 : dtypes.indexOf(dtype) + 1;
}
