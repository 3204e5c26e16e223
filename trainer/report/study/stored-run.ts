/** A training run as its output folder records it, for reports over one or several runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { didYouMean } from "../../../server/formats/did-you-mean.js";
import { TrainerError } from "../../errors.js";
import type { TrainRecord } from "../metric-names.js";
import { readMetrics } from "../metrics.js";
import { startFile } from "../start-log.js";

type Facts = Readonly<Record<string, unknown>>;

export interface StoredRun {
  /** Name as the caller wrote it. */
  readonly name: string;
  readonly folder: string;
  readonly settings: Facts;
  readonly engine?: Facts | undefined;
  /** Processor, cores and memory. Runs of earlier versions lack this and the next fields. */
  readonly machine?: Facts | undefined;
  readonly versions?: Facts | undefined;
  /** Command line that started the run or resumed it last. */
  readonly command?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | null | undefined;
  /** Reason for the end: `done`, `time` or `stopped`. */
  readonly end?: string | null | undefined;
  readonly records: readonly TrainRecord[];
  /** Seconds of each phase of making the starting model. */
  readonly startSeconds: Readonly<Record<string, number>>;
}

const runFile = "run.json";

/**
 * Reads runs.
 *
 * @param name folder of a run, or of several runs such as the seeds of one command; or its path below one of `roots`
 * @throws {TrainerError} ARGUMENT_INVALID: there is no such run, or its files are damaged
 */
export function readRuns(name: string, roots: readonly string[]): StoredRun[] {
  for (const folder of [name, ...roots.map((root) => join(root, name))]) {
    if (isRun(folder)) return [readRun(folder, name)];
    const inner = runsIn(folder);
    if (name !== "" && inner.length > 0) return inner.map((each) => readRun(join(folder, each), join(name, each)));
  }
  const known = roots.flatMap(runsIn);
  const places = roots.length > 0 ? `, or its name in ${roots.join(" or ")}` : "";
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected the folder of a training run${places}, but received ${JSON.stringify(name)}${didYouMean(name, known)}`,
  );
}

/** Reads the run in a folder. @throws {TrainerError} ARGUMENT_INVALID */
export function readRun(folder: string, name = folder): StoredRun {
  try {
    const facts = JSON.parse(readFileSync(join(folder, runFile), "utf8")) as Omit<StoredRun, "records">;
    const path = join(folder, "metrics.jsonl");
    const records = existsSync(path) ? readMetrics(path) : [];
    return { ...facts, settings: facts.settings ?? {}, name, folder, records, startSeconds: startSeconds(folder) };
  } catch (error) {
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected the files of a training run in ${resolve(folder)}, but received: ${(error as Error).message}`,
    );
  }
}

/**
 * Returns the seconds of each phase in the log of the start: from the end of the phase before, or from the phase's first
 * line, to its last one.
 */
export function startSeconds(folder: string): Record<string, number> {
  const path = join(folder, startFile);
  const seconds: Record<string, number> = {};
  let before: number | undefined;
  for (const line of existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []) {
    const { time, phase } = eventOf(line) ?? {};
    // A run that is starting may be writing the last line.
    if (time === undefined || phase === undefined) continue;
    seconds[phase] = (seconds[phase] ?? 0) + Math.max(0, time - (before ?? time));
    before = time;
  }
  return seconds;
}

function eventOf(line: string): { readonly time: number; readonly phase: string } | undefined {
  try {
    return JSON.parse(line) as { time: number; phase: string };
  } catch {
    return undefined;
  }
}

function isRun(folder: string): boolean {
  return folder !== "" && existsSync(join(folder, runFile));
}

/** Returns the names of the runs in a folder; seeds are in the order of their numbers. */
function runsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && isRun(join(folder, entry.name)));
  const inOrder = new Intl.Collator("en", { numeric: true }).compare;
  return names.map(({ name }) => basename(name)).sort(inOrder);
}
