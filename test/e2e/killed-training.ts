/** Training runs in their own processes, which are killed and restarted, and a comparison of their results. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Exit, type ServerProcess, startNode } from "../support/server-process.js";

export interface Run {
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
}

/** A moment of a run, recognised by its output and files so far. */
export type Moment = (process: ServerProcess, folder: string) => boolean;

export const said =
  (pattern: RegExp): Moment =>
  ({ stderr }) =>
    pattern.test(stderr);

/** The moment when a checkpoint is being written. */
export const savesCheckpoint: Moment = (_, folder) => unfinished(folder).length > 0;

export function unfinished(folder: string): string[] {
  const checkpoints = join(folder, "checkpoints");
  return existsSync(checkpoints) ? readdirSync(checkpoints).filter((name) => name.startsWith(".step-")) : [];
}

export function startTraining({ folder, settings, env = {} }: Run): ServerProcess {
  const file = `${folder}.yaml`;
  writeFileSync(file, stringify({ ...settings, output: folder }));
  return startNode(["dist/server/program/cli.js", "train", file], { env });
}

export async function trainToTheEnd(run: Run): Promise<string> {
  const training = startTraining(run);
  const exit = await training.exited;
  if (exit.code !== 0)
    throw new Error(`expected exit code 0, but received ${JSON.stringify(exit)}: ${training.stderr}`);
  return training.stderr;
}

/** Waits for the moment or the end of the run. */
export async function reach(training: ServerProcess, folder: string, moment: Moment): Promise<void> {
  while (training.running && !moment(training, folder)) await pause(1);
}

/** Starts a run and kills it some milliseconds after the moment. @returns the signal, or the exit code if it ended before */
export async function killTraining(run: Run, moment: Moment, delayMs: number): Promise<Exit & { stderr: string }> {
  const training = startTraining(run);
  await reach(training, run.folder, moment);
  if (training.running) await pause(delayMs);
  const exit = await training.kill();
  return { ...exit, stderr: training.stderr };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns the result of a run without values that depend on the clock. */
export function outcomeOf(folder: string) {
  const newest = readdirSync(join(folder, "checkpoints"))
    .filter((name) => name.startsWith("step-"))
    .sort()
    .at(-1);
  const checkpoint = join(folder, "checkpoints", newest ?? "none");
  const state = readFileSync(join(checkpoint, "state.json"), "utf8");
  const { trainStep, parts } = JSON.parse(state, (name, value) => (name === "seconds" ? undefined : value));
  const lines = readFileSync(join(folder, "metrics.jsonl"), "utf8").trimEnd().split("\n");
  return {
    cloned: digest(join(folder, "cloned", "model.safetensors")),
    weights: digest(join(folder, "final", "model.safetensors")),
    weightsAndOptimiser: digest(join(checkpoint, "trainer.bin")),
    critic: existsSync(join(checkpoint, "critic.bin")) ? digest(join(checkpoint, "critic.bin")) : undefined,
    trainStep,
    curriculum: parts,
    metrics: lines.map((line) => timeless(JSON.parse(line))),
  };
}

function digest(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function timeless(record: Record<string, unknown>): Record<string, unknown> {
  const isOfTheClock = (name: string) => name === "time" || name.startsWith("timing_s/") || name.startsWith("perf/");
  const kept = Object.entries(record).filter(([name]) => !isOfTheClock(name) || name === "perf/total_num_tokens");
  return Object.fromEntries(kept);
}
