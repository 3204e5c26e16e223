/** Bytes of the log per step, the rate of its writes, and the gain and cost of a compression of its pages. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import babyai from "#palestra/envs/babyai/index.js";
import type { EnvironmentSpec } from "#palestra/envs/env.js";
import { defaultSplit, fillOptions } from "#palestra/envs/registry.js";
import sciworld from "#palestra/envs/sciworld/index.js";
import { createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";
import textcraft from "#palestra/envs/textcraft/index.js";
import { replyText } from "#palestra/server/hosts/reply-text.js";
import { type StepPage, StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { episodeRow } from "../support/episode-row.js";
import { indexSteps } from "../support/log-moments.js";
import type { BenchResult } from "./report.js";

/** Number of episodes that are played side by side, whose steps share pages. */
const abreast = 64;
/** Number of steps in a page under load, and in a page of a gym that plays few episodes. */
const [fullPage, smallPage] = [128, 8];
const longestReply = 2 ** 24;
const longestEpisode = 50;

interface Played {
  action: string;
  reply: string;
}

export function logBench({ steps }: { steps: number }): BenchResult[] {
  return [textcraft, babyai, sciworld].flatMap((spec) => {
    const episodes = Array.from({ length: abreast }, (_, index) => playOf(spec as EnvironmentSpec, index));
    return [fullPage, smallPage].flatMap((size) => measure(`${spec.id}, ${size} steps a page`, episodes, size, steps));
  });
}

/** Plays a task with the expert, or with its last action if the expert has none. */
function playOf(spec: EnvironmentSpec, index: number): Played[] {
  const environment = createWrapped(spec, { now: Date.now } as Parameters<typeof createWrapped>[1], longestEpisode);
  const task = { split: defaultSplit(spec), index };
  environment.reset({ task, seed: 0, options: fillOptions(spec, {}) });
  const played: Played[] = [];
  for (let action = "look", ended = false; !ended; ) {
    action = spec.expert?.(environment.unwrapped) ?? action;
    const result = environment.step(action);
    played.push({ action, reply: replyText(played.length, [-1_000, 1_000], result, longestReply) });
    ended = result.terminated || result.truncated;
  }
  environment.close();
  return played;
}

/** Returns pages in which the episodes take turns. Each episode starts again after its end, as another episode. */
function pagesOf(episodes: readonly Played[][], size: number, steps: number): StepPage[] {
  const at = episodes.map((_, i) => ({ key: i + 1, index: 0 }));
  let next = abreast + 1;
  const page = new StepPageWriter();
  const pages: StepPage[] = [];
  for (let i = 0; i < steps; i++) {
    const turn = at[i % abreast] as { key: number; index: number };
    const played = episodes[i % abreast] as Played[];
    const { action, reply } = played[turn.index] as Played;
    page.add(turn.key, turn.index, action, reply, 0);
    if (++turn.index === played.length) [turn.key, turn.index] = [next++, 0];
    if ((i + 1) % size === 0) pages.push(page.take());
  }
  return pages;
}

function measure(name: string, episodes: readonly Played[][], size: number, steps: number): BenchResult[] {
  const pages = pagesOf(episodes, size, steps);
  const folder = mkdtempSync(join(tmpdir(), "palestra-bench-"));
  const store = new LogStore(join(folder, "log.db"), "normal");
  try {
    store.transaction(() => store.createEpisode(episodeRow(1), "{}"));
    const empty = store.space().usedBytes;
    const writing = seconds(() => {
      for (const page of pages) store.transaction(() => store.appendPage(page));
    });
    store.transaction(() => indexSteps(store));
    const perStep = (store.space().usedBytes - empty) / steps;
    const texts = pages.reduce((sum, { lines }) => sum + Buffer.byteLength(lines), 0);
    let deflated = 0;
    const deflating = seconds(() => {
      for (const { lines } of pages) deflated += deflateRawSync(lines, { level: 1 }).length;
    });
    return [
      { name: `${name}: bytes of the file`, value: perStep, unit: "bytes/step" },
      { name: `${name}: writes`, value: steps / writing, unit: "steps/s" },
      { name: `${name}: text / deflated text`, value: texts / steps, unit: "bytes/step", baseline: deflated / steps },
      { name: `${name}: deflating`, value: steps / deflating, unit: "steps/s" },
    ];
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

function seconds(work: () => void): number {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) / 1_000;
}
