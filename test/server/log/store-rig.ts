/** An episode log in which each step has a text of its own. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Ended } from "#palestra/server/log/records/episode-state.js";
import type { EpisodeRow } from "#palestra/server/log/records/protocol.js";
import { type LoggedStep, StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { episodeRow } from "../../support/episode-row.js";
import { scratchDir } from "../../support/gym.js";

/** More steps than the index in memory holds, so that reads need both indexes. */
export const many = 20_000;
export const episodes = 7;

export function open(path = join(scratchDir(), "log.db")): { store: LogStore; reopen(): LogStore; path: string } {
  let store = new LogStore(path, "normal");
  onTestFinished(() => store.close());
  const reopen = () => {
    store.close();
    store = new LogStore(path, "normal");
    return store;
  };
  return { store, reopen, path };
}

export const row = (key: number, more: Partial<EpisodeRow> = {}): EpisodeRow =>
  episodeRow(key, { createdAtMs: 1_000 * key, ...more });

export type Step = Omit<LoggedStep, "ended" | "answers" | "atMs">;

export const step = (index: number): Step => ({ index, action: `a${index}`, reply: `{"index":${index}}` });

/** Returns the i-th step of the log; the episodes take turns. */
export const interleaved = (i: number): [number, Step, Ended] => [
  (i % episodes) + 1,
  step(Math.floor(i / episodes)),
  0,
];

/** Appends interleaved steps of `episodes` episodes, a few in each transaction. */
export function fill(store: LogStore, from: number, to: number): void {
  for (let at = from; at < to; at += 50) {
    const steps = Array.from({ length: Math.min(50, to - at) }, (_, i) => interleaved(at + i));
    store.transaction(() => appendAll(store, steps));
  }
}

export function append(store: LogStore, episode: number, index: number, ended: Ended = 0): void {
  appendAll(store, [[episode, step(index), ended]]);
}

export function appendAll(store: LogStore, steps: readonly (readonly [number, Step, Ended])[]): void {
  const page = new StepPageWriter();
  for (const [episode, { index, action, reply }, ended] of steps) page.add(episode, index, action, reply, ended);
  store.appendPage(page.take());
}

export const plain = (rows: Step[]): Step[] => rows.map(({ index, action, reply }) => ({ index, action, reply }));
export const lengthOf = (episode: number, total = many) => Math.ceil((total - (episode - 1)) / episodes);
export const all = (store: LogStore, episode: number) => plain(store.readSteps(episode, 0, Number.MAX_SAFE_INTEGER));
export const expected = (length: number) => Array.from({ length }, (_, i) => step(i));
