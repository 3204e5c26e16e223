/** `palestra train --seeds 1,2,3`: runs of the same settings, one after another, and a report over them. */
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { TrainerError } from "../../../trainer/errors.js";
import type { RunOrigin } from "../../../trainer/report/run-file.js";
import { readRun, type StoredRun } from "../../../trainer/report/study/stored-run.js";
import type { Study } from "../../../trainer/report/study/study.js";
import { recordedSettings } from "../../../trainer/settings/changes.js";
import { checkSettings, type TrainSettings, withoutSecrets } from "../../../trainer/settings/settings.js";
import { expectStartable } from "../../../trainer/start/starting-model.js";
import { printStudy, writeStudy } from "./study-output.js";
import { type TrainEnd, type TrainRequest, trainOnce } from "./train-run.js";

type Failed = Study["failed"][number];

const failedCode = 1;
const stoppedCode = 130;

/**
 * Trains with each seed in a folder of its own. A seed that has ended with the same settings is not trained again, and a
 * seed that fails does not keep the others from training. The report is written after each seed.
 *
 * @returns exit code: 130 if the runs were stopped, 1 if a seed failed
 * @throws {TrainerError} SETTINGS_INVALID: a seed is given twice
 */
export async function trainSeeds(
  settings: TrainSettings,
  seeds: readonly number[],
  request: TrainRequest,
): Promise<number> {
  expectDifferent(seeds);
  const runs = seeds.map((seed) => checkSettings({ ...settings, seed, output: join(settings.output, `seed-${seed}`) }));
  for (const run of runs) await expectStartable(run);
  const failed: Failed[] = [];
  let isStopped = false;
  for (const [at, run] of runs.entries()) {
    const outcome = await trainSeed(run, `seed ${run.seed}, ${at + 1} of ${seeds.length}`, request);
    if (outcome instanceof Error) failed.push({ seed: run.seed, message: outcome.message });
    isStopped = outcome === "stopped";
    if (isStopped) break;
    joined(settings.output, seeds, failed, request.origin);
  }
  const study = joined(settings.output, seeds, failed, request.origin);
  if (study) printStudy(study, settings.output, request.json);
  if (isStopped) return stoppedCode;
  return failed.length > 0 ? failedCode : 0;
}

/** Trains with one seed. @returns the reason for its end, or the error with which it failed */
async function trainSeed(run: TrainSettings, where: string, request: TrainRequest): Promise<TrainEnd["end"] | Error> {
  if (hasEnded(run)) {
    console.error(`${where}: has ended in ${run.output}`);
    return "done";
  }
  console.error(`${where}: training in ${run.output}`);
  try {
    return (await trainOnce(run, { ...request, json: false })).end;
  } catch (error) {
    if (request.signal.aborted) throw error;
    console.error(`${where}: failed: ${(error as Error).message}`);
    return error as Error;
  }
}

function expectDifferent(seeds: readonly number[]): void {
  const twice = seeds.find((seed, at) => seeds.indexOf(seed) !== at);
  if (twice === undefined) return;
  throw new TrainerError("SETTINGS_INVALID", `expected different seeds in --seeds, but received ${twice} twice`);
}

/** Returns whether a run has ended with these settings, by its last train step or its time limit. */
function hasEnded(settings: TrainSettings): boolean {
  const run = readIfThere(settings.output);
  if (run?.end !== "done" && run?.end !== "time") return false;
  const before = JSON.parse(JSON.stringify(recordedSettings(run.settings as TrainSettings)));
  return settings.resume && isDeepStrictEqual(before, recordedSettings(withoutSecrets(settings)));
}

function readIfThere(folder: string): StoredRun | undefined {
  try {
    return readRun(folder, basename(folder));
  } catch {
    return undefined;
  }
}

/** Joins the runs of the seeds that have started. @returns undefined if none has */
function joined(
  folder: string,
  seeds: readonly number[],
  failed: readonly Failed[],
  { command }: RunOrigin,
): Study | undefined {
  const runs = seeds.flatMap((seed) => readIfThere(join(folder, `seed-${seed}`)) ?? []);
  if (runs.length === 0) return undefined;
  return writeStudy(folder, { title: `Training with seeds ${seeds.join(", ")}`, runs, command, failed });
}
