/**
 * Compares WebArena episodes on the bundled sites with the bare browser and the original's algorithm: resets, steps and
 * memory.
 */
import { type CDPSession, chromium, type Page } from "playwright";
import { axText } from "#palestra/envs/shared/browser/observation/ax-text.js";
import { capture } from "#palestra/envs/shared/browser/observation/capture.js";
import { WebArena } from "#palestra/envs/shared/web-tasks/env.js";
import { playable } from "#palestra/envs/webarena-lab/benchmark.js";
import type { PlanStep } from "#palestra/envs/webarena-lab/plan.js";
import { LabServer } from "#palestra/envs/webarena-lab/server.js";
import { labSites } from "#palestra/envs/webarena-lab/sites/index.js";
import { type LabTask, taskOf } from "#palestra/envs/webarena-lab/tasks/index.js";
import { openWorld } from "#palestra/envs/webarena-lab/world.js";
import { BrowserProvider } from "#palestra/sandboxes/browser/browser-provider.js";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import { memoryOfTree } from "./process-memory.js";
import { type BenchResult, median } from "./report.js";

export interface WebArenaBenchOptions {
  /** Number of tasks to play in sequence. */
  tasks: number;
  /** Number of episodes at once. */
  parallel: number;
}

const options = { observation: "tree", extent: "viewport" };
const viewport = { width: 1280, height: 720 };
const callMs = 120_000;
const mostSteps = 40;
const loadMs = 60_000;

/** Browser actions of one step of an expert. */
interface Move {
  /** Position of the click. */
  at: readonly [number, number] | undefined;
  text: string | undefined;
  keys: string | undefined;
  url: string | undefined;
  scroll: number;
  /** Steps in the history: negative for back, positive for forward. */
  history: -1 | 0 | 1;
  /** Whether a page was loaded. */
  isNavigation: boolean;
}

export async function webarenaBench({ tasks: count, parallel }: WebArenaBenchOptions): Promise<BenchResult[]> {
  const tasks = Array.from({ length: count * 2 }, (_, index) => taskOf({ split: "train", index }))
    // The bare browser repeats the steps in one tab.
    .filter(({ task, plan }) => task.startUrls.length === 1 && !plan.some(isOfTabs))
    .slice(0, count);
  const browsers = new BrowserProvider({ browsers: 1, contextsPerBrowser: parallel + 1, warmContexts: 2 });
  const bare = await chromium.launch({ executablePath: await findBrowser() });
  try {
    await playOnce(browsers, tasks[0] as LabTask);
    const ours: Played[] = [];
    const theirs: Timed[] = [];
    const bareResets: number[] = [];
    const observations: Observations[] = [];
    for (const task of tasks) {
      const played = await playOnce(browsers, task);
      ours.push(played);
      const replayed = await replayBare(bare, task, played.moves);
      theirs.push(...replayed.steps);
      bareResets.push(replayed.resetMs);
      observations.push(...replayed.observations);
      await pause(500);
    }
    const oursAtOnce = await atOnce(parallel, tasks, (task) =>
      playOnce(browsers, task).then(({ steps }) => steps.length),
    );
    const moves = new Map(ours.map(({ moves: list }, at) => [tasks[at] as LabTask, list]));
    const bareAtOnce = await atOnce(parallel, tasks, async (task) => {
      const { steps } = await replayBare(bare, task, moves.get(task) ?? [], { isBare: true });
      return steps.length;
    });
    const memory = await memoryPerContext(browsers, tasks, parallel);
    return results(ours, { steps: theirs, bareResets, observations }, { oursAtOnce, bareAtOnce, memory, parallel });
  } finally {
    await Promise.all([browsers.close(), bare.close()]);
  }
}

function isOfTabs(step: PlanStep): boolean {
  return step.kind === "action" && /^(?:new_tab|tab_focus|close_tab)/.test(step.action);
}

interface Timed {
  ms: number;
  isNavigation: boolean;
}

interface Played {
  resetMs: number;
  steps: Timed[];
  moves: Move[];
}

async function playOnce(browsers: BrowserProvider, task: LabTask): Promise<Played> {
  const environment = new WebArena({ sandboxes: { browsers } }, playable(task));
  const signal = AbortSignal.timeout(callMs);
  try {
    const begunAt = performance.now();
    await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options }, signal);
    const played: Played = { resetMs: performance.now() - begunAt, steps: [], moves: [] };
    for (let step = 0; step < mostSteps; step++) {
      const action = environment.advise();
      if (action === null) throw new Error(`expected advice in ${task.task.intent}, but received none`);
      const move = moveOf(action, environment);
      let isNavigation = false;
      const page = environment.page;
      const note = () => {
        isNavigation = true;
      };
      page?.on("domcontentloaded", note);
      const startedAt = performance.now();
      const { terminated } = await environment.step(action, signal);
      const ms = performance.now() - startedAt;
      page?.off("domcontentloaded", note);
      if (terminated) return played;
      played.steps.push({ ms, isNavigation });
      played.moves.push({ ...move, isNavigation });
    }
    return played;
  } finally {
    await environment.close();
  }
}

function moveOf(action: string, { shown }: WebArena): Omit<Move, "isNavigation"> {
  const [, id] = /^(?:click|hover|type) \[(\d+)\]/.exec(action) ?? [];
  const rect = id === undefined ? undefined : shown.places.get(id)?.rect;
  const at = rect ? ([rect[0] + rect[2] / 2, rect[1] + rect[3] / 2] as const) : undefined;
  const [, text, enter] = /^type \[\d+\] \[(.*)\] \[([01])\]$/.exec(action) ?? [];
  const [, keys] = /^press \[(.*)\]$/.exec(action) ?? [];
  const [, url] = /^goto \[(.*)\]$/.exec(action) ?? [];
  const scroll = action === "scroll [down]" ? 720 : action === "scroll [up]" ? -720 : 0;
  const history = action === "go_back" ? -1 : action === "go_forward" ? 1 : 0;
  return { at, text, keys: keys ?? (enter === "1" ? "Enter" : undefined), url, scroll, history };
}

/**
 * Repeats the steps with Playwright alone in a new context, each followed by one accessibility tree: the least work
 * that any gym needs.
 *
 * @param how `isBare` skips the original's algorithm, which is otherwise measured after each step
 */
async function replayBare(
  browser: Awaited<ReturnType<typeof chromium.launch>>,
  { task }: LabTask,
  moves: readonly Move[],
  how: { isBare?: boolean } = {},
): Promise<{ resetMs: number; steps: Timed[]; observations: Observations[] }> {
  const begunAt = performance.now();
  const server = await LabServer.open(openWorld());
  // The sites' server accepts absolute URLs, as a proxy does.
  const context = await browser.newContext({ viewport, proxy: { server: `http://${server.address}` } });
  try {
    await context.addCookies(
      labSites.flatMap(({ name, host, login }) =>
        login && task.logins.includes(name) ? [{ ...login, url: `http://${host}` }] : [],
      ),
    );
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await page.goto(task.startUrls[0] as string, { waitUntil: "domcontentloaded" });
    await cdp.send("Accessibility.getFullAXTree");
    const resetMs = performance.now() - begunAt;
    const steps: Timed[] = [];
    const observations: Observations[] = [];
    for (const move of moves) {
      const startedAt = performance.now();
      await Promise.all([
        move.isNavigation ? page.waitForEvent("domcontentloaded", { timeout: loadMs }) : undefined,
        carryOut(page, move),
      ]).catch((error: Error) => {
        throw new Error(
          `expected the bare browser to follow ${JSON.stringify(move)} in ${task.intent}, but received ${error.message}`,
        );
      });
      await cdp.send("Accessibility.getFullAXTree");
      steps.push({ ms: performance.now() - startedAt, isNavigation: move.isNavigation });
      if (!how.isBare) observations.push({ ours: await observeAtOnce(cdp), perNode: await observePerNode(page, cdp) });
    }
    return { resetMs, steps, observations };
  } finally {
    await context.close();
    await server.close();
  }
}

async function carryOut(page: Page, { at, text, keys, url, scroll, history }: Move): Promise<void> {
  if (history !== 0) await page.evaluate(`history.go(${history})`);
  if (url !== undefined) await page.goto(url, { waitUntil: "commit" });
  if (at) await page.mouse.click(at[0], at[1]);
  if (text) await page.keyboard.type(text);
  if (keys) await page.keyboard.press(keys.replace("Ctrl", "Control"));
  if (scroll !== 0) await page.evaluate(`window.scrollBy(0, ${scroll})`);
}

/** Returns the milliseconds of one observation by this project. */
async function observeAtOnce(cdp: CDPSession): Promise<number> {
  const startedAt = performance.now();
  const { nodes, rectOf } = await capture(cdp);
  axText(nodes, rectOf, { viewport, ids: "ordinal", isNoiseDropped: true });
  return performance.now() - startedAt;
}

/** Returns the milliseconds of one observation by the public package: two sequential calls for each node. */
async function observePerNode(page: Page, cdp: CDPSession): Promise<number> {
  const startedAt = performance.now();
  await cdp.send("DOMSnapshot.captureSnapshot", { computedStyles: [], includeDOMRects: true, includePaintOrder: true });
  for (const expression of ["pageYOffset", "pageXOffset", "screen.width", "screen.height", "devicePixelRatio"])
    await page.evaluate(`window.${expression}`);
  const { nodes } = await cdp.send("Accessibility.getFullAXTree");
  for (const { backendDOMNodeId: backendNodeId } of nodes) {
    if (backendNodeId === undefined) continue;
    try {
      const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
      const { objectId = "" } = object;
      await cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration: rectOfThis, returnByValue: true });
    } catch {
      // A node without a position also has none in the original.
    }
  }
  return performance.now() - startedAt;
}

const rectOfThis = `function () {
  if (this.nodeType !== Node.TEXT_NODE) return this.getBoundingClientRect().toJSON();
  const range = document.createRange();
  range.selectNode(this);
  return range.getBoundingClientRect().toJSON();
}`;

/** Returns the steps per second of several players. @param play returns the number of its steps */
async function atOnce(
  players: number,
  tasks: readonly LabTask[],
  play: (task: LabTask) => Promise<number>,
): Promise<number> {
  const begunAt = performance.now();
  let next = 0;
  let steps = 0;
  const rounds = Math.max(players * 2, tasks.length);
  await Promise.all(
    Array.from({ length: players }, async () => {
      while (next < rounds) {
        const played = await play(tasks[next++ % tasks.length] as LabTask);
        steps += played;
      }
    }),
  );
  return (steps * 1_000) / (performance.now() - begunAt);
}

/** Returns the MiB that each of many open episodes adds. */
async function memoryPerContext(browsers: BrowserProvider, tasks: readonly LabTask[], count: number): Promise<number> {
  const signal = AbortSignal.timeout(callMs);
  const environments = Array.from({ length: count }, (_, at) => {
    return new WebArena({ sandboxes: { browsers } }, playable(tasks[at % tasks.length] as LabTask));
  });
  const begin = (environment: WebArena) =>
    environment.reset({ task: { split: "train", index: 0 }, seed: 0, options }, signal);
  try {
    const [first, ...others] = environments;
    if (first) await begin(first);
    await pause(3_000);
    const before = memoryOfTree(process.pid);
    for (const environment of others) await begin(environment);
    await pause(1_000);
    return (memoryOfTree(process.pid) - before) / 2 ** 20 / others.length;
  } finally {
    await Promise.all(environments.map((environment) => environment.close()));
  }
}

/** Returns the milliseconds of both kinds of observation of the same page. */
interface Observations {
  ours: number;
  perNode: number;
}

interface Bare {
  steps: readonly Timed[];
  bareResets: readonly number[];
  observations: readonly Observations[];
}

function results(
  ours: readonly Played[],
  { steps: theirs, bareResets, observations }: Bare,
  { oursAtOnce, bareAtOnce, memory, parallel }: Record<"oursAtOnce" | "bareAtOnce" | "memory" | "parallel", number>,
): BenchResult[] {
  const unit = "ms";
  const reset = median(ours.map(({ resetMs }) => resetMs));
  const steps = ours.flatMap((played) => played.steps);
  const all = (list: readonly Timed[]) => median(list.map(({ ms }) => ms));
  const of = (list: readonly Timed[], isNavigation: boolean) =>
    all(list.filter((one) => one.isNavigation === isNavigation));
  return [
    { name: "reset, p50", value: reset, unit, target: "< 150" },
    {
      name: "reset over a bare context, its first page and one tree",
      value: reset,
      unit,
      baseline: median(bareResets),
    },
    {
      name: "step over the bare action and one tree, p50",
      value: all(steps),
      unit,
      baseline: all(theirs),
      target: "< 3",
    },
    { name: "step that loads a page, over bare", value: of(steps, true), unit, baseline: of(theirs, true) },
    { name: "step within a page, over bare", value: of(steps, false), unit, baseline: of(theirs, false) },
    {
      name: "the original's observation over ours, of the same pages",
      value: median(observations.map(({ perNode }) => perNode)),
      unit,
      baseline: median(observations.map((one) => one.ours)),
      target: ">= 10",
    },
    {
      name: `steps with ${parallel} episodes at once, over bare`,
      value: oursAtOnce,
      unit: "1/s",
      baseline: bareAtOnce,
    },
    { name: "memory of an episode", value: memory, unit: "MiB" },
  ];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
