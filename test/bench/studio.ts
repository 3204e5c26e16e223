/**
 * The studio in Chromium: the time until rows are seen, the frames of scrolling and the memory of the page, with 10,000
 * episodes and with an episode of 2,000 steps. Frames and tasks are those of the browser's own trace.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, CDPSession, Page } from "playwright";
import { launchChromium } from "../support/chromium.js";
import { root } from "../support/server-process.js";
import type { BenchResult } from "./report.js";
import { startPalestra } from "./servers.js";
import { createEpisodes } from "./steps.js";

const episodes = 10_000;
const steps = 2_000;
/** Episodes of one request, and steps of one. */
const chunk = 500;
/** Pixels, and pixels a second, of a scroll. */
const scroll = { distance: 40_000, speed: 10_000 };
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
        row: ".row",
        down: true,
      })),
      ...(await measure(browser, `${server.url}/ui/#/episodes/${longest}`, {
        name: `${steps} steps`,
        row: ".step",
        down: false,
      })),
      { name: "files of the page, gzip", value: bundleBytes() / 1_000, unit: "kB", target: "< 100" },
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
  /** Selector of a row of the list. */
  row: string;
  /** Whether the list starts at its first row, and not at its last. */
  down: boolean;
}

async function measure(browser: Browser, url: string, { name, row, down }: List): Promise<BenchResult[]> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  // A first visit would measure the network and the compiler of an empty cache, as a user's first visit does.
  const paintMs = await firstRowMs(page, url, row);
  const session = await context.newCDPSession(page);
  const { frameMs, taskMs } = await scrolling(page, session, down ? -1 : 1);
  await loadAll(page);
  const memory = await rendererBytes(browser, session);
  await context.close();
  return [
    { name: `${name}: first rows are painted`, value: paintMs, unit: "ms", target: "< 1000" },
    { name: `${name}: longest time between frames of scrolling`, value: frameMs, unit: "ms", target: "<= 50" },
    { name: `${name}: longest task of scrolling`, value: taskMs, unit: "ms", target: "<= 50" },
    { name: `${name}: script memory`, value: memory.heap / MiB, unit: "MiB" },
    { name: `${name}: private memory of the page's process`, value: memory.own / MiB, unit: "MiB", target: "< 150" },
  ];
}

/** Returns the milliseconds from the start of the navigation until a frame with rows was painted. */
async function firstRowMs(page: Page, url: string, row: string): Promise<number> {
  // A script as text, since the compiler's helpers are missing in the page.
  await page.addInitScript(`
    window.firstRow = new Promise((resolve) => {
      const look = () => {
        if (!document.querySelector(${JSON.stringify(row)})) return requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      };
      look();
    });
  `);
  await page.goto(url);
  return page.evaluate<number>("firstRow");
}

interface TraceEvent {
  name: string;
  ph: string;
  /** Microseconds. */
  ts: number;
  dur?: number;
  pid: number;
  tid: number;
}

/** @param direction -1 scrolls towards the end of the list */
async function scrolling(
  page: Page,
  session: CDPSession,
  direction: -1 | 1,
): Promise<{ frameMs: number; taskMs: number }> {
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const finished = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  const categories = "devtools.timeline,disabled-by-default-devtools.timeline.frame,toplevel";
  await session.send("Tracing.start", { transferMode: "ReportEvents", categories });
  await page.mouse.move(300, 500);
  await session.send("Input.synthesizeScrollGesture", {
    ...{ x: 300, y: 500, yDistance: direction * scroll.distance, speed: scroll.speed },
    preventFling: true,
  });
  await session.send("Tracing.end");
  await finished;
  const drawn = events.filter(({ name }) => name === "DrawFrame").map(({ ts }) => ts);
  drawn.sort((a, b) => a - b);
  if (drawn.length < 100) throw new Error(`expected a trace of at least 100 frames but received ${drawn.length}`);
  const main = events.find(({ name }) => name === "UpdateLayoutTree");
  const onMain = events.filter(({ pid, tid }) => pid === main?.pid && tid === main.tid);
  const tasks = onMain.filter(({ name }) => name === "ThreadControllerImpl::RunTask").map(({ dur = 0 }) => dur);
  const gaps = drawn.slice(1).map((at, i) => at - (drawn[i] as number));
  return { frameMs: Math.max(...gaps) / 1_000, taskMs: Math.max(...tasks) / 1_000 };
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

/** Returns the bytes of the page's script objects, and the memory that its process alone has. */
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
