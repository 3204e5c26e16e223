/** The reason that a reward function states for its reward. */
import { describe, expect, test } from "vitest";
import { RewardPool } from "#palestra/envs/custom/reward/pool.js";
import type { RewardRequest } from "#palestra/envs/custom/reward/request.js";
import { file, ownGym, played } from "./support.js";

const { signal } = new AbortController();
const limits = { timeoutMs: 10_000, memoryMb: 64, processes: 1, variables: [] };
const asked: RewardRequest = { task: { prompt: "?", answer: 4 }, answer: "5", steps: 1, tokens: 1, calls: [] };
const inPython = (why: string) => `def reward(task, answer):\n    return {"reward": 0, "why": ${why}}\n`;
const inScript = (why: string) => `export default ({ task, answer }) => ({ reward: 0, why: ${why} });`;

async function scored(name: string, source: string) {
  const pool = new RewardPool(file(name, source), limits, [0, 1]);
  try {
    return await pool.score(asked, signal);
  } finally {
    pool.close();
  }
}

describe.each([
  ["reward.py", inPython, "f\"{answer} is not {task['answer']}.\"", "None"],
  ["reward.mjs", inScript, `answer + " is not " + task.answer + "."`, "null"],
])("the function of %s", (name, write, sentence, nothing) => {
  test("states a reason", async () => {
    expect(await scored(name, write(sentence))).toEqual({ reward: 0, info: {}, why: "5 is not 4." });
  });

  test("may state none", async () => {
    expect(await scored(name, write(nothing))).toEqual({ reward: 0, info: {} });
  });

  test("is refused if the reason is not a text", async () => {
    await expect(scored(name, write("17"))).rejects.toThrow("expected a sentence as why, but received 17");
  });
});

test("the reason is in the verdict, and in no reply to the player", async () => {
  const reward = file("reward.mjs", inScript('"The units\\nare wrong"'));
  const gym = await ownGym({ reward });
  const token = await gym.createToken(["expert"]);
  const { episodeId, replies } = await played(gym, ["5"]);
  const seen = [
    JSON.stringify(replies),
    await gym.text("get", { episodeId }),
    await gym.text("transcript", { episodeId }),
    await gym.text("score", { environment: "own", answers: [{ task: { index: 0 }, answer: "5" }] }),
    await gym.text("score", { environment: "own", answers: [{ task: { index: 0 }, answer: "5" }] }, { token }),
  ];
  expect(seen.filter((text) => text.includes("units"))).toEqual([]);
  const { episodeId: own } = await gym.create({ environment: "own", task: { index: 0 } }, { token });
  await gym.step(own, 0, "5", { token });
  expect((await gym.call("get", { episodeId: own }, { token })).verdict).toEqual({
    why: "The units are wrong.",
    expected: 4,
  });
});
