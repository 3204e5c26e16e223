/**
 * The registry of environments: the built-in environments, and the modules and definitions that an operator adds. The
 * server and its hosts load the same environments, so every host knows each task that the server accepts.
 */
import { pathToFileURL } from "node:url";
import { type Load, loadSpec } from "./contract/spec-module.js";
import { withStrayOutput } from "./contract/stray-output.js";
import type { AnyEnvironmentSpec, EnvironmentFacts, Options, OptionValue, TaskRef, TaskSplit, Tool } from "./env.js";
import { TaskOutOfRange, UnknownEnvironment, UnknownOption, UnknownSplit, UnusableModule } from "./errors.js";

/** Loads each synchronous environment by its id, by imports that the build can follow. */
const builtIn: Readonly<Record<string, Load>> = {
  textcraft: () => import("./textcraft/index.js"),
  "textcraft-pair": () => import("./textcraft/pair/index.js"),
  babyai: () => import("./babyai/index.js"),
  sciworld: () => import("./sciworld/index.js"),
  memory: () => import("./memory/index.js"),
  math: () => import("./math/index.js"),
  service: () => import("./service/index.js"),
  bargain: () => import("./bargain/index.js"),
  delegate: () => import("./delegate/index.js"),
  assistant: () => import("./assistant/index.js"),
};

/**
 * Loads the async environments by their group. The environments of a group share a process, so one that hangs or ends it takes
 * the others along. An environment that computes much, or whose episodes cannot be restored, is apart from those it could hurt.
 */
const builtInAsync: Readonly<Record<string, readonly Load[]>> = {
  search: [() => import("./searchqa/index.js"), () => import("./deepsearch/index.js")],
  sql: [() => import("./sql/index.js")],
  tau2: [
    () => import("./tau2/airline/index.js"),
    () => import("./tau2/retail/index.js"),
    () => import("./tau2/mock/index.js"),
  ],
  "webarena-lab": [() => import("./webarena-lab/index.js")],
  webarena: [() => import("./webarena/index.js")],
  miniwob: [() => import("./miniwob/index.js")],
  jvm: [() => import("./sciworld/jvm/index.js")],
  python: [() => import("./math/python/index.js")],
  machines: [() => import("./workbench/index.js"), () => import("./desktop/index.js")],
};

/** Group of the environments of definitions and mounts. */
const addedGroup = "definitions";

/** Returns the id with the version, such as `textcraft@1`, which logs and reports use and which pins an environment. */
export function versionedId(spec: EnvironmentFacts): string {
  return `${spec.id}@${spec.version}`;
}

export class Registry {
  private readonly byName = new Map<string, AnyEnvironmentSpec>();
  /** Ids for which `provide` was called. */
  private readonly provided = new Set<string>();

  /**
   * @param moduleOfSpec path of the module that each environment of an added module comes from
   * @param definitions texts of the added definitions
   * @param groups built-in async environments by their group
   */
  constructor(
    specs: readonly AnyEnvironmentSpec[],
    private readonly moduleOfSpec: ReadonlyMap<AnyEnvironmentSpec, string> = new Map(),
    readonly definitions: readonly string[] = [],
    private readonly groups: ReadonlyMap<AnyEnvironmentSpec, string> = new Map(),
  ) {
    for (const spec of specs) this.add(spec);
  }

  /**
   * Loads the built-in environments and the added environments. An added entry is the path of a module, the path of a
   * JSON definition, a JSON definition as text, or a mount as the JSON text `{"mount": "NAME=TARGET"}`. The default export of a module is an EnvironmentSpec or an
   * AsyncEnvironmentSpec.
   *
   * @param of environments to load: all, the added ones alone, or the added ones and a group of built-in async ones
   * @throws {UnusableModule}
   */
  static async load(
    added: readonly string[] = [],
    of: "both" | "added" | { group: string } = "both",
  ): Promise<Registry> {
    const loads = loadsOf(of);
    const modules = added.filter((entry) => !isDefinition(entry));
    const definitions = added.filter(isDefinition);
    const [standard, foreign, own] = await Promise.all([
      Promise.all(loads.map(([, load]) => loadBuiltIn(load))),
      withStrayOutput(() => Promise.all(modules.map((path) => loadModule(pathToFileURL(path).href)))),
      Promise.all(definitions.map((entry) => defined(entry, of === "both"))),
    ]);
    const moduleOfSpec = new Map(foreign.map((spec, i) => [spec, modules[i] as string]));
    const specs = [...standard, ...foreign, ...own.map(({ spec }) => spec)];
    checkOwnNames(
      own.filter(({ isMount }) => !isMount).map(({ spec }) => spec.id),
      [...standard, ...foreign].map(({ id }) => id),
    );
    checkMountNames(
      specs,
      own.filter(({ isMount }) => isMount).map(({ spec }) => spec.id),
    );
    return new Registry(
      specs,
      moduleOfSpec,
      own.map(({ definition }) => definition),
      new Map(standard.map((spec, i) => [spec, loads[i]?.[0] as string])),
    );
  }

  /** Returns the group of an async environment, whose members share a process. @throws {Error} for one of an added module */
  groupOf(spec: AnyEnvironmentSpec): string {
    if (this.moduleOfSpec.has(spec)) throw new Error(`expected an environment of the gym, but received ${spec.id}`);
    return this.groups.get(spec) ?? addedGroup;
  }

  /** Returns the definitions that the process of a group needs. */
  definitionsOf(group: string): readonly string[] {
    return group === addedGroup ? this.definitions : [];
  }

  /** Paths of the added modules. */
  get modules(): string[] {
    return [...this.moduleOfSpec.values()];
  }

  /** Returns the path of the added module that the environment comes from, or undefined for any other environment. */
  moduleOf(spec: AnyEnvironmentSpec): string | undefined {
    return this.moduleOfSpec.get(spec);
  }

  /**
   * Returns the environments in order of registration: the newest version of each environment, followed by its named
   * engines.
   */
  list(): AnyEnvironmentSpec[] {
    const specs = new Set(this.byName.values());
    const ids = new Set([...specs].map(({ id }) => id));
    return [...ids].flatMap((id) => {
      const named = [...specs].filter((spec) => spec.id === id && typeof spec.version === "string");
      const newest = this.byName.get(id);
      return newest ? [newest, ...named] : named;
    });
  }

  /** Returns all environments, in all versions. */
  all(): AnyEnvironmentSpec[] {
    return [...new Set(this.byName.values())];
  }

  /** @param name see `get` */
  has(name: string): boolean {
    return this.byName.has(name);
  }

  /**
   * @param name `textcraft` for the newest version, `textcraft@1` for version 1, `sciworld@jvm` for a named engine
   * @throws {UnknownEnvironment}
   */
  get(name: string): AnyEnvironmentSpec {
    const spec = this.byName.get(name);
    if (!spec) throw new UnknownEnvironment(name, [...this.byName.keys()]);
    return spec;
  }

  /**
   * Whether `provide` may find the environment. Only a registry of added environments lacks any.
   *
   * @param name `textcraft@1` for version 1
   */
  lacks(name: string): boolean {
    const id = idIn(name);
    return !this.byName.has(name) && !this.provided.has(id) && Object.hasOwn(builtIn, id);
  }

  /** Loads the built-in synchronous environment with this id, for hosts, which load each before its first episode. */
  async provide(name: string): Promise<void> {
    const id = idIn(name);
    const spec = await loadBuiltIn(builtIn[id] as Load);
    this.provided.add(id);
    if (!this.byName.has(versionedId(spec))) this.add(spec);
  }

  private add(spec: AnyEnvironmentSpec): void {
    const name = versionedId(spec);
    if (this.byName.has(name)) {
      throw repeated(name);
    }
    this.byName.set(name, spec);
    if (typeof spec.version === "string") return;
    const newest = this.byName.get(spec.id);
    if (!newest || Number(newest.version) < spec.version) this.byName.set(spec.id, spec);
  }
}

/** Returns the number of tasks in a split as text, or `any seed` if every seed is a task. */
export function countOf({ size }: Pick<TaskSplit, "size">): string {
  return size >= Number.MAX_SAFE_INTEGER ? "any seed" : size.toLocaleString("en-US");
}

/** Returns the name of the split of a task that names none. */
export function defaultSplit({ splits, defaultSplit: named }: EnvironmentFacts): string {
  return named ?? (Object.keys(splits)[0] as string);
}

/** @throws {UnknownSplit} */
export function findSplit(spec: EnvironmentFacts, name: string): TaskSplit {
  const split = Object.hasOwn(spec.splits, name) ? spec.splits[name] : undefined;
  if (!split) throw new UnknownSplit(spec.id, name, Object.keys(spec.splits));
  return split;
}

/**
 * Checks that a task exists, and returns a copy of its reference.
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
 * Checks the given options, and adds the default values of all other options.
 *
 * @param split split of the task, which may have defaults of its own
 * @throws {UnknownOption}
 */
export function fillOptions(spec: EnvironmentFacts, asked: Options, split?: string): Options {
  const options = spec.options ?? {};
  const ofSplit = (split !== undefined && findSplit(spec, split).options) || {};
  for (const name of Object.keys(asked)) expectOption(spec, name);
  const filled = Object.entries(options).map(([name, { values }]) => {
    const value = (Object.hasOwn(asked, name) ? asked[name] : (ofSplit[name] ?? Object.keys(values)[0])) as string;
    optionValue(spec, name, value);
    return [name, value];
  });
  return Object.fromEntries(filled);
}

/**
 * Returns the options of an episode that the environment still has. The environment may have lost an option or a value
 * since the episode was opened.
 */
export function knownOptions(spec: EnvironmentFacts, options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => spec.options?.[name]?.values[value]));
}

/** Returns the names of the seats in the order of play, or undefined if the environment has one player. */
export function seatsOf({ seats }: EnvironmentFacts): readonly string[] | undefined {
  return seats && Object.keys(seats);
}

/**
 * Returns the instructions for an agent that plays with these options.
 *
 * @param seat seat of the agent, if the environment has seats
 * @throws {UnknownOption}
 */
export function promptOf(spec: EnvironmentFacts, options: Options, seat?: string): string {
  const own = seat === undefined ? undefined : spec.seats?.[seat]?.prompt;
  if (own !== undefined) return own;
  return chosen(spec, options).find(({ prompt }) => prompt !== undefined)?.prompt ?? spec.prompt;
}

/**
 * Returns the tools for an agent that plays with these options. The list is empty if actions are text only.
 *
 * @param seat seat of the agent, if the environment has seats
 * @throws {UnknownOption}
 */
export function toolsOf(spec: EnvironmentFacts, options: Options, seat?: string): readonly Tool[] {
  const own = seat === undefined ? undefined : spec.seats?.[seat]?.tools;
  if (own) return own;
  return chosen(spec, options).find(({ tools }) => tools !== undefined)?.tools ?? spec.tools ?? [];
}

/** Returns the lowest and the highest reward of a step with these options. @throws {UnknownOption} */
export function rewardRangeOf(spec: EnvironmentFacts, options: Options): readonly [number, number] {
  return chosen(spec, options).find(({ rewardRange }) => rewardRange !== undefined)?.rewardRange ?? spec.rewardRange;
}

function chosen(spec: EnvironmentFacts, options: Options): OptionValue[] {
  return Object.entries(options).map(([name, value]) => optionValue(spec, name, value));
}

/** @throws {UnknownOption} */
function expectOption(spec: EnvironmentFacts, name: string): void {
  const known = spec.options ?? {};
  if (!Object.hasOwn(known, name)) throw new UnknownOption(`the options of ${spec.id}`, name, Object.keys(known));
}

/** @throws {UnknownOption} */
function optionValue(spec: EnvironmentFacts, name: string, value: string): OptionValue {
  expectOption(spec, name);
  const values = spec.options?.[name]?.values ?? {};
  if (Object.hasOwn(values, value)) return values[value] as OptionValue;
  throw new UnknownOption(`the values of ${spec.id}'s option ${name}`, value, Object.keys(values));
}

/** Returns the loads of built-in environments, each with the name of its group, which is of use for async ones alone. */
function loadsOf(of: "both" | "added" | { group: string }): [group: string, load: Load][] {
  if (of === "added") return [];
  const groups = Object.entries(builtInAsync).filter(([name]) => of === "both" || name === of.group);
  const async = groups.flatMap(([name, loads]) => loads.map((load): [string, Load] => [name, load]));
  return of === "both" ? [...Object.entries(builtIn), ...async] : async;
}

function idIn(name: string): string {
  return name.split("@", 1)[0] as string;
}

function loadBuiltIn(load: Load): Promise<AnyEnvironmentSpec> {
  return loadSpec("a built-in environment", load);
}

function loadModule(url: string): Promise<AnyEnvironmentSpec> {
  return loadSpec(url, () => import(url));
}

function isDefinition(entry: string): boolean {
  return entry.startsWith("{") || entry.endsWith(".json");
}

interface Defined {
  spec: AnyEnvironmentSpec;
  /** JSON text from which another process builds the same environment. */
  definition: string;
  isMount: boolean;
}

/**
 * Builds the environment of a definition or a mount. @param isFirst true to check the files and servers that a definition
 * names; false if another process has checked them
 */
async function defined(entry: string, isFirst: boolean): Promise<Defined> {
  const isMount = entry.startsWith('{"mount":');
  try {
    // Imported on demand, since host threads never need them.
    if (isMount) return { ...(await (await import("./mounted/index.js")).mountedEnvironment(entry)), isMount };
    const { customEnvironment } = await import("./custom/index.js");
    return { ...(await customEnvironment(entry, isFirst)), isMount };
  } catch (error) {
    const wanted = isMount ? "a mount" : "a definition";
    throw new UnusableModule(`${wanted} from which an environment can be built`, (error as Error).message, error);
  }
}

/** Checks that no definition has the id of a built-in environment or of a module's, whatever their versions. */
function checkOwnNames(own: readonly string[], others: readonly string[]): void {
  const taken = own.find((id) => others.includes(id));
  if (taken !== undefined) throw repeated(taken);
}

function repeated(name: string): UnusableModule {
  const remedy = "Change the id of one of them: by default, an environment of a task file is named after the file";
  return new UnusableModule("each environment once", `${name} twice. ${remedy}`);
}

/**
 * Checks that no other environment has the id of a mount. The version of a mount is derived from its server, so that the
 * mount could replace a built-in environment as its newest version.
 *
 * @throws {UnusableModule}
 */
function checkMountNames(specs: readonly AnyEnvironmentSpec[], mounts: readonly string[]): void {
  const taken = mounts.find((id) => specs.filter((spec) => spec.id === id).length > 1);
  if (taken === undefined) return;
  throw new UnusableModule("a name for each mount that no other environment has", `${taken}. Choose another name`);
}
