/** Reads the folders of training runs. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { GymError, shown } from "../errors.js";
import { fieldOf, healthOf, worstOf } from "../formats/health/health.js";
import { RecentCache } from "./cache.js";
import { Derived } from "./derived.js";
import { type RunFolder, readObject } from "./folders.js";
import { loggedSteps, readHeader, readTokens } from "./group-files.js";
import { LineFile } from "./line-file.js";
import { isLive } from "./liveness.js";
import { keyRecords, metricsFile } from "./metrics-file.js";
import type { RunCalls } from "./protocol.js";
import { redacted } from "./redaction.js";
import { startFile, startOf } from "./start-file.js";

const runFile = "run.json";
const mostSettingsBytes = 8 * 2 ** 20;
/** Runs whose summaries are kept: as many as a list has. */
const mostSummaries = 1_000;
/** Longest name of an algorithm or a model in a summary. */
const longestName = 1_000;

type Fields = Record<string, unknown>;
type Query<Name extends keyof RunCalls> = Omit<RunCalls[Name], "run">;

/** The content of run.json, and times of the folder. */
interface Facts {
  readonly settings: Fields;
  readonly engine: Fields | null;
  readonly createdAt: string;
  readonly updatedMs: number;
  readonly hasEnded: boolean;
  readonly problem: string | null;
}

type Summarized = Awaited<ReturnType<typeof summarized>>;

/** A run whose metrics are read. */
interface Watched {
  readonly metrics: LineFile;
  readonly hasEnded: Derived<boolean>;
}

export class TrainingReader {
  private readonly watched = new RecentCache<Watched>(64);
  private readonly summaries = new RecentCache<Derived<Summarized>>(mostSummaries);

  async summary({ run, path }: RunFolder) {
    const files = [metricsFile, runFile, startFile].map((name) => join(path, name));
    const derive = async () => summarized(path, await factsOf(path));
    return described(run, path, await this.summaries.get(path, () => new Derived(files, derive)).get());
  }

  async details({ run, path }: RunFolder) {
    const facts = await factsOf(path);
    const steps = await loggedSteps(path);
    const [first, last] = [steps[0], steps.at(-1)];
    const whole = await summarized(path, facts);
    return {
      ...(await described(run, path, whole)),
      health: whole.health,
      start: whole.start,
      settings: facts.settings,
      engine: facts.engine,
      groupSteps: first === undefined || last === undefined ? null : { first, last, count: steps.length },
    };
  }

  async metrics(folder: RunFolder, { from, mark, limit }: Query<"metrics">): Promise<string> {
    const { path } = folder;
    const { metrics: file, hasEnded } = this.watched.get(path, () => watchedOf(path));
    await file.refresh().catch(ignoreMissing);
    const restarted =
      from > file.length || (mark !== undefined && from > 0 && mark !== (await file.mark(from - 1).catch(() => "")));
    const start = restarted ? 0 : from;
    const next = Math.min(file.length, start + limit);
    const lines = next > start ? await file.lines(start, next) : [];
    for (const [at, line] of lines.entries()) expectRecord(line, start + at + 1);
    const live = await isLive(path, file.modifiedMs, await hasEnded.get());
    const nextMark = next > 0 ? await file.mark(next - 1) : null;
    const rest = JSON.stringify({ next, mark: nextMark, total: file.length, restarted, live });
    return `{"records":[${lines.join()}],${rest.slice(1)}`;
  }

  async groups({ path }: RunFolder, { step }: Query<"groups">): Promise<string> {
    const steps = await loggedSteps(path);
    const chosen = step ?? steps.at(-1);
    if (chosen === undefined)
      throw GymError.ofState("RUN_PART_UNKNOWN", "The run has no log of groups yet, or its log is turned off.");
    const { groups } = await readHeader(path, chosen);
    const listed = groups.map(({ rollouts, ...group }) => ({
      ...group,
      rollouts: rollouts.map(({ at, ...rollout }) => rollout),
    }));
    const previous = steps.findLast((other) => other < chosen) ?? null;
    const next = steps.find((other) => other > chosen) ?? null;
    return JSON.stringify({ step: chosen, previous, next, groups: listed });
  }

  async rollout({ path }: RunFolder, { step, group: id, index }: Query<"rollout">): Promise<string> {
    const header = await readHeader(path, step);
    const group = header.groups.find(({ group }) => group === id);
    const rollout = group?.rollouts[index];
    if (!group || !rollout) {
      const expected = `a rollout of train step ${step}`;
      throw new GymError("RUN_PART_UNKNOWN", expected, `rollout ${index} of group ${shown(id)}`);
    }
    const { at, ...about } = rollout;
    const tokens = await readTokens(path, step, header, rollout);
    return JSON.stringify({ step, group: id, index, task: group.task, rollout: about, ...tokens });
  }
}

function watchedOf(path: string): Watched {
  const hasEnded = new Derived([join(path, runFile)], async () => {
    const recorded = await readObject(path, [runFile], mostSettingsBytes).catch(() => undefined);
    return recorded?.endedAt != null;
  });
  return { metrics: new LineFile(path, metricsFile), hasEnded };
}

/** Returns what a list tells of a run, apart from whether it is live. */
async function summarized(path: string, facts: Facts) {
  const { settings, createdAt, updatedMs, hasEnded } = facts;
  const { problem, health, ...results } = await resultsOf(path, settings);
  const worst = worstOf(health);
  const start = await startOf(path);
  const about = {
    createdAt,
    updatedAt: new Date(updatedMs).toISOString(),
    problem: facts.problem ?? problem,
    summary: {
      ...results,
      health: worst ? { level: worst.level, cause: worst.cause } : null,
      start: start ? { phase: start.phase, done: start.done, total: start.total } : null,
      totalTrainSteps: wholeOr(settings.total_train_steps, null),
      algorithm: textOr(settings.algorithm, null),
      model: textOr(settings.model, null),
    },
  };
  return { about, health, start, updatedMs, hasEnded };
}

async function described(run: string, path: string, { about, updatedMs, hasEnded }: Summarized) {
  const live = await isLive(path, updatedMs, hasEnded);
  return { run, kind: "training" as const, title: run, live, ...about };
}

async function factsOf(path: string): Promise<Facts> {
  let problem: string | null = null;
  const recorded = await readObject(path, [runFile], mostSettingsBytes).catch((error: Error) => {
    problem = error.message;
    return undefined;
  });
  const folder = await stat(path);
  const times = await Promise.all([metricsFile, runFile, startFile].map((name) => modifiedMs(join(path, name))));
  const updatedMs = Math.max(0, ...times) || folder.mtimeMs;
  const created = Date.parse(String(recorded?.startedAt ?? ""));
  const settings = recorded?.settings ?? (await settingsOfCheckpoint(path).catch(() => undefined));
  return {
    settings: fieldsOr(redacted(settings), {}),
    engine: fieldsOr(recorded?.engine, null),
    createdAt: new Date(
      Number.isNaN(created) ? Math.min(folder.birthtimeMs || updatedMs, updatedMs) : created,
    ).toISOString(),
    updatedMs,
    hasEnded: recorded?.endedAt != null,
    problem,
  };
}

/** Runs of earlier versions have their settings only in checkpoints. */
async function settingsOfCheckpoint(path: string): Promise<unknown> {
  const names = await readdir(join(path, "checkpoints"));
  const newest = names
    .filter((name) => /^step-\d{8}$/.test(name))
    .sort()
    .at(-1);
  if (newest === undefined) return undefined;
  return (await readObject(path, ["checkpoints", newest, "state.json"], mostSettingsBytes))?.settings;
}

/** Reads the newest results and the health of a run from its metrics. */
async function resultsOf(path: string, settings: Fields) {
  const { records, isDamaged } = await keyRecords(path);
  const newest = (name: string) =>
    numberOr(records.map((record) => fieldOf(record, name)).findLast((value) => typeof value === "number"));
  return {
    problem: isDamaged ? `${metricsFile} has a line that is not the record of a train step.` : null,
    health: healthOf(records, settings),
    trainSteps: records.reduce((most, { step }) => Math.max(most, step), 0),
    successRate: newest("episode/success_rate"),
    heldOut: newest("val/success_rate"),
  };
}

/** @throws {GymError} RUN_DAMAGED */
function expectRecord(line: string, number: number): void {
  try {
    const { step, time } = JSON.parse(line) as Fields;
    if (Number.isSafeInteger(step) && typeof time === "number") return;
  } catch {}
  throw new GymError(
    "RUN_DAMAGED",
    `the record of a train step in ${metricsFile}:${number}`,
    shown(line.slice(0, 200)),
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

async function modifiedMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function fieldsOr<T>(value: unknown, otherwise: T): Fields | T {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : otherwise;
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === "string" ? value.slice(0, longestName).toWellFormed() : otherwise;
}

function wholeOr<T>(value: unknown, otherwise: T): number | T {
  return Number.isSafeInteger(value) ? (value as number) : otherwise;
}

function numberOr(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
