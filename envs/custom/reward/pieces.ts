/** Built-in rewards ("pieces") and weighted sums of pieces. A piece is JSON, such as `{"regex": {"pattern": "^[A-D]$"}}`. */
import { Ajv, type ValidateFunction } from "ajv";
import { z } from "zod";
import type { JsonValue } from "../../env.js";
import { finalAnswer } from "../../shared/arithmetic/final-answer.js";
import { isSameAnswer } from "../../shared/arithmetic/same-answer.js";
import { namedChoice } from "../named-choice.js";
import { promptOf, type RewardRequest } from "./request.js";

const field = z.string().default("answer").describe("Field of the task that holds what is right.");
const penalty = z.number().positive().default(0.5).describe("The most that is taken away.");

/** Returns the schema of settings with a `pattern` that must be a valid regular expression. */
function withPattern<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .strictObject({ pattern: z.string(), flags: z.string().default(""), ...shape })
    .superRefine((given, context) => {
      try {
        const { pattern, flags } = given as { pattern: string; flags: string };
        new RegExp(pattern, flags);
      } catch (error) {
        context.addIssue({ code: "custom", path: ["pattern"], message: (error as Error).message });
      }
    });
}

const ajvOptions = { strict: false, validateFormats: false } as const;
/** Cache of compiled schemas, since one piece scores many answers. */
const validators = new WeakMap<object, ValidateFunction>();

function isJsonSchema(schema: object): boolean {
  return new Ajv(ajvOptions).validateSchema(schema) === true;
}

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema) ?? new Ajv(ajvOptions).compile(schema);
  validators.set(schema, known);
  return known;
}

const simple = {
  exact: z.strictObject({ field, ignoreCase: z.boolean().default(false) }),
  numeric: z.strictObject({ field }),
  regex: withPattern({}),
  jsonSchema: z.strictObject({
    schema: z.record(z.string(), z.unknown()).refine(isJsonSchema, "expected JSON Schema"),
  }),
  toolBonus: z.strictObject({
    tool: z.string(),
    each: z.number().positive().default(0.1),
    most: z.number().positive().default(0.2),
  }),
  lengthPenalty: z.strictObject({ over: z.int().min(1), penalty }),
  formatPenalty: withPattern({ penalty }),
} as const;

type Simple = { [Name in keyof typeof simple]: z.output<(typeof simple)[Name]> };
type Name = keyof Simple;

/** A built-in reward with its settings, or a weighted sum of built-in rewards. */
export type Piece = { [N in Name]: Record<N, Simple[N]> }[Name] | { sum: readonly Weighted[] };

export interface Weighted {
  weight: number;
  of: Piece;
}

export const Piece: z.ZodType<Piece> = z.lazy(() => {
  const sum = z.array(z.strictObject({ weight: z.number().default(1), of: Piece })).min(1);
  return namedChoice("a reward", { ...simple, sum });
}) as never;

interface Kind<N extends Name> {
  /** Returns the lowest and highest reward of the piece. */
  range(settings: Simple[N]): readonly [number, number];
  score(request: RewardRequest, settings: Simple[N]): number;
}

const kinds: { [N in Name]: Kind<N> } = {
  exact: {
    range: () => [0, 1],
    score({ task, answer }, { field: name, ignoreCase }) {
      // An accented letter is either one character, or a letter followed by a combining accent.
      const plain = (text: string) =>
        (ignoreCase ? text.toLowerCase() : text).normalize("NFC").trim().replace(/\s+/g, " ");
      return textsOf(task[name]).some((right) => plain(right) === plain(answer)) ? 1 : 0;
    },
  },
  numeric: {
    range: () => [0, 1],
    score({ task, answer }, { field: name }) {
      const given = finalAnswer(answer);
      const question = task.prompt === undefined ? "" : promptOf(task);
      return textsOf(task[name]).some((right) => isSameAnswer(right, given, question)) ? 1 : 0;
    },
  },
  regex: {
    range: () => [0, 1],
    score: ({ answer }, { pattern, flags }) => (new RegExp(pattern, flags).test(answer) ? 1 : 0),
  },
  jsonSchema: {
    range: () => [0, 1],
    score({ answer }, { schema }) {
      const value = parsed(answer);
      return value !== undefined && fits(validatorOf(schema), value) ? 1 : 0;
    },
  },
  toolBonus: {
    range: ({ most }) => [0, most],
    score: ({ calls }, { tool, each, most }) =>
      Math.min(most, each * calls.filter((call) => call.tool === tool && !call.isError).length),
  },
  lengthPenalty: {
    range: ({ penalty: most }) => [-most, 0],
    // The penalty grows linearly and reaches the maximum at twice the length `over`.
    score: ({ tokens }, { over, penalty: most }) => 0 - most * Math.min(1, Math.max(0, tokens - over) / over),
  },
  formatPenalty: {
    range: ({ penalty: most }) => [-most, 0],
    score: ({ answer }, { pattern, flags, penalty: most }) => (new RegExp(pattern, flags).test(answer) ? 0 : -most),
  },
};

/** Returns the lowest and the highest reward of a piece. */
export function rangeOf(piece: Piece): readonly [number, number] {
  if (!("sum" in piece)) {
    const [name, settings] = Object.entries(piece)[0] as [Name, never];
    return (kinds[name] as Kind<Name>).range(settings);
  }
  let [low, high] = [0, 0];
  for (const { weight, of } of piece.sum) {
    const ends = rangeOf(of).map((end) => weight * end);
    low += Math.min(...ends);
    high += Math.max(...ends);
  }
  return [low, high];
}

/** Returns the fields of a task that a piece reads. */
export function fieldsOf(piece: Piece): string[] {
  if ("sum" in piece) return piece.sum.flatMap(({ of }) => fieldsOf(of));
  const [settings] = Object.values(piece) as [{ field?: string }];
  return settings.field === undefined ? [] : [settings.field];
}

/** Returns the reward that a piece gives an answer. For a sum, the info contains the reward of each part. */
export function scoreOf(piece: Piece, request: RewardRequest): { reward: number; info: Record<string, JsonValue> } {
  if (!("sum" in piece)) {
    const [name, settings] = Object.entries(piece)[0] as [Name, never];
    const reward = (kinds[name] as Kind<Name>).score(request, settings);
    return { reward, info: { [name]: reward } };
  }
  let reward = 0;
  const info: Record<string, JsonValue> = {};
  for (const { weight, of } of piece.sum) {
    const part = scoreOf(of, request);
    reward += weight * part.reward;
    for (const [name, value] of Object.entries(part.info)) info[freeName(info, name)] = value;
  }
  return { reward, info };
}

/**
 * The pieces as functions, passed to a reward function as its second argument: `exact(submission, {ignoreCase: true})`.
 */
export function pieceFunctions(): Record<string, (request: RewardRequest, settings?: unknown) => number> {
  const functions = Object.entries(kinds).map(([name, kind]) => [
    name,
    (request: RewardRequest, settings: unknown = {}) =>
      (kind as Kind<Name>).score(request, simple[name as Name].parse(settings) as never),
  ]);
  return Object.fromEntries(functions);
}

function freeName(taken: object, name: string): string {
  for (let at = 2, free = name; ; at++) {
    if (!Object.hasOwn(taken, free)) return free;
    free = `${name}${at}`;
  }
}

function textsOf(value: JsonValue | undefined): string[] {
  if (value === undefined || value === null) return [];
  const values = Array.isArray(value) ? value : [value];
  return values.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
}

/**
 * Whether a value matches the schema. An answer nested so deeply that a recursive schema overflows the stack does not
 * match.
 */
function fits(validate: (value: unknown) => unknown, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
