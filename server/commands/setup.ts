import { browser } from "../../envs/browser/requirement.js";
import type { Progress, Requirement, SetUpChoices } from "../../envs/env.js";
import type { Registry } from "../../envs/registry.js";
import type { OnProgress } from "../../sandboxes/docker/debian-image.js";
import { engineAddresses } from "../../sandboxes/docker/endpoint.js";
import type { Engine } from "../../sandboxes/docker/engine.js";
import type { Config } from "../config.js";
import { OperatorError } from "../operator-error.js";
import { ProgressLine } from "../progress-line.js";

/** Installs a requirement or an image, and returns a sentence for the user. @throws {Error} if that fails */
type Installable = NonNullable<Requirement["setUp"]>;

/** Requirements that several environments share. Environments in the user's own modules may use them too. */
const shared: readonly Requirement[] = [browser];

/** Returns everything that `palestra setup` can install, by name: requirements of environments, and sandbox images. */
export function installables(registry: Registry, config: Pick<Config, "sandboxes">): Map<string, Installable> {
  const known = new Map<string, Installable>();
  const requirements = [...shared, ...registry.list().flatMap((spec) => spec.requirements)];
  for (const { name, setUp } of requirements) if (setUp) known.set(name, setUp);
  known.set("images", async (choices) => {
    const { makeBaseImage } = await import("../../sandboxes/docker/debian-image.js");
    return atEachEngine(config, (engine, onProgress) => makeBaseImage(engine, onProgress, choices?.from));
  });
  return known.set("desktop", async (choices) => {
    const { makeDesktopImage } = await import("../../sandboxes/docker/debian-image.js");
    return atEachEngine(config, (engine, onProgress) => makeDesktopImage(engine, onProgress, choices?.from));
  });
}

/**
 * Implements `palestra setup`: installs a requirement of an environment or sandbox. @throws {OperatorError} if that fails
 */
export async function setup(name: string, setUp: Installable, choices: SetUpChoices): Promise<void> {
  console.log(`Getting ${name} ...`);
  let line: ProgressLine | undefined;
  const progress: Progress = (fraction, doing) => {
    line ??= new ProgressLine(name);
    line.show(fraction, doing);
  };
  try {
    const done = await setUp(choices, progress);
    line?.end();
    console.log(`Getting ${name}: ${done}`);
  } catch (error) {
    line?.end();
    throw new OperatorError(`the setup of ${name} to succeed`, error);
  }
}

/** Builds an image in each Docker engine. Returns one line for the user. */
async function atEachEngine(
  { sandboxes }: Pick<Config, "sandboxes">,
  make: (engine: Engine, onProgress: OnProgress) => Promise<string>,
): Promise<string> {
  const { Engine } = await import("../../sandboxes/docker/engine.js");
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
