import type { Requirement } from "../../envs/env.js";
import type { Registry } from "../../envs/registry.js";
import { OperatorError } from "../operator-error.js";

/** What `palestra setup` can get, by name. */
export function installables(registry: Registry): Map<string, Required<Requirement>> {
  const requirements = registry.list().flatMap(({ requirements }) => requirements);
  return new Map(requirements.filter(isInstallable).map((requirement) => [requirement.name, requirement]));
}

/**
 * `palestra setup`: gets what an environment needs and is not part of Palestra.
 *
 * @param from a file or folder of the user's own to take
 * @param as the name to give to it
 * @throws {OperatorError}
 */
export async function setup(requirement: Required<Requirement>, from: string | undefined, as?: string): Promise<void> {
  const { name, setUp } = requirement;
  console.log(`Getting ${name} ...`);
  const done = await setUp(from, as).catch((error: Error) => {
    throw new OperatorError(`${name} to be set up`, error);
  });
  console.log(`Getting ${name}: ${done}`);
}

function isInstallable(requirement: Requirement): requirement is Required<Requirement> {
  return requirement.setUp !== undefined;
}
