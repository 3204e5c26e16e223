/** The table of episodes in Chromium: the time until its first rows are painted, and from a filter or an order to its rows. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { scratchDir, startGym } from "../support/server-process.js";
import { fillLog } from "./filled-log.js";
import { firstRowMs } from "./first-row.js";
import { type BenchResult, median } from "./report.js";

const episodes = 10_000;
/** Number of visits of the page. The result is the median. */
const rounds = 5;
/** Milliseconds in which a page may show no new rows. */
const mostMs = 60_000;

/** Choices in the table: the label of a field with its value, or the name of a column's head. */
const choices = [
  { name: "solved ones", field: "Outcome", value: "solved" },
  { name: "running ones, one in 500", field: "Outcome", value: "running" },
  { name: "an environment, one in 1,000", field: "Environment", value: "sciworld" },
  { name: "a run, one in 70", field: "Run", value: "run 3" },
  { name: "a text", field: "Text in goal, id, task, seed or options", value: "seed 9777" },
  { name: "words of a goal", field: "Text in goal, id, task, seed or options", value: "planks acacia" },
  { name: "the highest return first", field: "Order", value: "highest" },
  { name: "the most steps first", head: "Steps" },
] as const;

export async function episodeTable(browser: Browser): Promise<BenchResult[]> {
  const { path, remove } = scratchDir();
  const dataDir = join(path, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  fillLog(join(dataDir, "episodes.db"), episodes);
  const gym = await startGym({ dataDir, showErrors: true });
  try {
    return await measured(browser, `${gym.url}/ui/#/episodes`);
  } finally {
    await gym.process.kill();
    remove();
  }
}

async function measured(browser: Browser, url: string): Promise<BenchResult[]> {
  const paints: number[] = [];
  const times = new Map<string, number[]>(choices.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    const page = await context.newPage();
    paints.push(await firstRowMs(page, url, "a.row"));
    for (const choice of choices) {
      await page.goto(`${url}?tag=`);
      await page.goto(url);
      await page.locator("a.row").nth(10).waitFor();
      times.get(choice.name)?.push(await chosenMs(page, choice));
    }
    await context.close();
  }
  return [
    { name: `table of ${episodes}: first rows are painted`, value: median(paints), unit: "ms", target: "< 1000" },
    ...[...times].map(
      ([name, values]): BenchResult => ({
        name: `table of ${episodes}, filter to rows: ${name}`,
        value: median(values),
        unit: "ms",
        target: "< 200",
      }),
    ),
  ];
}

/** Returns the milliseconds from a choice until a frame with the rows of the new list was painted. */
async function chosenMs(page: Page, choice: (typeof choices)[number]): Promise<number> {
  // The script is a text, since the page lacks the compiler's helpers.
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const choice = ${JSON.stringify(choice)};
    const before = document.querySelector(".windowed");
    const begun = performance.now();
    const look = () => {
      const list = document.querySelector(".windowed");
      if (list && list !== before && list.querySelector("a.row"))
        return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
      if (performance.now() - begun > ${mostMs}) return reject(new Error("expected new rows of " + choice.name));
      requestAnimationFrame(look);
    };
    if (choice.head) {
      [...document.querySelectorAll("button.head")].find((head) => head.textContent.startsWith(choice.head)).click();
    } else {
      const field = document.querySelector('[aria-label="' + choice.field + '"]');
      field.value = choice.value;
      field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
    }
    look();
  })`);
}
