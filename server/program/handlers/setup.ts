import type { Progress, Requirement, SetUpChoices } from "../../../envs/env.js";
import type { Registry } from "../../../envs/registry.js";
import { browser } from "../../../envs/shared/browser/requirement.js";
import type { OnProgress } from "../../../sandboxes/docker/debian-image.js";
import { engineAddresses } from "../../../sandboxes/docker/endpoint.js";
import type { Engine } from "../../../sandboxes/docker/engine.js";
import type { Config } from "../../config/config.js";
import { OperatorError } from "../../config/operator-error.js";
import { ProgressLine } from "../terminal/progress-line.js";
import { tableOf } from "../terminal/table.js";

/** Installs a requirement or an image, and returns a sentence for the user. @throws {Error} if that fails */
type Installable = NonNullable<Requirement["setUp"]>;

/** Requirements that several environments share. Environments in the user's own modules may use them too. */
const shared: readonly Requirement[] = [browser];

/** Returns everything that `palestra setup` can install, by name: requirements of environments, and sandbox images. */
export function installables(registry: Registry, config: Pick<Config, "sandboxes">): Map<string, Installable> {
  const known = new Map<string, Installable>();
  for (const { name, setUp } of requirementsOf(registry)) if (setUp) known.set(name, setUp);
  known.set("images", async (choices) => {
    const { makeBaseImage } = await import("../../../sandboxes/docker/debian-image.js");
    return atEachEngine(config, (engine, onProgress) => makeBaseImage(engine, onProgress, choices?.from));
  });
  return known.set("desktop", async (choices) => {
    const { makeDesktopImage } = await import("../../../sandboxes/docker/debian-image.js");
    return atEachEngine(config, (engine, onProgress) => makeDesktopImage(engine, onProgress, choices?.from));
  });
}

function requirementsOf(registry: Registry): readonly Requirement[] {
  return [...shared, ...registry.list().flatMap((spec) => spec.requirements)];
}

/** What `palestra setup` can install. */
interface InstallableState {
  readonly name: string;
  /** Null if it cannot be told, as for images, which each Docker engine has for itself. */
  readonly available: boolean | null;
  /** Location, or the reason why it is not available. */
  readonly detail: string;
}

/** Prints everything that can be installed, with its state. */
export async function listInstallables(
  registry: Registry,
  config: Pick<Config, "sandboxes">,
  { json }: { json: boolean },
): Promise<void> {
  const probes = new Map(requirementsOf(registry).map((requirement) => [requirement.name, requirement] as const));
  const states = await Promise.all(
    [...installables(registry, config).keys()].map(async (name): Promise<InstallableState> => {
      const requirement = probes.get(name);
      if (!requirement) return { name, available: null, detail: "an image in each Docker engine" };
      return { name, ...(await requirement.probe()) };
    }),
  );
  if (json) return console.log(JSON.stringify({ installables: states }, null, 2));
  console.log(
    tableOf(["name", "state", "detail"], states, ({ name, available, detail }) => [
      name,
      available === null ? "-" : available ? "there" : "missing",
      detail,
    ]),
  );
}

/**
 * Implements `palestra setup`: installs a requirement of an environment or sandbox. @throws {OperatorError} if that fails
 */
export async function setup(name: string, setUp: Installable, choices: SetUpChoices, json: boolean): Promise<void> {
  if (json) console.error(`Getting ${name} ...`);
  else console.log(`Getting ${name} ...`);
  let line: ProgressLine | undefined;
  const progress: Progress = (fraction, doing) => {
    line ??= new ProgressLine(name);
    line.show(fraction, doing);
  };
  try {
    const done = await setUp(choices, progress);
    line?.end();
    console.log(json ? JSON.stringify({ name, done }) : `Getting ${name}: ${done}`);
  } catch (error) {
    line?.end();
    throw OperatorError.of(`the setup of ${name} to succeed`, error);
  }
}

/** Builds an image in each Docker engine. Returns one line for the user. */
async function atEachEngine(
  { sandboxes }: Pick<Config, "sandboxes">,
  make: (engine: Engine, onProgress: OnProgress) => Promise<string>,
): Promise<string> {
  const { Engine } = await import("../../../sandboxes/docker/engine.js");
  const done: string[] = [];
  for (const address of engineAddresses(sandboxes.engines)) {
    const progress = new ProgressLine(address);
    try {
      done.push(await make(new Engine(address), (fraction, doing) => progress.show(fraction, doing)));
    } finally {
      progress.end();
    }
  }
  return done.join("; ");
}
