import type { Engine } from "./engine.js";
import { isAbandoned, isOrphaned, sandboxLabel } from "./labels.js";

/** Removes containers and images of ours that nobody needs any more, and containers that the engine made too late. Never rejects: the next time tries again. */
export async function removeOrphans(engine: Engine): Promise<void> {
  const { docker } = engine;
  const filters = { label: [sandboxLabel] };
  const now = Date.now();
  try {
    const containers = await engine.call("to list containers", () => docker.listContainers({ all: true, filters }));
    await Promise.all(
      containers
        .filter(({ Labels }) => isOrphaned(Labels, now) || isAbandoned(Labels))
        .map(({ Id }) => gone(engine, () => docker.getContainer(Id).remove({ force: true, v: true }))),
    );
    const images = await engine.call("to list images", () => docker.listImages({ filters }));
    for (const { Id, Labels } of images)
      if (isOrphaned(Labels ?? {}, now)) await gone(engine, () => docker.getImage(Id).remove({ force: true }));
  } catch {
    // The engine does not answer.
  }
}

async function gone(engine: Engine, remove: () => Promise<unknown>): Promise<void> {
  await engine.call("to remove what a gym has left", remove).catch(() => {});
}
