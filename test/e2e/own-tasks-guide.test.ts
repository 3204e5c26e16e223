/**
 * Follows the guide of envs/custom/README.md step by step in a fresh clone, with the commands of the page. dist/ and
 * the engine come from the working tree, to bound the time; first-hour.test.ts builds dist/ in a fresh clone.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { lendBuild, lendEngine } from "../support/fresh-clone.js";
import { missingForProcesses } from "../support/processes.js";
import { root } from "../support/server-process.js";
import { type ChatMessage, type ChatModel, FirstHourClone, type Started, scriptedModel } from "./first-hour-clone.js";
import { readmeSteps } from "./readme-steps.js";

interface Puzzle {
  prompt: string;
  family: string;
  expert: string[];
}

const page = readFileSync(join(root, "envs/custom/README.md"), "utf8");
const guide = page.slice(page.indexOf("## Guide"), page.indexOf("## Tasks"));
const example = (name: string) => readFileSync(join(root, "envs/custom/example", name), "utf8");
const puzzles = example("puzzles.jsonl")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Puzzle);

let clone: FirstHourClone;
let gym: Started;
let model: ChatModel;

beforeAll(async () => {
  clone = await FirstHourClone.make();
  lendBuild(clone.folder);
  lendEngine(clone.folder);
  model = await scriptedModel(agent);
});
afterAll(async () => {
  model?.close();
  await clone?.close();
});

/** Number of turns in the first puzzle, which is the limit of a task. */
const mostTurns = 20;
/** Actions of an agent before its answer: each tool once, and each with a mistake. */
const attempts = [
  "search constellations",
  "calculate 2 ^ 10",
  "python\nfor n in range(3):\n    print(n)",
  "calculate 1 / 0",
  "python raise SystemExit(3)",
];

/** Solves the puzzle of the conversation. The first puzzle is solved after many attempts. */
function agent(messages: readonly ChatMessage[]): string {
  const puzzle = puzzles.find(({ prompt }) => messages.some(({ content }) => content.includes(prompt))) as Puzzle;
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const [tool, submission] = puzzle.expert as [string, string];
  if (puzzle !== puzzles[0]) return `Thought: I know how.\n\nAction:\n${turn === 0 ? tool : submission}`;
  const action = turn === mostTurns - 1 ? submission : attempts[turn % attempts.length];
  return `Thought: Let me see.\n\nAction:\n${action}`;
}

const codeOf = (language: string) =>
  [...guide.replace(/^ {3}/gm, "").matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code);

test("the guide shows the example's own files", () => {
  const [task, tools] = codeOf("json") as [string, string];
  expect(puzzles).toContainEqual(JSON.parse(task));
  expect(JSON.parse(tools)).toEqual(JSON.parse(example("tools.json")));
  expect(codeOf("js")).toEqual([example("reward.js")]);
  expect(puzzles).toHaveLength(50);
});

const withGym = (command: string) => `${command} --gym http://127.0.0.1:${clone.port}`;

/**
 * Replaces the guide's settings, since its training takes a minute of processor time. Each phase also runs with fewer
 * episodes, groups and steps.
 */
const shortTraining = "--clone_episodes 80 --total_train_steps 2 --batch_size 4";

interface Row {
  matches: RegExp;
  /** Reason for a difference from the guide's text other than the port. */
  substituted?: string;
  /** Reason why the step is not run. */
  skipped?: string;
  run?(command: string): Promise<void>;
}

const rows: Row[] = [
  {
    matches: /^npx palestra check /,
    async run(command) {
      expect(await clone.succeeds(command)).toMatch(/^[0-9]+ passed, 0 failed/m);
    },
  },
  {
    matches: /^npx palestra serve /,
    async run(command) {
      gym = clone.start(`${command} --port ${clone.port}`);
      await gym.prints(/^ {2}puzzles +Tasks of puzzles\.jsonl\.$/m);
    },
  },
  {
    matches: /^npx palestra eval .*--policy expert$/,
    async run(command) {
      const output = await clone.succeeds(`${withGym(command)} --json`);
      expect(JSON.parse(output)).toMatchObject({ summary: { episodes: 50, successRate: { value: 1 } } });
    },
  },
  { matches: /^npx palestra eval .*--policy openai:/, run: evaluateAgent },
  {
    matches: /^npx palestra train --train_tasks /,
    substituted: "fewer episodes, groups and train steps",
    async run(command) {
      const { code, stderr } = await clone.run(`${withGym(command)} ${shortTraining}`);
      expect([code, stderr]).toEqual([0, expect.stringContaining("after 2 train steps (done)")]);
      for (const phase of ["cloning 80 episodes", "held out after train step 0", "held out after train step 2"]) {
        expect(stderr).toContain(phase);
      }
    },
  },
  { matches: /^npx palestra train --preset qwen/, skipped: "the weights of Qwen2.5 are not in the repository" },
  {
    matches: /\/v1\/rewards/,
    async run(command) {
      const { results } = JSON.parse(await clone.succeeds(command)) as { results: object[] };
      expect(results).toMatchObject([{ reward: 1 }, { reward: 0 }]);
    },
  },
  {
    matches: /^npx palestra export /,
    async run(command) {
      await clone.succeeds(command);
      const lines = readFileSync(join(clone.folder, "puzzles-chats.jsonl"), "utf8").trim().split("\n");
      expect(lines).toHaveLength(50);
    },
  },
];

describe.skipIf(missingForProcesses)(`the guide, step by step (${missingForProcesses ?? "with another port"})`, () => {
  const steps = readmeSteps([{ page: "envs/custom/README.md", text: guide }]);

  test("every step has a row, and every row is a step", () => {
    const used = steps.map(({ text }) => rows.findIndex(({ matches }) => matches.test(text)));
    expect(used).toEqual(rows.map((_, at) => at));
  });

  for (const { text } of steps) {
    const row = rows.find(({ matches }) => matches.test(text));
    const note = row?.substituted ? ` (with ${row.substituted})` : "";
    test(`${text.trim()}${note}`, { timeout: 600_000 }, async (context: TestContext) => {
      if (!row) throw new Error(`expected a row for this step of the guide, but found none:\n${text}`);
      if (!row.run) return context.skip(row.skipped);
      await row.run(clone.adapt(text));
    });
  }
});

interface Turn {
  action: string | null;
}

async function evaluateAgent(command: string): Promise<void> {
  const there = withGym(command.replace(/openai:\S+#/, `openai:${model.url}#`));
  const output = await clone.succeeds(`${there} --json`);
  expect(JSON.parse(output)).toMatchObject({ summary: { episodes: 50, failed: 0, successRate: { value: 1 } } });
  const [, ...lines] = readFileSync(join(clone.folder, "runs/puzzles/episodes.jsonl"), "utf8").trim().split("\n");
  const episodes = lines.map((line) => JSON.parse(line) as { played: { index: number }; turns: Turn[] });
  const { turns } = episodes.find(({ played }) => played.index === 0) as { turns: Turn[] };
  expect(turns).toHaveLength(mostTurns);
  expect(turns.map(({ action }) => action?.split(/\s/)[0])).toEqual(
    expect.arrayContaining(["search", "calculate", "python", "submit"]),
  );
}
