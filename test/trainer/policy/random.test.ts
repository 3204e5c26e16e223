import { describe, expect, test } from "vitest";
import babyai from "#palestra/envs/babyai/index.js";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import type { Tool } from "#palestra/trainer/gym/gym.js";
import { RandomPolicy } from "#palestra/trainer/policy/random.js";

const signal = new AbortController().signal;
const played = { environment: "any@1", split: "all", index: 0, seed: 0 };
const list = 'You see a key.\nAvailable actions: ["turn left", "go to blue key 1", "check available actions"]';
const recipes =
  "Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 stick using 2 oak planks\n\nGoal: craft stick.";

function toolOf(name: string, action: string, properties: Record<string, object>): Tool {
  const parameters = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  return { name, description: "Does it.", parameters, action } as Tool;
}

/** Counts each action over the given number of turns. */
async function drawn(
  prompt: string,
  observation: string,
  turns: number,
  seed = 1,
  tools: readonly Tool[] = [],
): Promise<Map<string, number>> {
  const conversation = new RandomPolicy(actionFormat("plain")).converse({
    played,
    prompt,
    tools,
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

  describe("with tools", () => {
    const go = toolOf("go", "go {direction}", { direction: { enum: ["north", "south"] } });
    const take = toolOf("take", "take {count} {thing}", { count: { enum: [1, 2] }, thing: { enum: ["key", "map"] } });
    const look = toolOf("look", "look", {});
    const say = toolOf("say", "say {text}", { text: {} });
    const actionsOf = async (tools: readonly Tool[], prompt = "- dance: does nothing") =>
      [...(await drawn(prompt, "You see a room.", 500, 1, tools)).keys()].sort();

    test("every call of the tools whose parameters have a list of values, and not the lines of the prompt", async () => {
      expect(await actionsOf([go, take, look, say])).toEqual([
        ...["go north", "go south", "look"],
        ...["take 1 key", "take 1 map", "take 2 key", "take 2 map"],
      ]);
    });

    test("the lines of the prompt if only one call of several tools is known", async () => {
      expect(await actionsOf([look, say])).toEqual(["dance"]);
      expect(await actionsOf([look])).toEqual(["look"]);
      expect(await actionsOf([say])).toEqual(["dance"]);
    });

    test("the actions that the observation lists rather than calls of tools", async () => {
      expect([...(await drawn("", list, 200, 1, [go])).keys()]).not.toContain("go north");
    });

    test("both values of a boolean in a tool of a third party", async () => {
      const lamp = toolOf("lamp", "lamp {arguments}", { on: { type: "boolean" } });
      expect(await actionsOf([lamp])).toEqual(['lamp {"on":false}', 'lamp {"on":true}']);
    });
  });

  test("the same actions for the same seed, and others for another seed", async () => {
    const [a, b, c] = await Promise.all([1, 1, 2].map((seed) => drawn("", list, 50, seed)));
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });

  test("nothing if neither the observation nor the prompt lists actions", async () => {
    await expect(drawn("Play.", "You see a room.", 1)).rejects.toMatchObject({ code: "NO_ACTIONS", retryable: false });
  });
});
