/** How fast sandboxes of each kind are ready. */
import { browserBench } from "./browser.js";
import type { BenchResult } from "./report.js";

export interface SandboxesBenchOptions {
  /** Sandboxes of each kind that are measured. */
  rounds: number;
}

export async function sandboxesBench(options: SandboxesBenchOptions): Promise<BenchResult[]> {
  return [...(await browserBench(options))];
}
