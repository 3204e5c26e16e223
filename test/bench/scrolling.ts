/**
 * Measures a scroll gesture in Chromium by the browser's own trace. A scroll of a plain page gives the smallest
 * possible cost.
 */
import type { BrowserContext, CDPSession, Page } from "playwright";

/** Length of a gesture in pixels, and its speed in pixels per second. */
const gesture = { distance: 40_000, speed: 10_000 };
const categories = "devtools.timeline,disabled-by-default-devtools.timeline.frame,toplevel";

export interface Scroll {
  /** Longest time between two frames, in milliseconds. */
  frameMs: number;
  /** Number of times between two frames that are above 50 ms. */
  slow: number;
  /** Longest task of the page's main thread, in milliseconds. */
  taskMs: number;
  /**
   * Largest processor time of a task of the page's main thread, in milliseconds. Other processes do not lengthen it.
   */
  taskCpuMs: number;
  /** Processor time of all threads of the browser per frame, in milliseconds. */
  cpuMs: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  /** Duration in microseconds. */
  ts: number;
  dur?: number;
  /** Processor time in microseconds. */
  tdur?: number;
  pid: number;
  tid: number;
  args: { name?: string };
}

/** Scrolls the element in the middle of the list. @param direction -1 to scroll towards the end of the list */
export async function scrollOnce(page: Page, session: CDPSession, direction: -1 | 1): Promise<Scroll> {
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) events.push(event);
  });
  const finished = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", { transferMode: "ReportEvents", categories });
  await page.mouse.move(300, 500);
  await session.send("Input.synthesizeScrollGesture", {
    ...{ x: 300, y: 500, yDistance: direction * gesture.distance, speed: gesture.speed },
    preventFling: true,
  });
  await session.send("Tracing.end");
  await finished;
  return scrollOf(events);
}

function scrollOf(events: readonly TraceEvent[]): Scroll {
  const drawn = events.filter(({ name }) => name === "DrawFrame").map(({ ts }) => ts);
  drawn.sort((a, b) => a - b);
  if (drawn.length < 50) throw new Error(`expected a trace of at least 50 frames but received ${drawn.length}`);
  const gaps = drawn.slice(1).map((at, i) => (at - (drawn[i] as number)) / 1_000);
  const isTask = ({ name }: TraceEvent) => name === "ThreadControllerImpl::RunTask" || name === "ThreadPool_RunTask";
  const tasks = events.filter(isTask);
  const threads = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const main = tasks.filter(({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid));
  return {
    frameMs: Math.max(...gaps),
    slow: gaps.filter((ms) => ms > 50).length,
    taskMs: Math.max(...main.map(({ dur = 0 }) => dur)) / 1_000,
    taskCpuMs: Math.max(...main.map(({ tdur = 0 }) => tdur)) / 1_000,
    cpuMs: tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000 / drawn.length,
  };
}

/** Size, place and row text that a plain page copies from a list. */
export interface ListShape {
  rows: number;
  rowHeight: number;
  /** Text of a row. */
  text: string;
  /** Place of the list in the window, in pixels. */
  box: { x: number; y: number; width: number; height: number };
}

export async function shapeOf(page: Page, row: string, rows: number): Promise<ListShape> {
  const shape = await page.evaluate<Omit<ListShape, "rows">>(`{
    const row = document.querySelector(${JSON.stringify(row)});
    const { x, y, width, height } = document.querySelector(".windowed").getBoundingClientRect();
    ({ rowHeight: row.offsetHeight, text: row.innerText.replace(/\\s+/g, " "), box: { x, y, width, height } });
  }`);
  return { rows, ...shape };
}

/**
 * Scrolls a page without scripts. It has as many rows of the same height, in the same place, each a paragraph of the
 * same text.
 */
export async function scrollPlainRows(context: BrowserContext, shape: ListShape, direction: -1 | 1): Promise<Scroll> {
  const page = await context.newPage();
  await page.setContent(plainRows(shape));
  if (direction === 1) await page.evaluate("document.querySelector('main').scrollTop = 1e9");
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))");
  const scroll = await scrollOnce(page, await context.newCDPSession(page), direction);
  await page.close();
  return scroll;
}

function plainRows({ rows, rowHeight, text, box }: ListShape): string {
  const style = `
    body { margin: 0; font: 14px / ${rowHeight}px system-ui }
    p { margin: 0; height: ${rowHeight}px; white-space: nowrap; overflow: clip }
    main { position: absolute; overflow: auto;
      left: ${box.x}px; top: ${box.y}px; width: ${box.width}px; height: ${box.height}px }`;
  const paragraphs = Array.from({ length: rows }, (_, i) => `<p>${i} ${text.replace(/[&<]/g, " ")}</p>`);
  return `<!doctype html><title>Plain rows</title><style>${style}</style><main>${paragraphs.join("")}</main>`;
}
