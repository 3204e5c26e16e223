/**
 * The log of the groups of train steps, with the log-probability, advantage and policy version of each token. Training
 * never waits for the log: arrays are copied to a thread, which packs and writes them. If the thread is behind, or the
 * disk is full, the groups of some train steps are left out.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Tokenizer } from "../../native/api/index.js";
import { counted } from "../../server/formats/counted.js";
import type { Credit } from "../algorithms/parts/algorithm.js";
import type { LeftOut } from "../rollout/rollout-loop.js";
import type { Group, Trajectory } from "../rollout/trajectory.js";
import { type GroupEntry, groupsFolder, type RolloutEntry, trainStepOf } from "./group-file.js";
import type { FromGroupLog, GroupLogData, ToGroupLog } from "./group-log-thread.js";

/** Bytes of groups that wait for the thread, from which on the next groups are left out. */
const mostWaitingBytes = 2 ** 27;
/** Time in milliseconds that the end of a run waits for the thread. */
const lastWriteMs = 10_000;

export interface GroupLogOptions {
  /** Output folder of the run. */
  readonly output: string;
  /** Number of train steps after which groups are logged; 0: never. */
  readonly every: number;
  /** Bytes of the log at most; older files are removed. */
  readonly mostBytes: number;
  /** Train step that the run resumes from. Files of later steps are removed, since these steps are repeated. */
  readonly resumedAt: number;
  readonly tokenizer: Tokenizer | undefined;
  /** Bytes of waiting groups from which on the next groups are left out; 128 MiB if it is absent. */
  readonly mostWaitingBytes?: number;
  /** Receives a line when writing fails, and when it succeeds again. */
  say(line: string): void;
}

export interface TrainStepGroups {
  readonly trainStep: number;
  readonly groups: readonly Group[];
  readonly leftOut: readonly LeftOut[];
  readonly credits: ReadonlyMap<Trajectory, Credit>;
}

export class GroupLog {
  private worker: Worker | undefined;
  /** Bytes of the groups of each train step that waits to be written, oldest first. */
  private waiting: number[] = [];
  private skipped = 0;
  private isFailing = false;
  private onIdle: () => void = () => {};

  constructor(private readonly options: GroupLogOptions) {
    this.removeRepeated();
  }

  write({ trainStep, groups, leftOut, credits }: TrainStepGroups): void {
    const { every } = this.options;
    if (every === 0 || trainStep % every !== 0) return;
    if (this.waitingBytes() >= (this.options.mostWaitingBytes ?? mostWaitingBytes)) {
      this.skipped += 1;
      return;
    }
    const entries = [
      ...groups.map((group) => entryOf(group, credits, null)),
      ...leftOut.map(({ group, reason }) => entryOf(group, credits, reason)),
    ].filter((entry) => entry !== undefined);
    const buffers = buffersOf(entries);
    this.waiting.push(buffers.reduce((sum, { byteLength }) => sum + byteLength, 0));
    this.worker ??= this.started();
    this.worker.postMessage({ trainStep, groups: entries } satisfies ToGroupLog, buffers);
  }

  /** Waits until all groups are written, for a limited time. */
  async close(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    if (this.waiting.length > 0) {
      const timer = setTimeout(() => this.onIdle(), lastWriteMs);
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
      clearTimeout(timer);
    }
    this.worker = undefined;
    await worker.terminate();
    if (this.skipped > 0)
      this.options.say(
        `the groups of ${counted(this.skipped, "train step")} are not logged: writing was slower than training`,
      );
  }

  private waitingBytes(): number {
    return this.waiting.reduce((sum, bytes) => sum + bytes, 0);
  }

  private started(): Worker {
    const { output, mostBytes, tokenizer } = this.options;
    const folder = join(output, groupsFolder);
    const vocabulary = tokenizer?.bytes(tokenizer.size);
    const worker = new Worker(new URL("./group-log-thread.js", import.meta.url), {
      workerData: { folder, mostBytes, vocabulary } satisfies GroupLogData,
    });
    worker.unref();
    worker.on("message", (answer: FromGroupLog) => this.onAnswer(answer));
    worker.on("error", (error) => this.onLost(worker, error));
    return worker;
  }

  private onAnswer({ trainStep, problem }: FromGroupLog): void {
    if (problem !== null && !this.isFailing)
      this.options.say(`the groups: ${problem}; train steps are left out until they can be written`);
    if (problem === null && this.isFailing)
      this.options.say(`the groups: written again from train step ${trainStep} on`);
    this.isFailing = problem !== null;
    this.waiting.shift();
    if (this.waiting.length === 0) this.onIdle();
  }

  /** The next train step starts another thread. */
  private onLost(worker: Worker, { message }: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    this.waiting = [];
    this.options.say(`the groups: ${message}; some train steps are not logged`);
    this.onIdle();
  }

  private removeRepeated(): void {
    const { output, resumedAt, say } = this.options;
    const folder = join(output, groupsFolder);
    try {
      for (const name of readdirSync(folder)) {
        const step = trainStepOf(name.replace(/\.new$/, ""));
        if (step !== undefined && (step > resumedAt || name.endsWith(".new"))) rmSync(join(folder, name));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") say(`the groups: ${(error as Error).message}`);
    }
  }
}

/** Returns the entry of a group; undefined for a group without a rollout. */
function entryOf(
  { id, trajectories, failed }: Group,
  credits: ReadonlyMap<Trajectory, Credit>,
  leftOut: string | null,
): GroupEntry | undefined {
  const all = [...trajectories, ...failed];
  const [first] = all;
  if (!first) return undefined;
  const { environment, split, index, seed } = first.played;
  const task = { environment, split, index, seed };
  return { group: id, task, leftOut, rollouts: all.map((rollout) => rolloutOf(rollout, credits.get(rollout))) };
}

/** Copies a row, since its arrays may be parts of larger buffers. */
function rolloutOf(trajectory: Trajectory, credit: Credit | undefined): RolloutEntry {
  const { episodeId, row, seat, solved, status, failure, steps, tokens, mask, logprobs, versions } = trajectory;
  return {
    episodeId,
    row: row ?? null,
    seat,
    return: trajectory.return,
    solved,
    status,
    failure,
    steps: steps.map(({ first, end, action, reward }) => ({ first, end, action, reward })),
    tokens: tokens.slice(),
    mask: mask.slice(),
    logprobs: logprobs.slice(),
    versions: versions.slice(),
    advantages: credit?.advantages.slice(),
  };
}

function buffersOf(groups: readonly GroupEntry[]): ArrayBuffer[] {
  const arrays = groups.flatMap(({ rollouts }) =>
    rollouts.flatMap(({ tokens, mask, logprobs, versions, advantages }) => [
      tokens,
      mask,
      logprobs,
      versions,
      ...(advantages ? [advantages] : []),
    ]),
  );
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}
