import { browser } from "../../envs/browser/requirement.js";
import type { Requirement } from "../../envs/env.js";
import type { Registry } from "../../envs/registry.js";
import { OperatorError } from "../operator-error.js";

/** Requirements that several environments share, and modules of a user's own may have. */
const shared: readonly Requirement[] = [browser];

/** What `palestra setup` can get, by name. */
export function installables(registry: Registry): Map<string, Required<Requirement>> {
  const requirements = [...shared, ...registry.list().flatMap(({ requirements }) => requirements)];
  return new Map(requirements.filter(isInstallable).map((requirement) => [requirement.name, requirement]));
}

/**
 * `palestra setup`: gets what an environment needs and is not part of Palestra.
 *
 * @param from a file of the user's own to take
 * @throws {OperatorError}
 */
export async function setup(requirement: Required<Requirement>, from: string | undefined): Promise<void> {
  const { name, setUp } = requirement;
  console.log(`Getting ${name} ...`);
  const done = await setUp(from).catch((error: Error) => {
    throw new OperatorError(`${name} to be set up`, error);
  });
  console.log(`Getting ${name}: ${done}`);
}

function isInstallable(requirement: Requirement): requirement is Required<Requirement> {
  return requirement.setUp !== undefined;
}
