/** The benchmark on a test's own sites: its task file and an environment. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { WebArena } from "#palestra/envs/shared/web-tasks/env.js";
import { OfficialBenchmark } from "#palestra/envs/webarena/benchmark.js";
import type { SitesSettings } from "#palestra/envs/webarena/settings.js";
import type { MachineProvider } from "#palestra/sandboxes/sandbox.js";
import { provideForFile } from "../../support/browsers.js";
import { scratchDir } from "../../support/gym.js";

const noMachines = { open: () => Promise.reject(new Error("expected no machine")), close: async () => {} };

/**
 * Saves tasks as the split `test` for one test file. Returns the file's data folder, and a function that opens the
 * benchmark. A test file calls this outside of its tests.
 */
export function officialTasks(tasks: readonly object[]) {
  const folder = scratchDir();
  process.env.XDG_DATA_HOME = folder;
  mkdirSync(join(folder, "palestra/webarena/tasks"), { recursive: true });
  writeFileSync(join(folder, "palestra/webarena/tasks/test.json"), JSON.stringify(tasks));
  const browsers = provideForFile();

  /** Opens the benchmark with a forum at an address. */
  function openBenchmark(url: string, settings: object = {}, others: object = {}) {
    const sites = { reddit: { url, resetAfter: "change", parallel: 1, ...settings }, ...others } as SitesSettings;
    const benchmark = new OfficialBenchmark(noMachines as unknown as MachineProvider, sites);
    const signal = AbortSignal.timeout(120_000);
    const play = async (index: number) => {
      const environment = new WebArena({ sandboxes: { browsers } }, benchmark);
      onTestFinished(() => environment.close());
      const options = { observation: "tree", extent: "viewport", numbers: "order" };
      const { observation } = await environment.reset({ task: { split: "test", index }, seed: 0, options }, signal);
      return { environment, observation, step: (action: string) => environment.step(action, signal) };
    };
    return { play };
  }

  return { folder, openBenchmark };
}

/** Returns the number of an element, such as `link 'Next'`. */
export const idOf = (observation: string, element: string) =>
  new RegExp(`\\[(\\d+)\\] ${element}`).exec(observation)?.[1];
