/** Start times of each kind of sandbox. */
import { browserBench } from "./browser.js";
import { type ContainersOptions, containers } from "./containers.js";
import type { BenchResult } from "./report.js";

export async function sandboxesBench(options: ContainersOptions): Promise<BenchResult[]> {
  return [...(await containers(options)), ...(await browserBench(options))];
}
