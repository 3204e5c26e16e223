/** Environments from a task file, a choice of tools and a reward. */
import { rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Registry } from "#palestra/envs/registry.js";
import { file, lines, ownGym, played, rewardsOf, sums } from "./support.js";

const reward = file(
  "reward.js",
  `export default function reward({ task, answer, steps, tokens, calls }, { exact }) {
    return { reward: exact({ task, answer }, {}), info: { steps, tokens, calls } };
  }`,
);

/** Writes a file with bytes that are not UTF-8. */
function bytes(name: string, content: Buffer): string {
  const path = file(name, "");
  writeFileSync(path, content);
  return path;
}

const wide = bytes("wide.jsonl", Buffer.from(`\ufeff${sums}`, "utf16le"));
const half = bytes("half.jsonl.gz", gzipSync(sums).subarray(0, 40));

const load = (definition: object) => Registry.load([JSON.stringify({ id: "own", ...definition })]);

describe("an environment with only tasks", () => {
  test("takes the agent's whole text as its answer", async () => {
    const gym = await ownGym({});
    const { replies } = await played(gym, [" 4 "]);
    expect(replies).toMatchObject([{ reward: 1, terminated: true, info: { action: "submit", answer: "4" } }]);
    expect((await played(gym, ["submit five"])).replies).toMatchObject([{ reward: 0, terminated: true }]);
    expect((await played(gym, ["three"], 1)).replies).toMatchObject([{ reward: 1 }]);
    const { prompt, tools } = await gym.call("getEnvironment", { environment: "own" });
    expect(prompt).toContain("Your reply is your answer.");
    expect(tools.map(({ name }) => name)).toEqual(["submit"]);
  });

  test("lists its tasks by their prompts", async () => {
    const gym = await ownGym({ tasks: { train: file("a.jsonl", sums), test: file("b.jsonl", sums) } });
    const { tasks } = await gym.call("listTasks", { environment: "own", split: "test" });
    expect(tasks.map(({ title }) => title)).toEqual(["What is 2 + 2?", "Count. 1 + 2?"]);
    const { observation, info } = await gym.create({ environment: "own", task: { split: "test", index: 0 } });
    expect([observation, info]).toEqual(["What is 2 + 2?", { family: "sum" }]);
  });

  test.each([
    ["with a byte order mark", Buffer.from(`\ufeff${sums}`)],
    ["with the line ends of Windows", Buffer.from(`${sums.replaceAll("\n", "\r\n\r\n")}\r\n`)],
    ["packed by gzip", gzipSync(`\ufeff${sums}`)],
  ])("reads task files %s", async (_, content) => {
    const registry = await load({ tasks: bytes("tasks.jsonl", content) });
    const { splits } = registry.get("own");
    expect([splits.train?.size, splits.train?.title(1)]).toEqual([2, "Count. 1 + 2?"]);
  });

  test("has an expert for tasks with an answer or with its actions", async () => {
    const tasks = lines([{ prompt: "a", answer: "x" }, { prompt: "b" }, { prompt: "c", expert: ["one", "submit y"] }]);
    const gym = await ownGym({ tasks: file("tasks.jsonl", tasks) }, { localExpert: true });
    const advice = async (index: number) => {
      const { episodeId } = await gym.create({ environment: "own", task: { index } });
      return (await gym.call("expert", { episodeId })).action;
    };
    expect([await advice(0), await advice(1), await advice(2)]).toEqual(["submit x", null, "one"]);
  });
});

describe("an environment with a reward function", () => {
  test("passes the function the task, the answer, the steps, the tokens and the calls", async () => {
    const gym = await ownGym({ reward, tools: ["search"] });
    const { replies } = await played(gym, ["search capital of France", "dance", "submit 4"]);
    expect(replies.map(({ observation }) => observation)).toEqual([
      expect.stringMatching(/^1\. .+\n/),
      'Error: expected an action that begins with search, submit, but received "dance".',
      "The answer was taken.",
    ]);
    const calls = [{ tool: "search", arguments: { query: "capital of France" }, isError: false }];
    expect(replies[2]).toMatchObject({ reward: 1, info: { steps: 3, tokens: 10, calls } });
  });

  test("scores answers without an episode", async () => {
    const gym = await ownGym({ reward });
    expect(await rewardsOf(gym, ["4", "submit 4", " 4\n", "44", ""])).toEqual([1, 1, 1, 0, 0]);
  });

  test("replays its episodes with the same bytes and without calling the function", async () => {
    const own = file("mine.js", "export const reward = ({ tokens }) => Math.min(1, Math.random() + tokens / 1e9);");
    const gym = await ownGym({ reward: own, tools: ["search"] });
    const { episodeId } = await played(gym, ["search Rome", "submit it"]);
    const { episodeId: running } = await played(gym, ["search Rome"]);
    const before = await gym.text("transcript", { episodeId });
    rmSync(own);
    const settings = { environments: [JSON.stringify({ id: "own", tasks: file("t.jsonl", sums), tools: ["search"] })] };
    const after = await gym.restart(settings);
    expect(await after.text("transcript", { episodeId })).toBe(before);
    expect(await after.call("step", { episodeId: running, index: 1, action: "submit 4" })).toMatchObject({ reward: 1 });
  });
});

describe("a reward file", () => {
  test.each([
    ["facts.js", "export const rewardRange = [-1, 2], solvedReward = 1.5; export default () => 2;"],
    ["facts.py", "reward_range = (-1, 2)\nsolved_reward = 1.5\ndef reward(): return 2"],
  ])("states its range and the reward that counts as solved: %s", async (name, text) => {
    const gym = await ownGym({ reward: file(name, text) });
    const { rewardRange, solvedReward } = await gym.call("getEnvironment", { environment: "own" });
    expect([rewardRange, solvedReward]).toEqual([[-1, 2], 1.5]);
    expect((await played(gym, ["any"])).replies).toMatchObject([{ reward: 2, terminated: true }]);
  });

  test("is overridden by the definition", async () => {
    const facts = file("facts.js", "export const rewardRange = [0, 5], solvedReward = 4; export default () => 3;");
    const gym = await ownGym({ reward: facts, solvedReward: 3 });
    const { rewardRange, solvedReward } = await gym.call("getEnvironment", { environment: "own" });
    expect([rewardRange, solvedReward]).toEqual([[0, 5], 3]);
  });
});

test("a field that the reward reads is never shown", async () => {
  const tasks = file("tasks.jsonl", lines([{ prompt: "2 + 2?", solution: "4", level: 1 }]));
  const gym = await ownGym({ tasks, reward: { sum: [{ of: { numeric: { field: "solution" } } }] } });
  const episode = await gym.create({ environment: "own", task: { index: 0 } });
  expect(episode.info).toEqual({ level: 1 });
  expect(await rewardsOf(gym, ["4"])).toEqual([1]);
});

describe("the reply to an action without its argument states the action's form", () => {
  test.each([
    ["search", "search {query}"],
    ["submit", "an action that begins with search, submit"],
  ])("%s", async (action, form) => {
    const gym = await ownGym({ tools: ["search"] });
    const { replies } = await played(gym, [action]);
    expect(replies[0]?.observation).toBe(`Error: expected ${form}, but received ${JSON.stringify(action)}.`);
  });
});

describe("an invalid definition is refused", () => {
  test.each([
    ["a file that does not exist", { tasks: "/nowhere/t.jsonl" }, /file of tasks at \/nowhere\/t.jsonl.*ENOENT/],
    ["an empty file", { tasks: file("empty.jsonl", "\n\n") }, /expected tasks in .*empty.jsonl.*empty file/],
    ["a line that is no JSON", { tasks: file("bad.jsonl", `${sums}\n\n{"prompt": }`) }, /bad.jsonl, line 4/],
    [
      "a line without a prompt",
      { tasks: file("no.jsonl", '{"question": "a"}') },
      /line 1, but received an object with the fields question/,
    ],
    ["a list", { tasks: file("list.jsonl", `[${sums}]`) }, /line 1, but received the start of a JSON list. Write one/],
    ["a list in a line", { tasks: file("list.jsonl", '["a"]') }, /line 1, but received a JSON list/],
    ["a number", { tasks: file("one.jsonl", `${sums}\n7`) }, /line 3, but received 7/],
    ["UTF-16", { tasks: wide }, /received: UTF-16 text. Save it as UTF-8/],
    ["an invalid gzip file", { tasks: half }, /half.jsonl.gz, but received: unexpected end of file/],
    ["an empty prompt", { tasks: file("no.jsonl", '{"prompt": " "}') }, /line 1, but received the prompt " "/],
    ["an unknown tool", { tasks: file("t.jsonl", sums), tools: ["telephone"] }, /at tools\.0/],
    ["two tools of one name", { tasks: file("t.jsonl", sums), tools: ["search", "search"] }, /search twice/],
    [
      "an unknown source",
      { tasks: file("t.jsonl", sums), tools: [{ search: { source: "x" } }] },
      /bundled, index:NAME/,
    ],
    ["an unknown piece", { tasks: file("t.jsonl", sums), reward: { guess: {} } }, /at reward/],
    [
      "an invalid pattern",
      { tasks: file("t.jsonl", sums), reward: { sum: [{ of: { regex: { pattern: "(" } } }] } },
      /at reward.*pattern.*Invalid regular expression/,
    ],
    [
      "an invalid schema",
      { tasks: file("t.jsonl", sums), reward: { jsonSchema: { schema: { type: 1 } } } },
      /JSON Schema/,
    ],
    [
      "a reward that reads a field of no task",
      { tasks: file("t.jsonl", sums), reward: { exact: { field: "answr" } } },
      /tasks with the field answr, which the reward reads, but the first task has the fields prompt, answer, family/,
    ],
    ["an unknown setting", { tasks: file("t.jsonl", sums), colour: "red" }, /colour/],
    [
      "parameters that are no schema",
      {
        tasks: file("t.jsonl", sums),
        tools: [
          { http: { name: "a", description: "b", url: "http://a.test", parameters: { type: "object", required: 1 } } },
        ],
      },
      /JSON Schema as the parameters of a/,
    ],
  ])("%s", async (_, definition, reason) => {
    await expect(load(definition)).rejects.toThrow(reason);
  });

  test.each([
    ["that does not exist", "/nowhere/reward.js", /nowhere.reward.js, which does not exist/],
    ["without a function", file("none.js", "export const rewards = 1;"), /a function as the module's default export/],
    ["that throws", file("throws.js", "throw new Error('no key');"), /no key/],
    [
      "with an invalid range",
      file("r.js", "export const rewardRange = [1, 0]; export default () => 1"),
      /rewardRange.*lowest/,
    ],
    [
      "whose solved reward is none",
      file("s.py", "solved_reward = '1'\ndef reward(): return 1"),
      /solvedReward.*number/,
    ],
    [
      "of JavaScript with an error",
      file("bad.js", "export default () => {\n  return ];\n};"),
      /SyntaxError: .+ \(\/.+bad\.js:2\)/,
    ],
    ["of Python without a function", file("none.py", "x = 1"), /expected a function called reward/],
    ["of Python with an error", file("bad.py", "def reward(:"), /SyntaxError/],
  ])("a reward file %s", async (_, path, reason) => {
    const entry = JSON.stringify({ id: "own", tasks: file("t.jsonl", sums), reward: path });
    await expect(Registry.load([entry])).rejects.toThrow(reason);
  });
});
