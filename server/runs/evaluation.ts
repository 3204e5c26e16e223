/** Reads the folders of evaluations. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GymError } from "../errors.js";
import { RecentCache } from "./cache.js";
import { Derived } from "./derived.js";
import { EpisodeIndex, type EpisodeLine, episodesFile } from "./episode-index.js";
import { objectOf, type RunFolder, readObject } from "./folders.js";
import { isLive } from "./liveness.js";
import { type Plan, planFile, progressOf, readPlan } from "./plan-file.js";
import type { RunCalls } from "./protocol.js";
import { redacted } from "./redaction.js";
import { search } from "./search.js";

type Fields = Record<string, unknown>;

const reportFile = "report.json";
const mostReportBytes = 8 * 2 ** 20;
/** Evaluations whose summaries are kept: as many as a list has. */
const mostSummaries = 1_000;
/** Longest name of an environment, a split or a policy in a summary. */
const longestName = 1_000;
/** Time in milliseconds that the list waits for a file to be read. Afterwards, it shows what is known so far. */
const listWaitMs = 200;

type Summarized = Awaited<ReturnType<EvaluationReader["summarized"]>>["known"];

/** An evaluation whose episodes are read. */
interface Opened {
  readonly index: EpisodeIndex;
  readonly isComplete: Derived<boolean>;
}

export class EvaluationReader {
  private readonly opened = new RecentCache<Opened>(32);
  private searching: Promise<unknown> = Promise.resolve();
  private readonly summaries = new RecentCache<Derived<Summarized>>(mostSummaries);

  async summary(folder: RunFolder) {
    const { run, path } = folder;
    const files = [episodesFile, reportFile, planFile].map((name) => join(path, name));
    const derive = async () => (await this.summarized(folder)).known;
    const whole = this.summaries.get(path, () => new Derived(files, derive)).get();
    const waited = new AbortController();
    const late = sleep(listWaitMs, undefined, { signal: waited.signal }).catch(() => undefined);
    const known = (await Promise.race([whole, late])) ?? (await this.summarized(folder, false)).known;
    waited.abort();
    return described(run, path, known);
  }

  async details(folder: RunFolder) {
    const { known, report, index } = await this.summarized(folder);
    const about = await described(folder.run, folder.path, known);
    const statuses: Record<string, number> = {};
    const families = new Set<string>();
    for (const { status, family } of index.episodes()) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (family !== undefined) families.add(family);
    }
    const settings = redacted(index.measurement ?? {});
    return { ...about, settings, report: redacted(report ?? null), statuses, families: [...families].sort() };
  }

  async episodes(folder: RunFolder, query: Omit<RunCalls["episodes"], "run">): Promise<string> {
    const { index, isComplete } = this.openedOf(folder);
    await index.refresh();
    const { from, limit } = query;
    const matching = index.episodes().filter((episode) => matches(episode, query));
    const page = matching.slice(from, from + limit);
    const next = from + page.length < matching.length ? from + page.length : null;
    const live = await isLive(folder.path, index.modifiedMs, await isComplete.get());
    return JSON.stringify({ episodes: page, next, matching: matching.length, total: index.episodes().length, live });
  }

  async search(folder: RunFolder, query: Omit<RunCalls["search"], "run">, isCancelled: () => boolean): Promise<string> {
    // One after the other, so that searches do not keep each other from the file.
    const found = this.searching.then(async () => {
      const { index, isComplete } = this.openedOf(folder);
      await index.refresh();
      const result = await search(index, query, (episode) => matches(episode, query), isCancelled);
      const live = await isLive(folder.path, index.modifiedMs, await isComplete.get());
      return JSON.stringify({ ...result, live });
    });
    this.searching = found.catch(() => {});
    return found;
  }

  async episode(folder: RunFolder, number: number): Promise<string> {
    const { index } = this.openedOf(folder);
    await index.refresh();
    const line = await index.lineOf(number);
    if (line === undefined)
      throw new GymError("RUN_PART_UNKNOWN", "the index of an episode of the run", String(number));
    const record = objectOf(`${episodesFile}:${number + 1}`, line);
    const { prompt } = index;
    return JSON.stringify({ index: number, ...(prompt !== undefined && { prompt }), ...record });
  }

  private openedOf({ path }: RunFolder): Opened {
    return this.opened.get(path, () => {
      const isComplete = new Derived([join(path, reportFile)], async () => {
        const report = await readObject(path, [reportFile], mostReportBytes).catch(() => undefined);
        return report?.complete === true;
      });
      return { index: new EpisodeIndex(path), isComplete };
    });
  }

  /** @param isWhole whether to wait until the file of episodes is read */
  async summarized(folder: RunFolder, isWhole = true) {
    const { path } = folder;
    const { index } = this.openedOf(folder);
    let problem: string | null = null;
    const onProblem = (error: Error) => {
      problem ??= error.message;
      return undefined;
    };
    if (isWhole) await index.refresh().catch(onProblem);
    const report = await readObject(path, [reportFile], mostReportBytes).catch(onProblem);
    const plan = await readPlan(path).catch(onProblem);
    const [folderStat, fileStat] = await Promise.all([stat(path), stat(join(path, episodesFile))]);
    const createdMs = Math.min(folderStat.birthtimeMs || fileStat.mtimeMs, fileStat.mtimeMs);
    const about = {
      createdAt: new Date(createdMs).toISOString(),
      updatedAt: new Date(fileStat.mtimeMs).toISOString(),
      problem: problem ?? index.problem,
      summary: {
        ...summaryOf(index, report, plan),
        progress: plan ? progressOf(plan, index.length - 1, fileStat.mtimeMs) : null,
      },
    };
    return { known: { about, updatedMs: fileStat.mtimeMs, hasEnded: report?.complete === true }, report, index };
  }
}

async function described(run: string, path: string, { about, updatedMs, hasEnded }: Summarized) {
  const live = await isLive(path, updatedMs, hasEnded);
  return { run, kind: "evaluation" as const, title: run, live, ...about };
}

type Filter = Pick<RunCalls["episodes"], "status" | "family" | "failure">;

function matches(episode: EpisodeLine, { status, family, failure }: Filter): boolean {
  if (family !== undefined && episode.family !== family) return false;
  if (failure !== undefined && episode.failureKind !== failure) return false;
  if (status === undefined) return true;
  if (status === "solved" || status === "unsolved")
    return episode.status !== "failed" && episode.solved === (status === "solved");
  return episode.status === status;
}

/** The episodes are counted in the file, since a report is only written at the end. */
function summaryOf(index: EpisodeIndex, report: Fields | undefined, plan: Plan | undefined) {
  const { environment, split, policy } = { ...report, ...index.measurement };
  const played = index.episodes().filter(({ status }) => status !== "failed");
  const mean = (of: (episode: EpisodeLine) => number) =>
    played.length === 0 ? null : played.reduce((sum, episode) => sum + of(episode), 0) / played.length;
  const summary = report?.summary as { planned?: unknown } | undefined;
  return {
    environment: textOrNull(environment),
    split: textOrNull(split),
    policy: textOrNull(policy),
    k: plan?.k ?? wholeOrNull(report?.k),
    episodes: played.length,
    planned: plan?.episodes ?? wholeOrNull(summary?.planned),
    successRate: mean(({ solved }) => Number(solved)),
    meanScore: mean(({ score }) => score),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? (redacted(value) as string).slice(0, longestName).toWellFormed() : null;
}

function wholeOrNull(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
