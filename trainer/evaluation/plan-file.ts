/**
 * The plan of an evaluation's newest run: `plan.json` in its folder, written before the first episode. The gym reads it to
 * tell the progress (server/runs/plan-file.ts), since the report with these figures is written at the end.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface PlannedRun {
  /** Number of episodes that the run asks for. */
  readonly episodes: number;
  /** Samples of each task. */
  readonly k: number;
  /** Episodes of the plan that earlier runs have finished. */
  readonly finished: number;
  /** Records in `episodes.jsonl` before this run. */
  readonly records: number;
}

/** @throws errors of the file system */
export function writePlan(folder: string, plan: PlannedRun): void {
  const path = join(folder, "plan.json");
  writeFileSync(`${path}.new`, `${JSON.stringify({ ...plan, startedAt: new Date().toISOString() })}\n`);
  renameSync(`${path}.new`, path);
}
