/** Folders of training runs with evaluations, written with the trainer's own writers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { MetricsLog } from "#palestra/trainer/report/metrics.js";
import { type RunFacts, writeRunFile } from "#palestra/trainer/report/run-file.js";
import { evaluationRecord } from "#palestra/trainer/report/study/evaluation-record.js";
import { checkSettings, type TrainSettings } from "#palestra/trainer/settings/settings.js";
import { recordAt } from "./train-records.js";

/** Results of the episodes of each task set: `1101-`, for each evaluation. */
export type Evaluations = Readonly<Record<string, readonly string[]>>;

export interface StudyRunOptions {
  readonly settings?: Partial<TrainSettings>;
  readonly end?: RunFacts["end"];
  readonly origin?: RunFacts["origin"];
  /** Metrics of each train step, besides those of `recordAt`. */
  readonly metrics?: (step: number) => Partial<TrainRecord>;
}

/** Train steps between two evaluations. */
const every = 2;

/** Writes a run of a seed with its evaluations, after train steps 0, 2, 4 and so on. @returns its folder */
export function writeStudyRun(folder: string, seed: number, sets: Evaluations, options: StudyRunOptions = {}): string {
  const settings = checkSettings({
    ...{ output: folder, seed, eval_tasks: Object.keys(sets), train_tasks: ["textcraft:train"], clone_episodes: 5 },
    ...options.settings,
  });
  mkdirSync(folder, { recursive: true });
  const log = new MetricsLog(join(folder, "metrics.jsonl"));
  const count = Math.max(...Object.values(sets).map(({ length }) => length));
  for (let at = 0; at < count; at++) {
    const scores = Object.entries(sets).map(([name, evaluations]) => scoreOf(name, evaluations[at] ?? ""));
    log.write(evaluationRecord({ trainStep: at * every, scores, seconds: 3 }) as TrainRecord);
    const steps = at < count - 1 ? [at * every + 1, at * every + 2] : [];
    for (const step of steps) log.write(recordAt(step, { ...timing, ...options.metrics?.(step) }));
  }
  log.close();
  const lines = [
    { time: 100, phase: "experts", done: 1, total: 5 },
    { time: 104, phase: "experts", done: 5, total: 5 },
    { time: 110, phase: "cloning", done: 9, total: 9 },
  ];
  writeFileSync(join(folder, "start.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { end = "done", origin = { command: `palestra train --seed ${seed}`, versions: { palestra: "9.9.9" } } } =
    options;
  writeRunFile({ settings, engine: { device: "cpu" }, origin, hasEnded: true, end });
  return folder;
}

const timing: Partial<TrainRecord> = {
  ...{ "timing_s/step": 10, "timing_s/wait": 6, "timing_s/update": 3, "episode/count": 8 },
  ...{ "perf/generation_throughput": 50, "perf/total_num_tokens": 1234 },
};

function scoreOf(name: string, solved: string) {
  const played = [...solved].filter((one) => one !== "-");
  const success = played.filter((one) => one === "1").length / played.length;
  const outcomes = { tasks: [...solved].map((_, at) => at), solved };
  const [environment = ""] = name.split(":");
  return {
    ...{ name, environment, episodes: played.length, success, score: success, rounds: 2 },
    ...{ failed: solved.length - played.length, outcomes },
  };
}
