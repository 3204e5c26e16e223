/** The page of a benchmark run, its script run on a document of a few lines. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { diagnose } from "#palestra/trainer/evaluation/diagnosis.js";
import type { Evaluation } from "#palestra/trainer/evaluation/evaluate.js";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { successByRounds } from "#palestra/trainer/evaluation/rounds.js";
import { summarise } from "#palestra/trainer/evaluation/summary.js";
import { curveChart } from "#palestra/trainer/report/curve-chart.js";
import { evaluationHtml } from "#palestra/trainer/report/evaluation-html.js";
import { histogram } from "#palestra/trainer/report/histogram.js";

const hostile = '</script><img src=x onerror="alert(1)"> & <!--<script>';

function record(index: number, sample: number, change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  const played = { environment: "textcraft@1", split: "test", index, seed: sample };
  const turns = [{ reply: `I try ${hostile}`, action: "get wood", observation: "Got 1 oak log", reward: 0 }];
  const opening = `Goal ${index}`;
  return {
    played,
    sample,
    family: "easy",
    status: "terminated",
    score: 0,
    solved: false,
    wallMs: 500,
    opening,
    turns,
    ...change,
  };
}

const solved = { score: 1, solved: true };
const failure = {
  class: "policy",
  code: "POLICY_TIMEOUT",
  message: `expected a reply, but received ${hostile}`,
} as const;

function page(records: readonly EpisodeRecord[], k = 2): string {
  const summary = summarise(records, records.length, undefined);
  const byRounds = successByRounds(records, [1, 5], 1);
  const diagnosis = diagnose(records);
  const about = {
    environment: "textcraft@1",
    split: "test",
    policy: hostile,
    k,
    seed: 0,
    maxRounds: 5,
    format: "react",
  };
  const report = {
    ...about,
    options: {},
    policySettings: {},
    notes: [hostile],
    complete: true,
    summary,
    byRounds,
    diagnosis,
  };
  return evaluationHtml({ report, records, prompt: hostile } as Evaluation);
}

const four = [
  record(0, 0, solved),
  record(0, 1),
  record(7, 0, { turns: [{ reply: "LAMP on", observation: "A lamp glows", reward: 1 }] }),
  record(7, 1, { status: "failed", failure, turns: [] }),
];

/** As much of an element as the script uses; it has no way to set HTML. */
class FakeElement {
  children: (FakeElement | string)[] = [];
  listeners: Record<string, (event: object) => void> = {};
  className = "";
  hidden = false;
  value = "";
  open = false;
  scrolledTo = false;

  constructor(
    readonly tag = "",
    text = "",
  ) {
    if (text !== "") this.children.push(text);
  }

  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children);
  }

  replaceChildren(): void {
    this.children = [];
  }

  scrollIntoView(): void {
    this.scrolledTo = true;
  }

  addEventListener(name: string, listener: (event: object) => void): void {
    this.listeners[name] = listener;
  }

  get childElementCount(): number {
    return this.children.filter((child) => child instanceof FakeElement).length;
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === "string" ? child : child.textContent)).join("");
  }

  set textContent(text: string) {
    this.children = [text];
  }

  all(tag: string): FakeElement[] {
    const inside = this.children.flatMap((child) => (typeof child === "string" ? [] : child.all(tag)));
    return this.tag === tag ? [this, ...inside] : inside;
  }
}

function browse(html: string) {
  const json = /<script type="application\/json" id="transcripts">([^<]*)<\/script>/.exec(html)?.[1] as string;
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] as string;
  const elements: Record<string, FakeElement> = { transcripts: new FakeElement("script", json) };
  const byId = (id: string) => (elements[id] ??= new FakeElement("div"));
  const document = { getElementById: byId, createElement: (tag: string) => new FakeElement(tag) };
  runInNewContext(script, { document, setTimeout: (work: () => void) => work(), clearTimeout() {} });
  const search = (text: string) => {
    byId("query").value = text;
    byId("query").listeners.input?.({});
    return byId("list")
      .all("details")
      .map((details) => details.all("b")[0]?.textContent);
  };
  return { byId, search };
}

describe("the page of an evaluation", () => {
  test("numbers the samples of a task from 1, where it has several", () => {
    const { search } = browse(page(four));
    expect(search("")).toEqual([
      "test:0 sample 1 of 2",
      "test:0 sample 2 of 2",
      "test:7 sample 1 of 2",
      "test:7 sample 2 of 2",
    ]);
    expect(browse(page([record(0, 0)], 1)).search("")).toEqual(["test:0"]);
  });

  test("finds transcripts in which each word occurs, in whatever case", () => {
    const { byId, search } = browse(page(four));
    expect(search("lamp GLOWS")).toEqual(["test:7 sample 1 of 2"]);
    expect(search("oak wood")).toEqual(["test:0 sample 1 of 2", "test:0 sample 2 of 2"]);
    expect(byId("count").textContent).toBe("2 of 4");
    expect(search("policy_timeout")).toEqual(["test:7 sample 2 of 2"]);
    expect(search("lamp oak")).toEqual([]);
    byId("filter").listeners.change?.({ target: { name: "kind", value: "solved" } });
    expect(search("")).toEqual(["test:0 sample 1 of 2"]);
  });

  test("shows a transcript of thousands when it is opened, page by page", () => {
    const { byId, search } = browse(
      page(
        Array.from({ length: 2_500 }, (_, index) => record(index, 0)),
        1,
      ),
    );
    expect(search("")).toHaveLength(100);
    byId("more").listeners.click?.({});
    expect(byId("list").all("details")).toHaveLength(200);
    expect(search("2345")).toEqual(["test:2345"]);
    const details = byId("list").all("details")[0] as FakeElement;
    expect(details.all("pre")).toHaveLength(0);
    details.listeners.toggle?.({});
    expect(details.all("pre").map(({ textContent }) => textContent)).toEqual([
      "Goal 2345",
      `I try ${hostile}`,
      "Got 1 oak log",
    ]);
    expect(details.all("mark").map(({ textContent }) => textContent)).toContain("2345");
  });

  test("opens the transcript of one of the worst episodes", () => {
    const html = page(four);
    const [, at] = /data-episode="(\d+)">test:0 sample 2 of 2: [^<]+% of actions repeated/.exec(html) ?? [];
    const { byId } = browse(html);
    byId("worst").listeners.click?.({ target: { dataset: { episode: at } } });
    const shown = byId("list").all("details");
    expect(shown.map((details) => details.all("b")[0]?.textContent)).toEqual(["test:0 sample 2 of 2"]);
    expect(shown.map(({ open, scrolledTo }) => [open, scrolledTo])).toEqual([[true, true]]);
    expect(byId("count").textContent).toBe("1 of 4");
    byId("worst").listeners.click?.({ target: { dataset: {} } });
    expect(byId("list").all("details")).toHaveLength(1);
  });

  test("has success by rounds as a chart and a table, and the diagnosis", () => {
    const html = page(four);
    expect(html).toContain('aria-label="Success by rounds"');
    expect(html).toMatch(/<td>in 1 rounds<\/td><td>33\.3 % \[[^\]]+\], 1 of 3 episodes<\/td>/);
    expect(html).toMatch(/<td>rounds without progress<\/td><td>0\.3 \(observation\)<\/td>/);
  });

  test("never lets text of others become HTML", () => {
    const html = page(four);
    expect(html).not.toContain("<img");
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toContain("<!--");
    expect(html).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/);
  });

  test("draws success by family with intervals, pass@k and the distribution of steps", () => {
    const html = page(four);
    for (const title of ["Success by family", "Pass@k", "Steps of an episode"]) {
      expect(html).toContain(`aria-label="${title}"`);
    }
    expect(html).toMatch(/<title>easy: 33\.3 % \[\d+\.\d %, \d+\.\d %\], of 3<\/title>/);
    expect(html).toContain("<title>1: 1 solved</title>");
    expect(html).toContain("<title>1: 2 unsolved</title>");
  });

  test("of episodes that all failed has no charts, and names the reason and the remedy", () => {
    const html = page([record(0, 0, { status: "failed", failure, turns: [] })]);
    expect(html).not.toContain("<svg");
    expect(html).toContain("Raise --timeout");
  });
});

describe("a chart", () => {
  test("of one point shows it as a dot, within axes that hold 0", () => {
    const svg = curveChart({ title: "Loss", unit: "", curves: [{ label: "loss", points: [[5, -3]] }] }) as string;
    const [, x, y] = /<circle class="c0" cx="([\d.]+)" cy="([\d.]+)" r="4"\/>/.exec(svg) as unknown as [
      string,
      number,
      number,
    ];
    expect(Number(x)).toBeGreaterThan(52);
    expect(Number(x)).toBeLessThan(548);
    expect(Number(y)).toBeGreaterThan(12);
    expect(Number(y)).toBeLessThanOrEqual(212);
    expect(svg).toContain(">0</text>");
    expect(svg).not.toContain("NaN");
  });

  test("shows a point between gaps as a dot, and others as a line", () => {
    const points = [1, Number.NaN, 3, Number.NaN, 4, 5].map((value, step) => [step, value] as const);
    const svg = curveChart({ title: "Loss", unit: "", curves: [{ label: "loss", points }] }) as string;
    expect(svg.match(/<circle/g)).toHaveLength(2);
  });

  test("counts each value once, whole numbers in bins of their own", () => {
    const values = [3, 3, 4, 7];
    const svg = histogram("Steps", "", [{ label: "solved", colour: "c2", values }]) as string;
    expect([...svg.matchAll(/<title>(.+?)<\/title>/g)].map(([, text]) => text)).toEqual([
      "3: 2 solved",
      "4: 1 solved",
      "7: 1 solved",
    ]);
    const wide = histogram("Steps", "", [{ label: "all", colour: "c2", values: [0, 1_000, 0.5] }]) as string;
    expect(wide.match(/<title>/g)).toHaveLength(2);
    expect(histogram("Steps", "", [{ label: "solved", colour: "c2", values: [] }])).toBeUndefined();
    // Sums of rewards that are 1 but for their rounding.
    const flat = histogram("Scores", "", [{ label: "all", colour: "c2", values: [1, 1 - 2 ** -53, 1 + 2 ** -52] }]);
    expect(flat).toContain(": 3 all");
  });
});
