/** Compares the evaluators with those of the public package (test/peers/webarena-evaluators.py), case by case. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  checkSpec,
  type EvaluationSpec,
  evaluate,
  needsJudge,
} from "#palestra/envs/shared/web-tasks/evaluators/evaluate.js";
import type { EvaluatedPage } from "#palestra/envs/shared/web-tasks/evaluators/program-html.js";
import type { Judge } from "#palestra/envs/shared/web-tasks/evaluators/string-match.js";
import { wordTokens } from "#palestra/envs/shared/web-tasks/evaluators/word-tokens.js";

interface RecordedPage {
  content: string;
  values: Record<string, unknown>;
  role?: string;
}

interface Shop {
  latestOrderUrl: string;
  latestReviewAuthor: string;
  latestReviewRating: string;
}

interface Case {
  task: number;
  answer: string;
  lastUrl: string;
  pages: Record<string, RecordedPage>;
  shop?: Partial<Shop>;
  score: number;
  /** Error of the public evaluators, instead of a score. */
  error?: string;
}

interface Recording {
  shop: Shop;
  specs: { id: number; intent: string; eval: EvaluationSpec }[];
  cases: Case[];
}

function recorded(name: string): Recording {
  const path = new URL(`../../../fixtures/webarena/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(path)).toString());
}

const original = recorded("evaluations");
const lite = recorded("lite");

/** Rule that replaced the judge in the recording. */
const isJudgedRight: Judge["isEquivalent"] = async ({ reference, answer }) => {
  const [word] = reference.toLowerCase().split(/\s+/).filter(Boolean);
  return word !== undefined && answer.toLowerCase().includes(word);
};

function pageAt(url: string, pages: Case["pages"]): EvaluatedPage {
  const page = pages[url];
  return {
    url: () => url,
    settled: async () => {},
    changes: async () => false,
    content: async () => page?.content ?? "<html></html>",
    evaluate: async (expression) => {
      if (expression.includes("td.col-max-role")) return page?.role;
      if (!page || !(expression in page.values)) throw new Error("TypeError: Cannot read properties of null");
      return page.values[expression];
    },
    close: async () => {},
  };
}

async function scoreOf({ shop, specs }: Recording, { task, answer, lastUrl, pages, shop: own }: Case): Promise<number> {
  const { intent, eval: spec } = specs.find(({ id }) => id === task) as Recording["specs"][number];
  const facts = { ...shop, ...own };
  const verdicts = await evaluate(spec, intent, {
    answer,
    judge: { isEquivalent: isJudgedRight, isSameReason: isJudgedRight },
    page: pageAt(lastUrl, pages),
    open: async (url) => pageAt(url, pages),
    shop: {
      latestOrderUrl: async () => facts.latestOrderUrl,
      latestReviewAuthor: async () => facts.latestReviewAuthor,
      latestReviewRating: async () => facts.latestReviewRating,
    },
  });
  return verdicts.every(({ passed }) => passed) ? 1 : 0;
}

async function differencesIn(recording: Recording): Promise<unknown[]> {
  const differing: unknown[] = [];
  for (const one of recording.cases) {
    if (one.error !== undefined) continue;
    const score = await scoreOf(recording, one);
    if (score !== one.score) differing.push({ ...one, ours: score });
  }
  return differing;
}

describe("the evaluators", () => {
  test("execute the specs of all 812 tasks, of which 118 need an LLM judge", () => {
    const { specs } = original;
    expect(specs).toHaveLength(812);
    for (const { eval: spec } of specs) checkSpec(spec);
    expect(specs.filter(({ eval: spec }) => needsJudge(spec))).toHaveLength(118);
  });

  test("agree with the public package in every recorded case", async () => {
    const { cases } = original;
    expect(await differencesIn(original)).toEqual([]);
    expect(cases.filter(({ score }) => score === 0).length).toBeGreaterThan(1_000);
    expect(cases.length).toBeGreaterThan(3_000);
  });

  test("agree with WebArena-Lite's in every recorded case, except for a task that those cannot evaluate", async () => {
    const { cases } = lite;
    expect(await differencesIn(lite)).toEqual([]);
    expect(cases.filter(({ score }) => score === 0).length).toBeGreaterThan(200);
    expect(new Set(cases.flatMap(({ task, error }) => (error === undefined ? [] : [task])))).toEqual(new Set([81]));
  });

  test.each([
    ["It is 5. That is all.", ["It", "is", "5", ".", "That", "is", "all", "."]],
    ["$5.00, he said", ["$", "5.00", ",", "he", "said"]],
    ['He said "5".', ["He", "said", "``", "5", "''", "."]],
    ["don't; (can't)", ["do", "n't", ";", "(", "ca", "n't", ")"]],
  ])("tokenize %s like NLTK", (text, tokens) => {
    expect(wordTokens(text)).toEqual(tokens);
  });

  test("call a function locator of WebArena-Lite, and fail a page without its element", async () => {
    const contents = { must_include: ["plum"] };
    const target = { url: "last", locator: "lambda: () => document.title", required_contents: contents };
    const spec: EvaluationSpec = { dialect: "lite", eval_types: ["program_html"], program_html: [target] };
    const verdict = (value: unknown) => {
      const page = { ...pageAt("http://a.test/", {}), evaluate: async () => value };
      return evaluate(spec, "", { answer: "", page } as never);
    };
    expect(await verdict("A plum")).toMatchObject([{ passed: true }]);
    expect(await verdict(null)).toMatchObject([{ passed: false }]);
    expect(() => checkSpec({ ...spec, dialect: undefined } as never)).toThrow("without an LLM judge");
  });

  test.each([
    [{ url: "func:os.remove('a')" }, "reddit_get_post_url"],
    [{ locator: "func:__import__('os')" }, "document."],
    [{ locator: "fetch('http://a')" }, "document."],
  ])("refuse %j, which names no helper", (change, expected) => {
    const target = { url: "last", locator: "", required_contents: { must_include: ["a"] }, ...change };
    const spec: EvaluationSpec = { eval_types: ["program_html"], program_html: [target] };
    expect(() => checkSpec(spec)).toThrow(expected);
  });
});
