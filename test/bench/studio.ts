/**
 * The studio in Chromium: the time until rows are seen, also after a filter, the frames of scrolling and the memory of the
 * page, with 10,000 episodes and with an episode of 2,000 steps. Frames and tasks are those of the browser's own trace. The baseline is a
 * page of plain rows without scripts, which the same browser scrolls in turns with ours.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, CDPSession, Page } from "playwright";
import { launchChromium } from "../support/chromium.js";
import { root } from "../support/server-process.js";
import { episodeTable } from "./episode-table.js";
import { firstRowMs } from "./first-row.js";
import { type BenchResult, median } from "./report.js";
import { type Scroll, scrollOnce, scrollPlainRows, shapeOf } from "./scrolling.js";
import { startPalestra } from "./servers.js";
import { createEpisodes } from "./steps.js";

const episodes = 10_000;
const steps = 2_000;
/** Number of episodes, and of steps, per request. */
const chunk = 500;
/** Number of scrolls of each list, in alternation with scrolls of plain rows. The result is the median. */
const rounds = 5;
const MiB = 2 ** 20;

export async function studio(): Promise<BenchResult[]> {
  const server = await startPalestra();
  const browser = await launchChromium();
  try {
    const ids: string[] = [];
    while (ids.length < episodes) ids.push(...(await createEpisodes(server.url, chunk)));
    const longest = ids.at(-1) as string;
    await play(server.url, longest);
    return [
      ...(await measure(browser, `${server.url}/ui/#/episodes`, {
        name: `${episodes} episodes`,
        rows: episodes,
        row: "a.row",
        down: true,
      })),
      ...(await measure(browser, `${server.url}/ui/#/episodes/${longest}`, {
        name: `${steps} steps`,
        rows: steps + 1,
        row: ".step",
        down: false,
      })),
      ...(await episodeTable(browser)),
      { name: "files of the page, gzip", value: bundleBytes() / 1_000, unit: "kB", target: "< 110" },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Plays the steps of an episode, with observations of different lengths. */
async function play(url: string, episodeId: string): Promise<void> {
  for (let from = 0; from < steps; from += chunk) {
    const batch = Array.from({ length: chunk }, (_, i) => ({
      episodeId,
      index: from + i,
      action: (from + i) % 2 === 0 ? "inventory" : `get ${from + i} oak log`,
    }));
    const body = JSON.stringify({ steps: batch });
    const headers = { "content-type": "application/json" };
    const reply = await fetch(`${url}/v1/stepMany`, { method: "POST", headers, body });
    const { results } = (await reply.json()) as { results: { error?: object }[] };
    const refused = results.find(({ error }) => error);
    if (refused) throw new Error(`expected ${chunk} steps but received ${JSON.stringify(refused)}`);
  }
}

interface List {
  name: string;
  /** Number of rows of the whole list. */
  rows: number;
  /** Selector of a row of the list. */
  row: string;
  /** Whether the list opens at its first row, and not at its last. */
  down: boolean;
}

async function measure(browser: Browser, url: string, list: List): Promise<BenchResult[]> {
  const { name } = list;
  const paints: number[] = [];
  const [ours, plain]: [Scroll[], Scroll[]] = [[], []];
  let memory = { heap: 0, own: 0 };
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    const page = await context.newPage();
    // Each round is a first visit: the browser loads and compiles all files with an empty cache.
    paints.push(await firstRowMs(page, url, list.row));
    // The last steps of an episode are loaded in the background.
    if (!list.down) await page.locator(`[aria-setsize="${list.rows}"]`).first().waitFor();
    const session = await context.newCDPSession(page);
    const direction = list.down ? -1 : 1;
    ours.push(await scrollOnce(page, session, direction));
    const shape = await shapeOf(page, list.row, list.rows);
    if (round === rounds - 1) {
      await loadAll(page);
      memory = await rendererBytes(browser, session);
    }
    await page.close();
    plain.push(await scrollPlainRows(context, shape, direction));
    await context.close();
  }
  return [
    { name: `${name}: first rows are painted`, value: median(paints), unit: "ms", target: "< 1000" },
    ...comparisons(name, ours, plain),
    { name: `${name}: script memory`, value: memory.heap / MiB, unit: "MiB" },
    { name: `${name}: private memory of the page's process`, value: memory.own / MiB, unit: "MiB", target: "< 150" },
  ];
}

/** Compares the scrolls of a list with those of plain rows, which a busy machine slows down as much. */
function comparisons(name: string, ours: readonly Scroll[], plain: readonly Scroll[]): BenchResult[] {
  const compare = (figure: keyof Scroll, text: string): BenchResult => ({
    name: `${name}: ${text}`,
    value: median(ours.map((scroll) => scroll[figure])),
    baseline: median(plain.map((scroll) => scroll[figure])),
    unit: "ms",
  });
  const slow = (scrolls: readonly Scroll[]) => scrolls.reduce((sum, scroll) => sum + scroll.slow, 0);
  const target = { target: "<= 50", isTargetOfValue: true };
  return [
    { ...compare("frameMs", "longest time between frames of scrolling"), ...target },
    { name: `${name}: times over 50 ms in ${rounds} scrolls`, value: slow(ours), unit: "" },
    { name: `${name}: times over 50 ms in ${rounds} scrolls of plain rows`, value: slow(plain), unit: "" },
    { ...compare("taskMs", "longest task of scrolling"), ...target },
    { ...compare("taskCpuMs", "most processor time of a task of scrolling"), ...target },
    compare("cpuMs", "processor time of a frame, all threads"),
  ];
}

/** Scrolls to the end of the list, until no more rows are loaded. */
async function loadAll(page: Page): Promise<void> {
  const toEnd = "(({ scrollHeight }) => scrollHeight)(Object.assign(list, { scrollTop: 1e9 }))";
  for (let height = -1, quiet = 0; quiet < 5; await page.waitForTimeout(100)) {
    const now = await page.evaluate<number>(`{ const list = document.querySelector(".windowed"); ${toEnd} }`);
    quiet = now === height ? quiet + 1 : 0;
    height = now;
  }
}

/** Returns the bytes of the page's script objects, and the private memory of its process. */
async function rendererBytes(browser: Browser, session: CDPSession): Promise<{ heap: number; own: number }> {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
  const own = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => privateBytes(id));
  return { heap, own: Math.max(...own) };
}

function privateBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].map(([, size]) => Number(size));
  return kilobytes.reduce((sum, size) => sum + size, 0) * 1_024;
}

/** Returns the bytes of all scripts and styles of the page, each compressed by gzip. */
function bundleBytes(): number {
  const folder = join(root, "dist/server/ui");
  const files = ["index.html", ...readdirSync(join(folder, "assets")).map((name) => `assets/${name}`)];
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
}
