/** `palestra ask` as a user runs it: a policy server answers a question from the bundled pages. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/server-process.js";
import { serveChat } from "../trainer/support/chat-server.js";

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function ask(...args: string[]): Promise<Outcome> {
  const program = join(root, "dist/server/program/cli.js");
  return new Promise((resolve) => {
    execFile(process.execPath, [program, "ask", ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const question = "Which element has the number 72?";

/** Searches, opens a page, and answers. */
function searcher() {
  let turn = 0;
  const replies = [
    "I search. <search>hafnium element</search>",
    "<open>element/hafnium</open>",
    "\u001b[31mSo it is.\n<answer>hafnium\u001b[0m</answer><cite>element/hafnium, elsewhere</cite>",
  ];
  return serveChat({ say: () => replies[turn++] as string });
}

test("a question is answered with its cited pages, and the steps to the answer are shown", async () => {
  const { url } = await searcher();
  const { code, stdout, stderr } = await ask(question, "--policy", `openai:${url}#tiny`);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n")).toEqual(
    expect.arrayContaining([
      `Question: ${question}`,
      "think   I search.",
      "search  hafnium element",
      "        Hafnium (element/hafnium)",
      expect.stringMatching(/^open {4}Hafnium \(page element\/hafnium, characters 0 to \d+ of \d+\)$/),
      // Without variables that enable colours.
      "answer  hafnium [0m",
      "cited   Hafnium (element/hafnium)",
      "        elsewhere (not among the pages seen)",
    ]),
  );
});

test("--json prints the same for programs", async () => {
  const { url } = await searcher();
  const { stdout } = await ask(question, "--policy", `openai:${url}#tiny`, "--json");
  expect(JSON.parse(stdout)).toEqual({
    question,
    answer: expect.stringContaining("hafnium"),
    cited: [
      { id: "element/hafnium", title: "Hafnium" },
      { id: "elsewhere", title: null },
    ],
    searches: ["hafnium element"],
    pages: ["element/hafnium"],
    status: "terminated",
  });
});

test("a silent model, an invalid source, an empty question and a policy without a model have their own messages and exit codes", async () => {
  const { url } = await serveChat({ say: () => "<search>more</search>" });
  const policy = ["--policy", `openai:${url}#tiny`];
  const [endless, nowhere, empty, nobody, expert, random] = await Promise.all([
    ask(question, ...policy, "--rounds", "2"),
    ask(question, ...policy, "--source", "nowhere"),
    ask(" ", ...policy),
    ask(question, "--policy", "nobody"),
    ask(question, "--policy", "expert"),
    ask(question, "--policy", "random"),
  ]);
  expect([endless?.code, endless?.stderr]).toEqual([1, expect.stringContaining("an answer within 2 replies")]);
  expect([nowhere?.code, nowhere?.stderr]).toEqual([2, expect.stringContaining("expected one of the sources bundled")]);
  expect([empty?.code, empty?.stderr]).toEqual([2, expect.stringContaining("expected a question")]);
  expect([nobody?.code, nobody?.stderr]).toEqual([2, expect.stringContaining("expected one of the policies")]);
  for (const refused of [expert, random]) {
    expect([refused?.code, refused?.stdout]).toEqual([2, ""]);
    expect(refused?.stderr).toMatch(/expected a policy with a model: native:FOLDER .*openai:URL#model; but received/);
  }
});
