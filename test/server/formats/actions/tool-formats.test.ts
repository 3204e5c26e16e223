/** Formats that call tools, in a real gym: each can express the expert's actions, with the same results. */
import { beforeAll, describe, expect, test } from "vitest";
import { actionFormat, actionFormats } from "#palestra/server/formats/actions/action-formats.js";
import { AgentgymClient } from "#palestra/trainer/gym/agentgym-client.js";
import { ExpertPolicy } from "#palestra/trainer/policy/expert.js";
import { RandomPolicy } from "#palestra/trainer/policy/random.js";
import { playEpisode, type RolloutTask } from "#palestra/trainer/rollout/episode-rollout.js";
import { expertDialogues } from "#palestra/trainer/start/dialogues.js";
import { boundTaskSets } from "#palestra/trainer/start/task-sets.js";
import { serve } from "../../../support/serving.js";
import { connect, listen } from "../../../trainer/support/gym.js";

let url: string;
beforeAll(async () => {
  const listening = await listen();
  ({ url } = listening);
  return () => listening.gym.close();
});

const { signal } = new AbortController();
const tasks: RolloutTask[] = [
  { environment: "textcraft", split: "train", index: 200, seed: 0 },
  { environment: "textcraft", split: "test", index: 80, seed: 0 },
  { environment: "babyai", split: "UnlockPickup", index: 3, seed: 0 },
  { environment: "babyai", split: "PutNextLocal", index: 5, seed: 0 },
  { environment: "babyai", split: "GoToObj", index: 7, seed: 0, options: { actions: "primitive" } },
];

async function play(task: RolloutTask, name: string, kind: "expert" | "random", maxRounds = 100) {
  const format = actionFormat(name);
  const policy = kind === "expert" ? new ExpertPolicy(format) : new RandomPolicy(format);
  const settings = { maxRounds, format, retries: 0, backOff: { baseMs: 1, maxMs: 1 } };
  return playEpisode({ gym: await connect(url), policy, task, settings, group: "", seed: 3, signal });
}

describe("every format", () => {
  test.each(tasks)("expresses each of the expert's actions in $environment:$split:$index", async (task) => {
    const plain = await play(task, "plain", "expert");
    expect(plain.solved).toBe(true);
    for (const name of actionFormats.keys()) {
      const { steps, solved } = await play(task, name, "expert");
      expect(solved).toBe(true);
      expect(steps.map(({ action }) => action)).toEqual(plain.steps.map(({ action }) => action));
    }
  });

  test.each(tasks)("expresses each random action in $environment:$split:$index", async (task) => {
    for (const name of ["tool_call", "code"]) {
      const { status, steps } = await play(task, name, "random", 12);
      expect(status).not.toBe("failed");
      expect(steps.map(({ action }) => action)).toEqual(
        (await play(task, "plain", "random", 12)).steps.map(({ action }) => action),
      );
    }
  });
});

test("dialogues for behavior cloning are in the format, with its instructions", async () => {
  const request = { gym: await connect(url), tasks: tasks.slice(0, 1), maxRounds: 50, concurrency: 1, signal };
  const [plain] = await expertDialogues({ ...request, format: actionFormat("plain") });
  const [called] = await expertDialogues({ ...request, format: actionFormat("tool_call") });
  expect(called?.tools?.map(({ name }) => name)).toEqual(["get", "craft", "inventory"]);
  expect(plain).not.toHaveProperty("tools");
  expect(called?.prompt.startsWith(plain?.prompt.trimEnd() as string)).toBe(true);
  expect(called?.turns[0]?.reply).toMatch(/^<tool_call>\n\{"name": "get", "arguments": \{"count": /);
  expect(called?.turns.map(({ observation }) => observation)).toEqual(
    plain?.turns.map(({ observation }) => observation),
  );
});

test("a format that calls tools refuses the task sets of an environment without tools", async () => {
  const { url: other } = await serve();
  const gym = new AgentgymClient(`${other}/agentgym/textcraft`);
  const sets = (name: string) => boundTaskSets(["textcraft:agentgym:0-3"], gym, actionFormat(name));
  await expect(sets("code")).rejects.toThrow("expected an environment with tools for the format code");
  expect(await sets("react")).toHaveLength(1);
});
