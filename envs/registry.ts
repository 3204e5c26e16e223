/**
 * Every environment that the gym knows: one line each below, and whatever modules and definitions the host of a gym adds.
 * Server and hosts load the same list, so that a task checked by one is a task known to the other.
 */
import { pathToFileURL } from "node:url";
import type { AnyEnvironmentSpec, EnvironmentFacts, Options, OptionValue, TaskRef, TaskSplit, Tool } from "./env.js";
import { TaskOutOfRange, UnknownEnvironment, UnknownOption, UnknownSplit, UnusableModule } from "./errors.js";

const builtIn: readonly string[] = [
  "./textcraft/index.js",
  "./babyai/index.js",
  "./sciworld/index.js",
  "./memory/index.js",
  "./math/index.js",
];
const builtInAsync: readonly string[] = [
  "./searchqa/index.js",
  "./deepsearch/index.js",
  "./sql/index.js",
  "./webarena/lab/index.js",
  "./webarena/index.js",
  "./miniwob/index.js",
  "./sciworld/jvm/index.js",
  "./math/python/index.js",
  "./workbench/index.js",
  "./desktop/index.js",
];

/** `textcraft@1`: the form in which an environment is pinned, logged and reported. */
export function versionedId(spec: EnvironmentFacts): string {
  return `${spec.id}@${spec.version}`;
}

export class Registry {
  private readonly byName = new Map<string, AnyEnvironmentSpec>();

  /** @param added entries that load the same added environments in another process: definitions as they were read here */
  constructor(
    specs: readonly AnyEnvironmentSpec[],
    readonly added: readonly string[] = [],
  ) {
    for (const spec of specs) this.add(spec);
  }

  /**
   * Built-in environments and those that are added: by the path of a module whose default export is an EnvironmentSpec or
   * an AsyncEnvironmentSpec, by that of a JSON file that defines an environment, or by such a definition's text.
   *
   * @param of which built-in environments are loaded: a host that plays one kind does without the other
   * @throws {UnusableModule}
   */
  static async load(added: readonly string[] = [], of: "both" | "sync" | "async" = "both"): Promise<Registry> {
    const paths = [...(of === "async" ? [] : builtIn), ...(of === "sync" ? [] : builtInAsync)];
    const modules = added.filter((entry) => !isDefinition(entry));
    const urls = [
      ...paths.map((path) => new URL(path, import.meta.url).href),
      ...modules.map((path) => pathToFileURL(path).href),
    ];
    // They are all async.
    const definitions = of === "sync" ? [] : added.filter(isDefinition);
    const [specs, own] = await Promise.all([
      Promise.all(urls.map(loadSpec)),
      Promise.all(definitions.map((entry) => defined(entry, of === "both"))),
    ]);
    const entries = [...modules, ...own.map(({ definition }) => definition)];
    return new Registry([...specs, ...own.map(({ spec }) => spec)], entries);
  }

  /** Each environment in order of registration: its newest version, and after it its engines that have names. */
  list(): AnyEnvironmentSpec[] {
    const specs = new Set(this.byName.values());
    const ids = new Set([...specs].map(({ id }) => id));
    return [...ids].flatMap((id) => {
      const named = [...specs].filter((spec) => spec.id === id && typeof spec.version === "string");
      const newest = this.byName.get(id);
      return newest ? [newest, ...named] : named;
    });
  }

  /**
   * @param name `textcraft` for the newest version, `textcraft@1` for that one, `sciworld@jvm` for an engine with a name
   * @throws {UnknownEnvironment}
   */
  get(name: string): AnyEnvironmentSpec {
    const spec = this.byName.get(name);
    if (!spec) throw new UnknownEnvironment(name, [...this.byName.keys()]);
    return spec;
  }

  private add(spec: AnyEnvironmentSpec): void {
    const name = versionedId(spec);
    if (this.byName.has(name)) {
      const remedy = "Give one of them another id: a task file's environment is called as the file";
      throw new UnusableModule("each environment once", `${name} twice. ${remedy}`);
    }
    this.byName.set(name, spec);
    if (typeof spec.version === "string") return;
    const newest = this.byName.get(spec.id);
    if (!newest || Number(newest.version) < spec.version) this.byName.set(spec.id, spec);
  }
}

/** How many tasks a split has, for people; `any seed` where every seed that there is makes one. */
export function countOf({ size }: Pick<TaskSplit, "size">): string {
  return size >= Number.MAX_SAFE_INTEGER ? "any seed" : size.toLocaleString("en-US");
}

/** The split that is meant where none is named. */
export function defaultSplit(spec: EnvironmentFacts): string {
  return Object.keys(spec.splits)[0] as string;
}

/** @throws {UnknownSplit} */
export function findSplit(spec: EnvironmentFacts, name: string): TaskSplit {
  const split = Object.hasOwn(spec.splits, name) ? spec.splits[name] : undefined;
  if (!split) throw new UnknownSplit(spec.id, name, Object.keys(spec.splits));
  return split;
}

/**
 * The entry of a split that `ref` means.
 *
 * @throws {UnknownSplit} @throws {TaskOutOfRange}
 */
export function checkTask(spec: EnvironmentFacts, ref: TaskRef): TaskRef {
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
export function fillOptions(spec: EnvironmentFacts, asked: Options): Options {
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
export function promptOf(spec: EnvironmentFacts, options: Options): string {
  return chosen(spec, options).find(({ prompt }) => prompt !== undefined)?.prompt ?? spec.prompt;
}

/** What an agent that plays with these options can call; empty where actions are text alone. */
export function toolsOf(spec: EnvironmentFacts, options: Options): readonly Tool[] {
  return chosen(spec, options).find(({ tools }) => tools !== undefined)?.tools ?? spec.tools ?? [];
}

/** The lowest and the highest reward of a step with these options. */
export function rewardRangeOf(spec: EnvironmentFacts, options: Options): readonly [number, number] {
  return chosen(spec, options).find(({ rewardRange }) => rewardRange !== undefined)?.rewardRange ?? spec.rewardRange;
}

function chosen(spec: EnvironmentFacts, options: Options): OptionValue[] {
  return Object.entries(options).map(([name, value]) => spec.options?.[name]?.values[value] as OptionValue);
}

async function loadSpec(url: string): Promise<AnyEnvironmentSpec> {
  const refuse = (received: string, cause?: unknown) =>
    new UnusableModule(`${url} to export an EnvironmentSpec as its default`, received, cause);
  const module = (await import(url).catch((error: unknown) => {
    throw typeScriptRefused(url, error) ?? refuse(describeThrown(error), error);
  })) as { default?: AnyEnvironmentSpec };
  const spec = module.default;
  if (typeof spec !== "object" || spec === null) throw refuse(spec === null ? "null" : typeof spec);
  for (const [field, kind] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    const type = typeof spec[field];
    if (!kind.split(" or ").includes(type)) throw refuse(`one whose ${field} is of the type ${type}, not ${kind}`);
  }
  const { isAsync, restore }: EnvironmentFacts & { isAsync?: boolean } = spec;
  if (isAsync && restore === "clone") throw refuse("an async one that says restore: clone");
  return spec;
}

function isDefinition(entry: string): boolean {
  return entry.startsWith("{") || entry.endsWith(".json");
}

/** @param isFirst whether the files and servers that it names are checked, or another process of the gym did so */
async function defined(entry: string, isFirst: boolean): Promise<{ spec: AnyEnvironmentSpec; definition: string }> {
  // Loaded where it is needed: no host thread ever does.
  const { customEnvironment } = await import("./custom/index.js");
  try {
    return await customEnvironment(entry, isFirst);
  } catch (error) {
    throw new UnusableModule("an environment that can be made", (error as Error).message, error);
  }
}

const typeScriptCodes: ReadonlyMap<string | undefined, string> = new Map([
  ["ERR_UNKNOWN_FILE_EXTENSION", "TypeScript, which this Node does not load (22.18 and 23.6 are the first that do)"],
  ["ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX", "syntax that Node cannot strip, such as an enum"],
  ["ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING", "TypeScript below node_modules, which Node does not load"],
]);

/** Where the cause is TypeScript as such, and compiling the remedy. */
function typeScriptRefused(url: string, error: unknown): UnusableModule | undefined {
  if (!/\.[cm]?tsx?$/.test(url)) return undefined;
  const received = typeScriptCodes.get((error as NodeJS.ErrnoException).code);
  if (received === undefined) return undefined;
  const compiled = url.replace(/\.([cm]?)tsx?$/, ".$1js").replace(/^.*\//, "");
  const remedy = `Compile it, for example with \`npx tsc\`, and name ${compiled}`;
  return new UnusableModule(`a module that Node ${process.version} can load`, `${url}: ${received}. ${remedy}`, error);
}

/** Of what the gym itself reads. Whether the rest is right is for the conformance suite to say. */
const kinds = {
  id: "string",
  version: "number or string",
  summary: "string",
  splits: "object",
  maxSteps: "number",
  prompt: "string",
  requirements: "object",
  create: "function",
} as const satisfies { [field in keyof AnyEnvironmentSpec]?: string };

/** In one line, with the place where it was thrown if that is known. */
function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return `the thrown ${String(error)}`;
  const place = /\bfile:\S+:[0-9]+\b/.exec(error.stack ?? "")?.[0];
  const text = `${error.name}: ${error.message}`.replace(/\s*\n\s*/g, " ");
  return place === undefined ? text : `${text} (${place})`;
}
