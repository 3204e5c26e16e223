/** Reads the folders of evaluations. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GymError } from "../errors.js";
import { RecentCache } from "./cache.js";
import { EpisodeIndex, type EpisodeLine, episodesFile } from "./episode-index.js";
import { objectOf, type RunFolder, readObject } from "./folders.js";
import { isLive } from "./liveness.js";
import type { RunCalls } from "./protocol.js";
import { redacted } from "./redaction.js";

type Fields = Record<string, unknown>;

const mostReportBytes = 8 * 2 ** 20;
/** Time in milliseconds that the list waits for a file to be read. Afterwards, it shows what is known so far. */
const listWaitMs = 200;

export class EvaluationReader {
  private readonly indexes = new RecentCache<EpisodeIndex>(32);

  async summary(folder: RunFolder) {
    return (await this.described(folder, listWaitMs)).about;
  }

  async details(folder: RunFolder) {
    const { about, report, index } = await this.described(folder);
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
    const index = this.indexOf(folder);
    await index.refresh();
    const { from, limit } = query;
    const matching = index.episodes().filter((episode) => matches(episode, query));
    const page = matching.slice(from, from + limit);
    const next = from + page.length < matching.length ? from + page.length : null;
    const live = await this.isLive(folder, index);
    return JSON.stringify({ episodes: page, next, matching: matching.length, total: index.episodes().length, live });
  }

  async episode(folder: RunFolder, number: number): Promise<string> {
    const index = this.indexOf(folder);
    await index.refresh();
    const line = await index.lineOf(number);
    if (line === undefined)
      throw new GymError("RUN_PART_UNKNOWN", "the index of an episode of the run", String(number));
    const record = objectOf(`${episodesFile}:${number + 1}`, line);
    const { prompt } = index;
    return JSON.stringify({ index: number, ...(prompt !== undefined && { prompt }), ...record });
  }

  private indexOf({ path }: RunFolder): EpisodeIndex {
    return this.indexes.get(path, () => new EpisodeIndex(path));
  }

  private async described(folder: RunFolder, waitMs?: number) {
    const { run, path } = folder;
    const index = this.indexOf(folder);
    let problem: string | null = null;
    const onProblem = (error: Error) => {
      problem ??= error.message;
      return undefined;
    };
    const refreshed = index.refresh().catch(onProblem);
    await (waitMs === undefined ? refreshed : Promise.race([refreshed, sleep(waitMs)]));
    const report = await readObject(path, ["report.json"], mostReportBytes).catch(onProblem);
    const [folderStat, fileStat] = await Promise.all([stat(path), stat(join(path, episodesFile))]);
    const createdMs = Math.min(folderStat.birthtimeMs || fileStat.mtimeMs, fileStat.mtimeMs);
    const about = {
      run,
      kind: "evaluation" as const,
      title: run,
      createdAt: new Date(createdMs).toISOString(),
      updatedAt: new Date(fileStat.mtimeMs).toISOString(),
      live: await isLive(path, fileStat.mtimeMs, report?.complete === true),
      problem: problem ?? index.problem,
      summary: summaryOf(index, report),
    };
    return { about, report, index };
  }

  private async isLive({ path }: RunFolder, { modifiedMs }: EpisodeIndex): Promise<boolean> {
    const report = await readObject(path, ["report.json"], mostReportBytes).catch(() => undefined);
    return isLive(path, modifiedMs, report?.complete === true);
  }
}

function matches(episode: EpisodeLine, { status, family, q }: Omit<RunCalls["episodes"], "run">): boolean {
  if (family !== undefined && episode.family !== family) return false;
  if (q !== undefined && !episode.opening.toLowerCase().includes(q.toLowerCase())) return false;
  if (status === undefined) return true;
  if (status === "solved" || status === "unsolved")
    return episode.status !== "failed" && episode.solved === (status === "solved");
  return episode.status === status;
}

/** The episodes are counted in the file, since a report is only written at the end. */
function summaryOf(index: EpisodeIndex, report: Fields | undefined) {
  const { environment, split, policy } = { ...report, ...index.measurement };
  const played = index.episodes().filter(({ status }) => status !== "failed");
  const mean = (of: (episode: EpisodeLine) => number) =>
    played.length === 0 ? null : played.reduce((sum, episode) => sum + of(episode), 0) / played.length;
  const summary = report?.summary as { planned?: unknown } | undefined;
  return {
    environment: textOrNull(environment),
    split: textOrNull(split),
    policy: textOrNull(policy),
    k: wholeOrNull(report?.k),
    episodes: played.length,
    planned: wholeOrNull(summary?.planned),
    successRate: mean(({ solved }) => Number(solved)),
    meanScore: mean(({ score }) => score),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? (redacted(value) as string) : null;
}

function wholeOrNull(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
