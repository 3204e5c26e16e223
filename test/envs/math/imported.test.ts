import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importedSets, importProblems } from "#palestra/envs/math/imported.js";
import { scratchDir } from "../../support/gym.js";

const folder = scratchDir();

function problems(name: string, ...lines: unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return path;
}

test("problems of GSM8K, MATH and verl become a split", async () => {
  const from = problems(
    "mine.jsonl",
    { question: "Ann has 3 apples and gets 4. How many?", answer: "She has 3 + 4 = <<3+4=7>>7.\n#### 7" },
    { problem: "Find $x$ with $2x = 1$.", solution: "Halve it: $x = \\boxed{\\frac{1}{2}}$.", level: "Level 1" },
    { prompt: [{ role: "user", content: "6 times 7?" }], reward_model: { ground_truth: "42" } },
    { question: "How many?", expected_answer: 5, note: { question: "x", answer: 'y: "question":' } },
    { problem: "Which?", answer: "\\begin{pmatrix}1\\\\\n2\\end{pmatrix}" },
  );
  const to = join(folder, "problems");
  expect(await importProblems(from, "mine", undefined, to)).toBe(5);
  const [set] = importedSets(to);
  expect(set).toMatchObject({ name: "mine", size: 5, source: "mine.jsonl" });
  expect([0, 1, 2, 3].map((index) => set?.at(index).answer)).toEqual(["7", "\\frac{1}{2}", "42", "5"]);
  expect(set?.at(2).text).toBe("6 times 7?");
});

describe("an import is refused", () => {
  test.each([
    [
      "no answer",
      { question: "Why?" },
      /line 1: expected a text or a number in one of the fields expected_answer.*none of these fields has one/,
    ],
    ["no problem", { answer: "5" }, /line 1: expected a text in the field problem or question/],
    ["a list", [1], /line 1: expected a JSON object, but received \[1\]/],
    ["no JSON", "{", /line 1:/],
    ["a solution without an answer", { problem: "p", solution: "Halve it." }, /line 1: expected an answer after ####/],
    [
      "an answer of many words without a mark",
      { question: "p", answer: "so ".repeat(31) },
      /line 1: expected an answer/,
    ],
    ["an answer of two lines without a mark", { question: "p", answer: "3 + 4\n= 7" }, /line 1: expected an answer/],
    [
      "two entries of one name",
      '{"question": "1?", "answer": "1", "question": "2?"}',
      /line 1: expected one entry of each name, but received "question" twice/,
    ],
    ["a long solution without a box", { problem: "p", solution: "word ".repeat(500) }, /expected an answer after ####/],
  ])("for a line with %s", async (_, line, message) => {
    const to = join(folder, "none");
    await expect(importProblems(problems("bad.jsonl", line), "bad", undefined, to)).rejects.toThrow(message);
    expect(importedSets(to)).toEqual([]);
  });

  test("for text of another encoding, with its line", async () => {
    const from = join(folder, "latin.jsonl");
    const line = (text: string) => Buffer.from(`${JSON.stringify({ question: text, answer: "1" })}\n`, "latin1");
    writeFileSync(from, Buffer.concat([line("plain?"), line("Wie groß ist x?"), line("plain?")]));
    const to = join(folder, "none");
    await expect(importProblems(from, "latin", undefined, to)).rejects.toThrow(
      /expected UTF-8 in .*latin\.jsonl, but line 2 has/,
    );
    writeFileSync(from, line("Wie groß?").subarray(0, -1));
    await expect(importProblems(from, "latin", undefined, to)).rejects.toThrow(/line 1 has bytes of another encoding/);
    expect(importedSets(to)).toEqual([]);
  });

  test("for a name that a split already has or that is invalid", async () => {
    const from = problems("good.jsonl", { question: "1?", answer: "1" });
    await expect(importProblems(from, "train")).rejects.toThrow(/that is not one of train, test/);
    await expect(importProblems(from, "../x")).rejects.toThrow(/lower-case letters/);
  });

  test("for an empty or missing file", async () => {
    await expect(importProblems(problems("empty.jsonl"), "empty")).rejects.toThrow("expected problems in");
    await expect(importProblems(join(folder, "no.jsonl"), "no")).rejects.toThrow("expected a file");
  });
});
