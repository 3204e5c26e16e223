/** The cost of a run: wall time by phase, tokens and episodes. */
import type { MetricName, TrainRecord } from "../metric-names.js";
import type { StoredRun } from "./stored-run.js";

export interface Cost {
  /** Seconds by phase, in the order of a run. Phases that took no time are left out. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly totalSeconds: number;
  readonly trainSteps: number;
  /** Episodes that were learned from or compared with, or left out. */
  readonly episodes: number;
  readonly sampledTokens: number;
  readonly trainedTokens: number;
}

/** Names of the phases of a starting model. */
const startPhases = { experts: "experts' episodes", language: "first observations", cloning: "cloning" } as const;

export function costOf({ records, startSeconds }: Pick<StoredRun, "records" | "startSeconds">): Cost {
  const sum = (name: MetricName) => records.reduce((total, record) => total + (record[name] ?? 0), 0);
  const [step, wait, update] = [sum("timing_s/step"), sum("timing_s/wait"), sum("timing_s/update")];
  const phases = {
    ...Object.fromEntries(
      Object.entries(startPhases).map(([phase, name]) => [name, startSeconds[phase] ?? 0] as const),
    ),
    "waiting for episodes": wait,
    updates: update,
    "weights and checkpoints": Math.max(0, step - wait - update),
    evaluations: sum("timing_s/testing"),
  };
  const seconds = Object.fromEntries(Object.entries(phases).filter(([, value]) => value > 0));
  return {
    seconds,
    totalSeconds: Object.values(seconds).reduce((total, value) => total + value, 0),
    trainSteps: records.at(-1)?.step ?? 0,
    episodes: sum("episode/count") + sum("episode/left_out/count"),
    sampledTokens: Math.round(records.reduce((total, record) => total + sampledIn(record), 0)),
    trainedTokens:
      records.findLast((record) => record["perf/total_num_tokens"] !== undefined)?.["perf/total_num_tokens"] ?? 0,
  };
}

function sampledIn(record: TrainRecord): number {
  return (record["perf/generation_throughput"] ?? 0) * (record["timing_s/step"] ?? 0);
}
