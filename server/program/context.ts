/** Settings, environments and sandboxes that the options of the program select. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { Registry } from "../../envs/registry.js";
import type { Sandboxes } from "../../sandboxes/sandbox.js";
import type { Config } from "../config/config.js";
import type { Settings } from "../config/settings.js";
import { shown } from "../errors.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Exit code after a signal. */
const interrupted = 130;

/**
 * Gives commands what the options of the program select. The modules are loaded on demand, since `palestra --help` needs
 * none of them.
 */
export class Context {
  constructor(private readonly program: Command) {}

  /** @param flags settings that options of a command select */
  async config(flags: Settings = {}): Promise<Config> {
    const settings = await this.withoutOwnTasks(flags);
    const own = this.ownTasks();
    return own === undefined ? settings : { ...settings, environments: [...settings.environments, own] };
  }

  /** Whether no option, setting or import can add an environment or a task to the bundled ones. */
  get isBundled(): boolean {
    const { config, environmentModule, mount, tasks } = this.program.opts<Record<string, unknown>>();
    const options = [config, environmentModule, mount, tasks];
    const imports = join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra");
    const isSet = (name: string) => name.startsWith("PALESTRA_");
    return (
      options.every((option) => option === undefined) && !Object.keys(process.env).some(isSet) && !existsSync(imports)
    );
  }

  async dataDir(): Promise<string> {
    return (await this.withoutOwnTasks()).dataDir;
  }

  /** Returns the data directory and the folders of training runs and evaluations. */
  async folders(): Promise<Pick<Config, "dataDir" | "runs">> {
    return this.withoutOwnTasks();
  }

  async registry(): Promise<Registry> {
    const [{ Registry }, { environments }] = await Promise.all([import("../../envs/registry.js"), this.config()]);
    return Registry.load(environments);
  }

  /** Opens sandboxes, calls `use` with them, and closes them afterwards or at a signal. */
  async withSandboxes<T>(use: (sandboxes: Sandboxes) => Promise<T>): Promise<T> {
    const { openSandboxes } = await import("../hosts/sandboxes.js");
    const sandboxes = openSandboxes(await this.config());
    const interrupt = () => void sandboxes.close().finally(() => process.exit(interrupted));
    for (const signal of signals) process.once(signal, interrupt);
    try {
      return await use(sandboxes);
    } finally {
      for (const signal of signals) process.off(signal, interrupt);
      await sandboxes.close();
    }
  }

  private async withoutOwnTasks(flags: Settings = {}): Promise<Config> {
    const { loadConfig } = await import("../config/settings.js");
    const { config: file, dataDir, environmentModule, mount, log } = this.program.opts<Record<string, string>>();
    const own = { dataDir, environments: environmentModule, mounts: mount, log: { url: log } };
    return loadConfig({ file, env: process.env, flags: { ...own, ...flags } });
  }

  /** Returns the environment of --tasks, --tools and --reward as a setting, or undefined without these options. */
  private ownTasks(): string | undefined {
    const given = this.program.opts<Record<string, string[]>>();
    const [tasks, tools, reward] = ["tasks", "tools", "reward"].map((name) => onlyOne(name, given[name]));
    if (tasks === undefined) {
      const [alone] = Object.entries({ tools, reward }).filter(([, path]) => path !== undefined);
      if (!alone) return undefined;
      throw new InvalidArgumentError(`expected --tasks together with --${alone[0]}, but received no --tasks`);
    }
    const paths = { tasks, ...(tools !== undefined && { tools }), ...(reward !== undefined && { reward }) };
    return JSON.stringify(Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, resolve(path)])));
  }
}

/**
 * Returns the single value of an option. A second value is refused. Otherwise it would silently replace the first
 * value.
 */
function onlyOne(option: string, [path, second]: readonly string[] = []): string | undefined {
  if (path === undefined || second === undefined) return path;
  const remedy = "Serve several environments with definition files";
  throw new InvalidArgumentError(
    `expected a single --${option}, but received ${shown(path)} and ${shown(second)}. ${remedy}`,
  );
}
