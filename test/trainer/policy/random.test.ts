import { describe, expect, test } from "vitest";
import babyai from "#palestra/envs/babyai/index.js";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { RandomPolicy } from "#palestra/trainer/policy/random.js";

const signal = new AbortController().signal;
const played = { environment: "any@1", split: "all", index: 0, seed: 0 };
const list = 'You see a key.\nAvailable actions: ["turn left", "go to blue key 1", "check available actions"]';
const recipes =
  "Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 stick using 2 oak planks\n\nGoal: craft stick.";

/** How often each action comes in so many turns. */
async function drawn(prompt: string, observation: string, turns: number, seed = 1): Promise<Map<string, number>> {
  const conversation = new RandomPolicy(actionFormat("plain")).converse({
    played,
    prompt,
    tools: [],
    observation,
    seed,
  });
  const counts = new Map<string, number>();
  for (let turn = 0; turn < turns; turn++) {
    const { text } = await conversation.reply(turn === 0 ? undefined : observation, signal);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

describe("chance plays", () => {
  test("the actions that the observation lists, each equally often", async () => {
    const counts = await drawn("", list, 3_000);
    expect([...counts.keys()].sort()).toEqual(["check available actions", "go to blue key 1", "turn left"]);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });

  test("the actions that the crafting commands name", async () => {
    expect([...(await drawn("", recipes, 500)).keys()].sort()).toEqual([
      "craft 1 stick using 2 oak planks",
      "craft 4 oak planks using 1 oak logs",
      "get 1 oak logs",
      "get 2 oak planks",
      "inventory",
    ]);
  });

  test("the actions that the prompt lists, except those with a name to fill in", async () => {
    const moves = babyai.options?.actions?.values.primitive?.prompt as string;
    expect([...(await drawn(moves, "", 500)).keys()].sort()).toEqual([
      "done",
      "drop",
      "forward",
      "left",
      "pickup",
      "right",
      "toggle",
    ]);
    expect([...(await drawn("- wait: nothing\n- go to <obj> <id>", "", 50)).keys()]).toEqual(["wait"]);
  });

  test("the same for the same seed, and something else for another", async () => {
    const [a, b, c] = await Promise.all([1, 1, 2].map((seed) => drawn("", list, 50, seed)));
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });

  test("nothing where nobody tells what there is", async () => {
    await expect(drawn("Play.", "You see a room.", 1)).rejects.toMatchObject({ code: "NO_ACTIONS", retryable: false });
  });
});
