/** Benchmark on the bundled sites. Each episode has its own copy of their data. */
import type { JsonValue, TaskRef } from "../env.js";
import { type Benchmark, hostOf, type Venue } from "../shared/web-tasks/benchmark.js";
import type { WebTask } from "../shared/web-tasks/tasks/web-task.js";
import { Plan, type PlanStep } from "./plan.js";
import { labSites, labUrls } from "./sites/index.js";
import { type LabTask, taskOf } from "./tasks/index.js";
import { openWorld, takeChanges } from "./world.js";

const hosts = labSites.map(({ host }) => host);
const unreachable = `only these sites can be reached: ${labSites.map(({ url }) => url).join(", ")}`;

export const labBenchmark: Benchmark = {
  open: (ref: TaskRef, signal: AbortSignal) => playable(taskOf(ref)).open(ref, signal),
};

/** Creates a benchmark with one task, whose expert follows the task's plan. */
export function playable({ task, plan: steps }: Pick<LabTask, "task" | "plan">): Benchmark {
  return { open: (_, signal) => openVenue(task, steps, signal) };
}

async function openVenue(task: WebTask, steps: readonly PlanStep[], signal: AbortSignal): Promise<Venue> {
  // The pages are loaded only in a process that runs episodes, not in every process that lists environments.
  const { LabServer } = await import("./server.js");
  const world = openWorld();
  const server = await LabServer.open(world);
  const plan = new Plan(steps);
  if (signal.aborted) await server.close();
  signal.throwIfAborted();
  return {
    task,
    sites: labUrls,
    session: { hosts, addresses: Object.fromEntries(hosts.map((host) => [host, server.address])) },
    cookies: labSites.flatMap(({ name, host, login }) =>
      login && task.logins.includes(name) ? [{ ...login, url: `http://${host}` }] : [],
    ),
    refusal: (url) => (hosts.includes(hostOf(url) ?? hosts[0] ?? "") ? undefined : unreachable),
    shown: (text) => text,
    written: (text) => text,
    changes: () => takeChanges(world) as unknown as JsonValue[],
    advise: (shown, viewport) => plan.next(shown, viewport),
    played: (action, shown, viewport) => plan.played(action, shown, viewport),
    close: () => server.close(),
  };
}
