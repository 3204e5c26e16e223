/**
 * Every environment that the gym knows: one line each below, and whatever modules the host of a gym adds by path.
 * Server and host threads load the same list, so that a task checked by one is a task known to the other.
 */
import { pathToFileURL } from "node:url";
import type { EnvironmentSpec, Options, OptionValue, TaskRef, TaskSplit, Tool } from "./env.js";
import { TaskOutOfRange, UnknownEnvironment, UnknownOption, UnknownSplit, UnusableModule } from "./errors.js";

const builtIn: readonly string[] = ["./textcraft/index.js", "./babyai/index.js", "./sciworld/index.js"];

/** `textcraft@1`: the form in which an environment is pinned, logged and reported. */
export function versionedId(spec: EnvironmentSpec): string {
  return `${spec.id}@${spec.version}`;
}

export class Registry {
  private readonly byName = new Map<string, EnvironmentSpec>();

  constructor(specs: readonly EnvironmentSpec[]) {
    for (const spec of specs) this.add(spec);
  }

  /**
   * Built-in environments and those of `modulePaths`: files whose default export is an EnvironmentSpec.
   *
   * @throws {UnusableModule}
   */
  static async load(modulePaths: readonly string[] = []): Promise<Registry> {
    const urls = [
      ...builtIn.map((path) => new URL(path, import.meta.url).href),
      ...modulePaths.map((path) => pathToFileURL(path).href),
    ];
    return new Registry(await Promise.all(urls.map(loadSpec)));
  }

  /** The newest version of each environment, in order of registration. */
  list(): EnvironmentSpec[] {
    const ids = new Set([...this.byName.values()].map((spec) => spec.id));
    return [...ids].map((id) => this.get(id));
  }

  /**
   * @param name `textcraft` for the newest version or `textcraft@1` for that one
   * @throws {UnknownEnvironment}
   */
  get(name: string): EnvironmentSpec {
    const spec = this.byName.get(name);
    if (!spec) throw new UnknownEnvironment(name, [...this.byName.keys()]);
    return spec;
  }

  private add(spec: EnvironmentSpec): void {
    const name = versionedId(spec);
    if (this.byName.has(name)) throw new UnusableModule("each environment once", `${name} twice`);
    this.byName.set(name, spec);
    const newest = this.byName.get(spec.id);
    if (!newest || newest.version < spec.version) this.byName.set(spec.id, spec);
  }
}

/** The split that is meant where none is named. */
export function defaultSplit(spec: EnvironmentSpec): string {
  return Object.keys(spec.splits)[0] as string;
}

/** @throws {UnknownSplit} */
export function findSplit(spec: EnvironmentSpec, name: string): TaskSplit {
  const split = Object.hasOwn(spec.splits, name) ? spec.splits[name] : undefined;
  if (!split) throw new UnknownSplit(spec.id, name, Object.keys(spec.splits));
  return split;
}

/**
 * The entry of a split that `ref` means.
 *
 * @throws {UnknownSplit} @throws {TaskOutOfRange}
 */
export function checkTask(spec: EnvironmentSpec, ref: TaskRef): TaskRef {
  const split = findSplit(spec, ref.split);
  if (!Number.isInteger(ref.index) || ref.index < 0 || ref.index >= split.size) {
    throw new TaskOutOfRange(ref.split, split.size, ref.index);
  }
  return { split: ref.split, index: ref.index };
}

/**
 * What is asked for, with the defaults of all options that it leaves out.
 *
 * @throws {UnknownOption}
 */
export function fillOptions(spec: EnvironmentSpec, asked: Options): Options {
  const options = spec.options ?? {};
  for (const name of Object.keys(asked)) {
    if (!Object.hasOwn(options, name)) throw new UnknownOption(`the options of ${spec.id}`, name, Object.keys(options));
  }
  const filled = Object.entries(options).map(([name, { values }]) => {
    const value = (Object.hasOwn(asked, name) ? asked[name] : Object.keys(values)[0]) as string;
    if (Object.hasOwn(values, value)) return [name, value];
    throw new UnknownOption(`the values of ${spec.id}'s option ${name}`, value, Object.keys(values));
  });
  return Object.fromEntries(filled);
}

/** Instructions for an agent that plays with these options. */
export function promptOf(spec: EnvironmentSpec, options: Options): string {
  return chosen(spec, options).find(({ prompt }) => prompt !== undefined)?.prompt ?? spec.prompt;
}

/** What an agent that plays with these options can call; empty where actions are text alone. */
export function toolsOf(spec: EnvironmentSpec, options: Options): readonly Tool[] {
  return chosen(spec, options).find(({ tools }) => tools !== undefined)?.tools ?? spec.tools ?? [];
}

/** The lowest and the highest reward of a step with these options. */
export function rewardRangeOf(spec: EnvironmentSpec, options: Options): readonly [number, number] {
  return chosen(spec, options).find(({ rewardRange }) => rewardRange !== undefined)?.rewardRange ?? spec.rewardRange;
}

function chosen(spec: EnvironmentSpec, options: Options): OptionValue[] {
  return Object.entries(options).map(([name, value]) => spec.options?.[name]?.values[value] as OptionValue);
}

async function loadSpec(url: string): Promise<EnvironmentSpec> {
  const refuse = (received: string, cause?: unknown) =>
    new UnusableModule(`${url} to export an EnvironmentSpec as its default`, received, cause);
  const module = (await import(url).catch((error: unknown) => {
    throw refuse(describeThrown(error), error);
  })) as { default?: EnvironmentSpec };
  const spec = module.default;
  if (typeof spec !== "object" || spec === null) throw refuse(spec === null ? "null" : typeof spec);
  const wrong = (Object.keys(kinds) as (keyof typeof kinds)[]).find((field) => typeof spec[field] !== kinds[field]);
  if (wrong) throw refuse(`one whose ${wrong} is of the type ${typeof spec[wrong]}, not ${kinds[wrong]}`);
  return spec;
}

/** Of what the gym itself reads. Whether the rest is right is for the conformance suite to say. */
const kinds = {
  id: "string",
  version: "number",
  summary: "string",
  splits: "object",
  maxSteps: "number",
  prompt: "string",
  requirements: "object",
  create: "function",
} as const satisfies { [field in keyof EnvironmentSpec]?: string };

/** In one line, with the place where it was thrown if that is known. */
function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return `the thrown ${String(error)}`;
  const place = /\bfile:\S+:[0-9]+\b/.exec(error.stack ?? "")?.[0];
  const text = `${error.name}: ${error.message}`.replace(/\s*\n\s*/g, " ");
  return place === undefined ? text : `${text} (${place})`;
}
