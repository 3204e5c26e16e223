/** The fields of a spec, to find misspelt ones: an optional field would otherwise have no effect. */
import type {
  AsyncEnvironmentSpec,
  EnvironmentOption,
  EnvironmentSpec,
  OptionValue,
  Query,
  Requirement,
  Seat,
  TaskSplit,
  Tool,
} from "../env.js";

/** Names of all fields of a type. The compiler refuses a missing name and an unknown one. */
type Names<T> = Record<T extends unknown ? keyof T : never, true>;

/** A kind of object in a spec. */
interface Kind {
  readonly names: Readonly<Record<string, true>>;
  /** Fields that contain objects of a kind, in a list or by name. */
  readonly parts?: Readonly<Record<string, Kind>>;
}

const split: Kind = { names: { size: true, summary: true, options: true, title: true } satisfies Names<TaskSplit> };
const tool: Kind = {
  names: { name: true, description: true, parameters: true, action: true } satisfies Names<Tool>,
};
const value: Kind = {
  names: { summary: true, prompt: true, tools: true, rewardRange: true } satisfies Names<OptionValue>,
  parts: { tools: tool },
};
const option: Kind = {
  names: { summary: true, values: true } satisfies Names<EnvironmentOption>,
  parts: { values: value },
};
const requirement: Kind = {
  names: { name: true, howToGet: true, isSandbox: true, probe: true, setUp: true } satisfies Names<Requirement>,
};
const query: Kind = {
  names: { summary: true, isAdvice: true, answer: true } satisfies Names<Query<unknown>>,
};
const seat: Kind = {
  names: { summary: true, prompt: true, tools: true } satisfies Names<Seat>,
  parts: { tools: tool },
};
const spec: Kind = {
  names: {
    id: true,
    version: true,
    summary: true,
    splits: true,
    defaultSplit: true,
    options: true,
    maxSteps: true,
    rewardRange: true,
    solvedReward: true,
    familyKey: true,
    prompt: true,
    promptFormat: true,
    tools: true,
    seats: true,
    requirements: true,
    restore: true,
    isAsync: true,
    deadlineMs: true,
    create: true,
    expert: true,
    verify: true,
    verdict: true,
    render: true,
    queries: true,
  } satisfies Names<EnvironmentSpec | AsyncEnvironmentSpec>,
  parts: { splits: split, options: option, tools: tool, seats: seat, requirements: requirement, queries: query },
};

export interface UnknownField {
  /** Path in the spec, such as `splits.train.sise`. */
  path: string;
  name: string;
  /** Names of the fields that the contract has at this place. */
  known: readonly string[];
}

/** Returns the first field that the contract does not have, or undefined. */
export function unknownField(exported: object): UnknownField | undefined {
  return unknownIn(exported, spec, "");
}

function unknownIn(object: unknown, { names, parts = {} }: Kind, path: string): UnknownField | undefined {
  if (!isPlain(object)) return undefined;
  const name = Object.keys(object).find((key) => !Object.hasOwn(names, key));
  if (name !== undefined) return { path: `${path}${name}`, name, known: Object.keys(names) };
  for (const [field, kind] of Object.entries(parts)) {
    for (const [key, part] of Object.entries(object[field] ?? {})) {
      const unknown = unknownIn(part, kind, `${path}${field}.${key}.`);
      if (unknown) return unknown;
    }
  }
  return undefined;
}

/** Whether an object is no instance of a class, which may have fields of its own. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
