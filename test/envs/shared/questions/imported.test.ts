/** Imported questions: accepted formats and refusals. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { agentgymParts, agentgymSize } from "#palestra/envs/shared/questions/agentgym.js";
import { importedSets, questionsPath } from "#palestra/envs/shared/questions/imported.js";
import { questionOf } from "#palestra/envs/shared/questions/question-line.js";
import { setUpQuestions } from "#palestra/envs/shared/questions/setup.js";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "palestra-questions-"));
  process.env.PALESTRA_QUESTIONS = join(folder, "questions.sqlite");
});

afterEach(() => {
  delete process.env.PALESTRA_QUESTIONS;
  rmSync(folder, { recursive: true });
});

function file(name: string, lines: readonly (object | string)[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return path;
}

/** Encrypts a text like xBench. */
function hidden(text: string, canary: string): string {
  const key = Buffer.from(canary);
  return Buffer.from(Buffer.from(text).map((byte, at) => byte ^ (key[at % key.length] as number))).toString("base64");
}

describe("a line", () => {
  const lines = [
    [
      "FlashRAG's",
      { id: "test_0", question: "Who?", golden_answers: ["A", "B"], metadata: { hops: 2 } },
      ["test_0", ["A", "B"], { hops: 2 }],
    ],
    [
      "AgentGym's",
      { question: "Who?", reward_model: { ground_truth: { target: ["A"] } }, prompt: [], data_source: "nq" },
      ["7", ["A"], { data_source: "nq" }],
    ],
    ["GAIA's", { task_id: "x", Question: "Who?", Level: 2, "Final answer": "17" }, ["x", ["17"], { Level: 2 }]],
    [
      "xBench's",
      {
        id: "5",
        prompt: hidden("Who?", "LucasKey"),
        answer: hidden("早上", "LucasKey"),
        reference_steps: "1.",
        canary: "LucasKey",
      },
      ["5", ["早上"], { reference_steps: "1." }],
    ],
    ["one with a number", { question: "Who?", answer: 17 }, ["7", ["17"], {}]],
  ] as const;

  test.each(lines)("%s is read", (_, line, [id, golden, metadata]) => {
    expect(questionOf(line, 7)).toEqual({ id, question: "Who?", golden, metadata });
  });

  test.each([
    [[], "a JSON object"],
    [{ answer: "A" }, "a text in question"],
    [{ question: " ", answer: "A" }, "a text in question"],
    [{ question: "Who?" }, "golden_answers, but received none"],
    [{ question: "Who?", answers: [] }, "golden_answers, but received []"],
    [{ question: "Who?", answers: [{}] }, "golden_answers"],
  ])("%j is refused", (line, told) => {
    expect(() => questionOf(line, 1)).toThrow(told);
  });
});

describe("a file of questions", () => {
  test("becomes a split in file order, and is replaced by the next file of the same name", async () => {
    const lines = [
      { question: "Who?", answer: "A" },
      { question: "What?", answer: "B" },
    ];
    const done = await setUpQuestions({ from: file("gaia.jsonl", lines), source: "bundled" });
    expect(done).toBe("2 questions, split gaia, which look into bundled");
    const [set] = importedSets();
    expect(set).toMatchObject({
      name: "gaia",
      size: 2,
      source: "bundled",
      summary: "Questions of gaia.jsonl, in its order.",
    });
    expect(set?.at(1)).toEqual({ id: "2", question: "What?", golden: ["B"], metadata: {} });
    await setUpQuestions({ from: file("new.jsonl", lines.slice(1)), as: "gaia", source: "index:mine" });
    expect(importedSets().map(({ name, size, source }) => [name, size, source])).toEqual([["gaia", 1, "index:mine"]]);
  });

  test("with an invalid line is refused with its number, and the old split stays", async () => {
    await setUpQuestions({ from: file("a.jsonl", [{ question: "Who?", answer: "A" }]), source: "bundled" });
    const broken = file("b.jsonl", [{ question: "Who?", answer: "A" }, { question: "What?" }]);
    await expect(setUpQuestions({ from: broken, as: "a", source: "bundled" })).rejects.toThrow(
      "b.jsonl, line 2: expected",
    );
    const cut = file("c.jsonl", ["{"]);
    await expect(setUpQuestions({ from: cut, as: "a", source: "bundled" })).rejects.toThrow("c.jsonl, line 1");
    expect(importedSets().map(({ size }) => size)).toEqual([1]);
  });

  test("is refused without a source, with an invalid source, and with an invalid name", async () => {
    const from = file("a.jsonl", [{ question: "Who?", answer: "A" }]);
    await expect(setUpQuestions({ from })).rejects.toThrow(
      "the source of the answers is not set. Give one with --source",
    );
    await expect(setUpQuestions({ from, source: "web" })).rejects.toThrow(
      "expected PALESTRA_WEB_SEARCH to be the address",
    );
    await expect(setUpQuestions({ from, source: "retrieve:nowhere" })).rejects.toThrow(
      "expected an http:// or https:// address",
    );
    await expect(setUpQuestions({ from, as: "../a", source: "bundled" })).rejects.toThrow("expected a name");
    await expect(setUpQuestions({ from: file("none.jsonl", []), source: "bundled" })).rejects.toThrow(
      "expected at least 1 questions",
    );
    await expect(setUpQuestions({})).rejects.toThrow("no questions were named. Name a file of questions");
    await expect(setUpQuestions({ from: join(folder, "no.jsonl"), source: "bundled" })).rejects.toThrow(
      "no.jsonl does not exist. Name an existing file or folder.",
    );
    expect(importedSets()).toEqual([]);
  });
});

describe("AgentGym's questions", () => {
  test("have AgentGym's numbers", async () => {
    expect(agentgymSize).toBe(221_328);
    for (const { dataset, size, file: name } of agentgymParts) {
      mkdirSync(join(folder, dataset), { recursive: true });
      const lines = Array.from(
        { length: size },
        (_, at) => `{"question":"${dataset} ${at}","golden_answers":["${at}"]}`,
      );
      // Bamboogle and some others have no test file.
      file(join(dataset, dataset === "bamboogle" ? "dev.jsonl" : `${name}.jsonl`), lines);
    }
    expect(await setUpQuestions({ from: folder })).toBe(
      "221328 questions, split agentgym, which look into index:wiki-18",
    );
    const [set] = importedSets(questionsPath());
    const asked = [0, 3_609, 3_610, 51_587, 51_588, 51_712, 51_713, 130_880, 130_881, 221_327].map(
      (id) => set?.at(id).question,
    );
    expect(asked).toEqual([
      "nq 0?",
      "nq 3609?",
      "triviaqa 0?",
      "musique 2416?",
      "bamboogle 0?",
      "bamboogle 124?",
      "nq 0?",
      "nq 79167?",
      "hotpotqa 0?",
      "hotpotqa 90446?",
    ]);
  });

  test("are refused if some are missing", async () => {
    await expect(setUpQuestions({ from: folder })).rejects.toThrow("found neither nq/test.jsonl nor .parquet");
    file("test.jsonl", [{ question: "Who?", answer: "A" }]);
    file("train.jsonl", [{ question: "Who?", answer: "A" }]);
    await expect(setUpQuestions({ from: folder })).rejects.toThrow("expected 51713 questions in");
    expect(importedSets()).toEqual([]);
  });
});
