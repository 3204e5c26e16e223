/** The plan of an evaluation's newest run (trainer/evaluation/plan-file.ts), and how far the run is. */
import { readObject } from "./folders.js";

export const planFile = "plan.json";

const mostBytes = 2 ** 16;
const counts = ["episodes", "k", "finished", "records"] as const;

export interface Plan extends Readonly<Record<(typeof counts)[number], number>> {
  readonly startedMs: number;
}

export interface Progress {
  /** Episodes of the plan that are played, lost ones included. */
  readonly done: number;
  readonly planned: number;
  /** Seconds until the run ends, at the rate that it had so far; null before its first episode. */
  readonly secondsLeft: number | null;
}

/** Reads the plan; undefined if there is none. @throws {GymError} RUN_DAMAGED */
export async function readPlan(path: string): Promise<Plan | undefined> {
  const found = await readObject(path, [planFile], mostBytes);
  const startedMs = Date.parse(String(found?.startedAt));
  if (!found || Number.isNaN(startedMs) || !counts.every((name) => isCount(found[name]))) return undefined;
  const { episodes, k, finished, records } = found as Record<(typeof counts)[number], number>;
  return { episodes, k, finished, records, startedMs };
}

/**
 * @param records records in the file of episodes
 * @param updatedMs time of the newest record
 */
export function progressOf(plan: Plan, records: number, updatedMs: number): Progress {
  const played = Math.max(0, records - plan.records);
  const done = Math.min(plan.episodes, plan.finished + played);
  const perEpisode = played > 0 ? Math.max(0, updatedMs - plan.startedMs) / played : null;
  const secondsLeft = perEpisode === null ? null : (perEpisode * (plan.episodes - done)) / 1_000;
  return { done, planned: plan.episodes, secondsLeft };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
