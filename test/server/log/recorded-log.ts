/** A log with episodes of every kind in several tables of many pages, and a comparison of logs by episode. */
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { createEpisodeId, keyOf } from "#palestra/server/log/records/episode-id.js";
import type { AliasRow, EpisodeRow } from "#palestra/server/log/records/protocol.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { scratchDir } from "../../support/gym.js";
import { indexSteps } from "../../support/log-moments.js";
import { row } from "./store-rig.js";

/** Content of an episode, as callers see it, without the times of steps, which have no checksum. */
export interface Recorded {
  row: EpisodeRow;
  phase: string;
  failure: string | null;
  resetResult: string | null;
  steps: string[];
}

/** Content of a log by episode id. */
export type Content = Map<string, Recorded>;

export interface RecordedLog {
  path: string;
  ids: readonly string[];
  content: Content;
  aliases: readonly AliasRow[];
}

const originals = 40;
const rounds = 24;
const actionOf = (key: number, index: number) => `action ${index} of ${key} ${"x".repeat((key * 7 + index * 13) % 90)}`;

/**
 * Records aliases and running, ended, closed and forked episodes. Some of the steps are only in the newest pages. With
 * `inWal`, the last commits are only in the write-ahead log.
 */
export function recordLog({ inWal = false } = {}): RecordedLog {
  const path = join(scratchDir(), "episodes.db");
  const store = new LogStore(path, "normal");
  const ids: string[] = [];
  const lengths: number[] = [];
  const aliases: AliasRow[] = [];
  const create = (key: number, parent: number | null, count = 0) => {
    ids[key] = createEpisodeId(key);
    lengths[key] = count;
    const created = row(key, {
      id: ids[key] as string,
      seed: 1_000 + key,
      options: `{"level":"number ${key}"}`,
      parent: parent === null ? null : (ids[parent] as string),
    });
    if (parent !== null) store.forkEpisode(created, parent, count);
    else store.createEpisode(created, `{"observation":"start of ${key} ${"y".repeat(key * 5)}","info":{}}`);
  };
  store.transaction(() => {
    for (let key = 1; key <= originals; key++) create(key, null);
  });
  for (let round = 0; round < rounds; round++) {
    store.transaction(() => {
      // The index on disk is now complete up to this step.
      if (round === rounds - 6) indexSteps(store);
      if (round === 8 || round === rounds - 3) create(ids.length, 2, lengths[2]);
      if (round === rounds - 2) create(ids.length, originals + 1, 5);
      const page = new StepPageWriter();
      for (let key = 1; key < ids.length; key++) {
        const index = lengths[key] as number;
        const isLast = key % 5 === 0 && index === 10;
        if ((key % 5 === 0 && index > 10) || (key + round) % 3 === 0) continue;
        page.add(key, index, actionOf(key, index), `{"index":${index},"observation":"of ${key}"}`, isLast ? 1 : 0);
        lengths[key] = index + 1;
      }
      store.appendPage(page.take());
    });
  }
  store.transaction(() => {
    for (let key = 4; key < originals; key += 9) store.mark(key, "closed", "");
    const failure = { code: "ENVIRONMENT_ERROR", class: "environment", message: "the maze has no exit" };
    store.mark(3, "failed", JSON.stringify(failure));
    for (let alias = 0; alias < 30; alias++) {
      aliases.push({ namespace: "textcraft", alias, owner: "ada", episodeId: ids[alias + 1] as string });
      store.setAlias(aliases[alias] as AliasRow);
    }
  });
  const content = contentOf(store, ids);
  if (!inWal) store.close();
  const kept = inWal ? copyLog(path) : path;
  if (inWal) store.close();
  return { path: kept, ids: ids.filter(Boolean), content, aliases };
}

/** Copies the files of a log to a new folder, and returns the path of the copy. */
export function copyLog(path: string, to = join(scratchDir(), "episodes.db")): string {
  for (const suffix of ["", "-wal", "-newest"]) if (existsSync(path + suffix)) copyFileSync(path + suffix, to + suffix);
  return to;
}

export function contentOf(store: LogStore, ids: readonly string[]): Content {
  const content: Content = new Map();
  for (const id of ids.filter(Boolean)) {
    const key = keyOf(id) as number;
    const found = store.findEpisode(key);
    if (!found) continue;
    content.set(id, {
      row: found.row,
      phase: found.phase,
      failure: found.failure?.message ?? null,
      resetResult: store.readResetResult(key),
      steps: stepsOf(store, key),
    });
  }
  return content;
}

/** Returns the steps of an episode without their times, which have no checksum. */
export function stepsOf(store: LogStore, key: number): string[] {
  return store.readSteps(key, 0, Number.MAX_SAFE_INTEGER).map(({ atMs: _, ...step }) => JSON.stringify(step));
}

/** Opens a log, reads it and closes it. */
export function readLog(path: string, ids: readonly string[]): Content {
  const store = new LogStore(path, "normal");
  try {
    return contentOf(store, ids);
  } finally {
    store.close();
  }
}
