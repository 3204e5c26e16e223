import { describe, expect, test } from "vitest";
import { actionFormat, actionFormats } from "#palestra/trainer/rollout/action-format.js";

const twice = "Thought:\nfirst\n\nAction:\nget 1 log\n\nAction:\ninventory";

describe("the action in a reply", () => {
  test.each([
    ["react", "Thought:\nI need logs.\n\nAction:\nget 1 oak log", "get 1 oak log"],
    ["react", "Action: get 1 oak log\nObservation: Got 1 oak log", "get 1 oak log"],
    ["react", "Action:\n\n  click [12] \n", "click [12]"],
    ["react", twice, "inventory"],
    ["react", "I do not know.", ""],
    ["react", "Action:", ""],
    ["plain", "  turn left\n", "turn left"],
    ["agentgym", "Action:\nget 1 oak  log.", "get 1 oak log"],
    ["agentgym", 'Action: "craft 4 oak planks using 1 oak log"', "craft 4 oak planks using 1 oak log"],
    ["agentgym", "I do not know.", ""],
  ])("as %s reads it in %j is %j", (name, text, action) => {
    expect(actionFormat(name).read(text)).toEqual({ action });
  });

  test("two actions are refused as AgentGym's clients refuse them", () => {
    const refusal = "Error: Only one 'Action' is allowed per response. Please adjust your response.";
    expect(actionFormat("agentgym").read(twice)).toEqual({ refusal });
  });

  test.each([...actionFormats.keys()])("%s reads what it writes", (name) => {
    const { read, write } = actionFormat(name);
    expect(read(write("get 1 oak log"))).toEqual({ action: "get 1 oak log" });
  });

  test("an unknown format is refused", () => {
    expect(() => actionFormat("json")).toThrow(
      'expected one of the action formats react, plain, agentgym, but received "json"',
    );
  });
});
