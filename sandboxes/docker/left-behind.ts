/** Removes the containers whose owner, a process of this machine, was killed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SandboxError } from "../sandbox.js";
import { engineAddresses } from "./endpoint.js";
import { Engine } from "./engine.js";
import { belongsTo, sandboxLabel } from "./labels.js";

/** Milliseconds between two looks at an engine: first and longest. */
const [firstMs, longestMs] = [100, 5_000];

/**
 * Removes the containers of a process that has ended, and resolves when no engine has one. An engine that does not exist has
 * none. Never rejects.
 *
 * @param engines addresses as in `DockerProviderOptions`
 */
export async function removeContainersOf(pid: number, engines: readonly string[]): Promise<void> {
  await Promise.all(engineAddresses(engines).map((address) => removeAt(address, pid)));
}

async function removeAt(address: string, pid: number): Promise<void> {
  for (let ms = firstMs; !(await isRid(address, pid)); ms = Math.min(2 * ms, longestMs))
    await sleep(ms, null, { ref: false });
}

/** Removes the containers, and returns whether there were none. */
async function isRid(address: string, pid: number): Promise<boolean> {
  try {
    return (await removeContainers(new Engine(address), (labels) => belongsTo(labels, pid))) === 0;
  } catch (error) {
    return ["MISSING", "REFUSED"].includes((error as SandboxError).code);
  }
}

/**
 * Removes the containers of gyms with unwanted labels. A removal that fails is ignored, since the engine may be removing the
 * container already.
 *
 * @returns the number of these containers
 * @throws {SandboxError} the engine did not list its containers
 */
export async function removeContainers(
  engine: Engine,
  isUnwanted: (labels: Readonly<Record<string, string>>) => boolean,
): Promise<number> {
  const { docker } = engine;
  const filters = { label: [sandboxLabel] };
  const all = await engine.call("to list containers", () => docker.listContainers({ all: true, filters }));
  const unwanted = all.filter(({ Labels }) => isUnwanted(Labels));
  const remove = (id: string) => docker.getContainer(id).remove({ force: true, v: true });
  await Promise.allSettled(unwanted.map(({ Id }) => engine.call("to remove a container", () => remove(Id))));
  return unwanted.length;
}
