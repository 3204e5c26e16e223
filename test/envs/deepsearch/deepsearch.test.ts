/** Deep search: actions, observations, rewards, and replays without queries. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readAction } from "#palestra/envs/deepsearch/actions.js";
import { DeepSearch } from "#palestra/envs/deepsearch/env.js";
import { isJudgedRight } from "#palestra/envs/deepsearch/judged.js";
import type { JsonValue } from "#palestra/envs/env.js";
import type { Question } from "#palestra/envs/shared/questions/question.js";
import { type Source, windowOf } from "#palestra/envs/shared/retrieval/source.js";
import { TestRetrieveServer } from "../../support/retrieve-server.js";
import { startNode } from "../../support/server-process.js";
import { scratch, serve } from "../../support/serving.js";
import { serveChat } from "../../trainer/support/chat-server.js";

const signal = () => new AbortController().signal;

describe("an action", () => {
  test.each([
    ["<search> hafnium </search>", { kind: "search", query: "hafnium" }],
    ["I think.\n<search>two\nlines</search><answer>no</answer>", { kind: "search", query: "two\nlines" }],
    ["<open>city/rome</open>", { kind: "open", page: "city/rome", offset: 0 }],
    ["<access>city/rome from 4000</access>", { kind: "open", page: "city/rome", offset: 4000 }],
    ["<open>a page from the past</open>", { kind: "open", page: "a page from the past", offset: 0 }],
    ["<open>p from 99999999999</open>", { kind: "open", page: "p from 99999999999", offset: 0 }],
    ["<answer>Rome</answer>", { kind: "answer", answer: "Rome", cited: [] }],
    [
      "<answer>Rome</answer><cite>a, b</cite> <cite>b,,c </cite>",
      { kind: "answer", answer: "Rome", cited: ["a", "b", "c"] },
    ],
    ["<cite>before</cite><answer>Rome <cite>a</cite></answer>", { kind: "answer", answer: "Rome", cited: ["a"] }],
    ["<search>never closed", { kind: "invalid" }],
    ["<search>closed by another</open>", { kind: "invalid" }],
    ["", { kind: "invalid" }],
  ])("is read from %j", (text, action) => expect(readAction(text)).toEqual(action));

  test("cites at most twenty pages", () => {
    const pages = Array.from({ length: 50 }, (_, at) => `p${at}`).join(",");
    expect(readAction(`<answer>x</answer><cite>${pages}</cite>`)).toMatchObject({ cited: { length: 20 } });
  });
});

const question: Question = {
  id: "q",
  question: "Who discovered hafnium?\n",
  golden: ["George de Hevesy", "Hevesy"],
  metadata: { hops: 1 },
};

const pages = {
  hafnium: {
    id: "hafnium",
    title: "Hafnium",
    text: `${"x".repeat(4_100)} by George de Hevesy`,
    links: [{ id: "rome", title: "Rome" }],
  },
  rome: { id: "rome", title: "Rome", text: "A city.", links: [] },
};

/** A source with pages of this test, which counts its calls. */
function source() {
  const asked: string[] = [];
  const own: Source = {
    async search(query) {
      asked.push(query);
      return query === "nothing" ? [] : [{ id: "hafnium", title: "Hafnium", text: "An element.", score: 2 }];
    },
    async open(id, offset, signal) {
      asked.push(id);
      if (id === "slow")
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      const page = pages[id as keyof typeof pages];
      return page ? windowOf(page, offset) : null;
    },
    close: async () => {},
  };
  return { source: own, asked };
}

async function begin(reward?: string, judge = async () => true) {
  const { source: own, asked } = source();
  const recorded: JsonValue[] = [];
  const record = async <T extends JsonValue>(ask: () => Promise<T>) => {
    const answer = await ask();
    recorded.push(answer);
    return answer;
  };
  const environment = new DeepSearch({ record }, () => ({ question, source: own }), judge, 200);
  const options: Record<string, string> = reward === undefined ? {} : { reward };
  const first = await environment.reset({ task: { split: "test", index: 0 }, seed: 0, options });
  const step = (action: string) => environment.step(action, signal());
  return { first, step, asked, recorded };
}

describe("an episode", () => {
  test("starts with the question and does not show an answer", async () => {
    const { first } = await begin();
    expect(first).toEqual({
      observation: "Question: Who discovered hafnium?",
      info: { questionId: "q", question: question.question, hops: 1 },
    });
  });

  test("shows the result of a search, or that it found nothing", async () => {
    const { step } = await begin();
    expect(await step("<search>element</search>")).toMatchObject({
      observation: "<information>\n[1] Hafnium (page hafnium)\nAn element.\n</information>",
      reward: 0,
      terminated: false,
      info: { action: "search", results: [{ id: "hafnium", title: "Hafnium", score: 2 }] },
    });
    expect((await step("<search>nothing</search>")).observation).toContain('Nothing was found for "nothing".');
  });

  test("shows a page window by window, with its links and the action for the next window", async () => {
    const { step } = await begin();
    const { observation } = await step("<open>hafnium</open>");
    expect(observation).toContain("Hafnium (page hafnium, characters 0 to 4000 of 4120)");
    expect(observation).toContain("It goes on: <open>hafnium from 4000</open>");
    expect(observation).toContain("Links: Rome (rome)");
    const rest = await step("<open>hafnium from 4000</open>");
    expect(rest.observation).toContain("by George de Hevesy");
    expect(rest.observation).not.toContain("It goes on");
    expect(await step("<open>none</open>")).toMatchObject({
      observation: '<information>\nThere is no page "none".\n</information>',
      info: { isThere: false },
    });
  });

  test("continues after a reply without an action", async () => {
    const { step, asked } = await begin();
    expect(await step("I do not know.")).toMatchObject({ reward: 0, terminated: false, info: { action: "invalid" } });
    expect(asked).toEqual([]);
  });

  const answers = [
    ["exact", "<answer>The George de Hevesy!</answer><cite>hafnium, rome, none</cite>", 1, ["hafnium"]],
    ["exact", "<answer>George</answer><cite>rome</cite>", 0, []],
    ["f1", "<answer>George</answer>", 0.5, []],
    ["f1", "<answer>nobody</answer>", 0, []],
  ] as const;
  test.each(answers)("with the option reward %s and the answer %s pays %d", async (reward, action, worth, proving) => {
    const { step } = await begin(reward);
    const { info, ...told } = await step(action);
    expect(told).toEqual({ observation: "The answer was taken.", reward: worth, terminated: true, truncated: false });
    expect(info?.citedPagesWithAnswer).toEqual(proving);
  });

  test("ends in time if a cited page never loads, and that page does not count as proof", async () => {
    const { step } = await begin();
    const { info, reward } = await step("<answer>Hevesy</answer><cite>hafnium, slow, hafnium</cite>");
    expect([reward, info?.citedPagesWithAnswer]).toEqual([1, ["hafnium"]]);
  });

  test("records all replies of the source and the judge", async () => {
    const { step, recorded } = await begin("judge", async () => false);
    await step("<search>element</search>");
    await step("<open>rome</open>");
    expect(await step("<answer>Hevesy</answer><cite>hafnium</cite>")).toMatchObject({
      reward: 0,
      info: { exact: true, judge: false },
    });
    expect(recorded).toEqual([
      [expect.objectContaining({ id: "hafnium" })],
      expect.objectContaining({ id: "rome" }),
      ["hafnium"],
      false,
    ]);
  });
});

describe("a reply of the judge", () => {
  const judged = async (say: string) => {
    const { url, requests } = await serveChat({ say: () => say });
    process.env.PALESTRA_JUDGE_URL = url;
    process.env.PALESTRA_JUDGE_MODEL = "tiny";
    const verdict = await isJudgedRight("Who?", ["A", "B"], "C", signal()).catch((error: Error) => error.message);
    delete process.env.PALESTRA_JUDGE_URL;
    delete process.env.PALESTRA_JUDGE_MODEL;
    return { verdict, asked: requests[0]?.messages.at(-1)?.content };
  };

  test.each([
    ["Correct.", true],
    ["It is INCORRECT", false],
  ])("%j is understood", async (say, verdict) => {
    const { verdict: received, asked } = await judged(say);
    expect(received).toBe(verdict);
    expect(asked).toMatch(/References: A \| B\nAnswer: C/);
  });

  test("that is unclear fails the step as a fault of the judge", async () => {
    expect((await judged("Perhaps.")).verdict).toMatch(/expected a verdict of the LLM judge on the answer.*Perhaps/);
  });
});

test("an episode on a retrieval server is restored after a kill of the gym, without the server", async () => {
  const folder = scratch();
  const env = { PALESTRA_QUESTIONS: join(folder, "questions.sqlite") };
  const retrieval = await TestRetrieveServer.giving(() => [{ id: "rome", contents: "Rome\nA city on seven hills." }]);
  const file = join(folder, "one.jsonl");
  writeFileSync(file, JSON.stringify({ question: "On how many hills?", golden_answers: ["seven"] }));
  const setUp = startNode(
    ["dist/server/program/cli.js", "setup", "questions", file, "--as", "one", "--source", `retrieve:${retrieval.url}`],
    { env },
  );
  expect((await setUp.exited).code).toBe(0);

  const dataDir = join(folder, "data");
  const first = await serve({ dataDir, env });
  const call = async (base: string, path: string, body: object) => {
    const response = await fetch(`${base}/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { episodeId: string; observation: string; reward: number; info: object };
  };
  const { episodeId } = await call(first.url, "episodes", {
    environment: "deepsearch",
    task: { split: "one", index: 0 },
  });
  const seen = await call(first.url, `episodes/${episodeId}/step`, { index: 0, action: "<search>hills</search>" });
  expect(seen.observation).toContain("A city on seven hills.");
  await first.process.kill();
  const asked = retrieval.requests.length;

  const second = await serve({ dataDir, env });
  const step = { index: 1, action: "<answer>Seven</answer>" };
  const ended = await call(second.url, `episodes/${episodeId}/step`, step);
  expect(ended).toMatchObject({ reward: 1, terminated: true });
  expect(retrieval.requests.length).toBe(asked);
});
