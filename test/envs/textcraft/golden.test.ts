/** Compares replies, rewards, ends and inventories with recordings of AgentGym's engine. */
import { describe, expect, test } from "vitest";
import type { Environment } from "#palestra/envs/env.js";
import textcraft from "#palestra/envs/textcraft/index.js";
import {
  fixture,
  type RecordedEpisode,
  type RecordedGoal,
  type RecordedStep,
  sharedDocument,
  sharedLines,
  sharedTest,
} from "./recordings.js";

function begin(dataIdx: number, seed = 42): { environment: Environment; start: string } {
  const environment = textcraft.create({ now: () => 0 });
  return {
    environment,
    start: environment.reset({ task: { split: "all", index: dataIdx }, seed, options: {} }).observation,
  };
}

/**
 * Returns the expected reply: the reference's, except for long numbers, for which our engine throws no exception
 * (README).
 */
function expected({ action, observation, reward, done, error }: RecordedStep): object {
  if (error === undefined) return { action, observation, reward, done };
  expect(error).toMatch(/^Exceeds the limit \(4300 digits\)/);
  return { action, observation: `Could not execute ${action}`, reward: 0, done: false };
}

function answer(environment: Environment, action: string): object {
  const { observation, reward, terminated, truncated } = environment.step(action);
  expect(truncated).toBe(false);
  return { action, observation, reward, done: terminated };
}

function describeInventory(inventory: Record<string, number | string>): string {
  const items = Object.entries(inventory).map(
    ([id, amount]) => `[${id.replace("minecraft:", "").replaceAll("_", " ")}] (${amount}) `,
  );
  return `Inventory: ${items.join("") || "You are not carrying anything."}`;
}

function expectSameEpisode({ dataIdx, steps, inventory }: RecordedEpisode): void {
  const { environment } = begin(dataIdx);
  expect(steps.map(({ action }) => answer(environment, action))).toEqual(steps.map(expected));
  expect(environment.step("inventory").observation).toBe(describeInventory(inventory));
}

interface Listing {
  goal: string;
  needed: string[];
  distractors: string[];
}

/**
 * The reference passes the lines through sets in hash order. So the test compares the goal line, the needed recipes and
 * the number of lines, and checks that the others are among the distractors drawn first (with the reference's seed 42).
 */
function expectSameStart(start: string, reference: string, { needed, distractors }: Listing): void {
  const [lines, goalLine] = parts(start);
  const [referenceLines, referenceGoalLine] = parts(reference);
  expect(goalLine).toBe(referenceGoalLine);
  expect(lines).toHaveLength(referenceLines.length);
  expect(new Set(lines)).toEqual(new Set([...needed, ...lines.filter((line) => distractors.includes(line))]));
  expect(lines.filter((line) => needed.includes(line)).sort()).toEqual([...needed].sort());
}

function parts(start: string): [lines: string[], goalLine: string] {
  const [commands = "", goalLine = ""] = start.split("\n\n");
  const [heading, ...lines] = commands.split("\n");
  expect(heading).toBe("Crafting commands:");
  return [lines, goalLine];
}

const traces = fixture<{ goals: [string, number][]; records: (RecordedEpisode & Listing)[] }>("traces.json.gz");
const oddInputs = fixture<{ records: RecordedEpisode[] }>("odd-inputs.json.gz");

describe("recordings of this repository", () => {
  test("goals and depths are those of the reference, in the same order", () => {
    const goals = traces.goals.map((_, index) => {
      const { info } = textcraft
        .create({ now: () => 0 })
        .reset({ task: { split: "all", index }, seed: 0, options: {} });
      expect(info.dataIdx).toBe(index);
      return [info.goal, info.depth];
    });
    expect(goals).toEqual(traces.goals);
    expect(textcraft.splits.all?.size).toBe(544);
  });

  test.each(traces.records.map((record) => [record.goal, record] as const))(
    "ordinary play for %s equals the recording",
    (_, record) => {
      expectSameStart(begin(record.dataIdx).start, record.start, record);
      expectSameEpisode(record);
    },
  );

  test("replies to odd inputs equal the recording", () => {
    expect(oddInputs.records.flatMap(({ steps }) => steps).length).toBeGreaterThan(4000);
    for (const record of oddInputs.records) expectSameEpisode(record);
  });
});

describe("the larger traces", () => {
  sharedTest("every trace is equal", () => {
    const records = sharedLines<RecordedEpisode>("textcraft_traces.jsonl.gz");
    const { goals } = sharedDocument<{ goals: RecordedGoal[] }>("textcraft_data.json.gz");
    expect(records).toHaveLength(60);
    for (const record of records) {
      const { goal, neededRecipes, distractorCandidates } = goals[record.dataIdx] as RecordedGoal;
      const listing = { goal, needed: neededRecipes, distractors: distractorCandidates };
      expectSameStart(begin(record.dataIdx).start, record.start, listing);
      expectSameEpisode(record);
    }
  });

  sharedTest("every solution is equal", () => {
    const solutions = sharedLines<{ dataIdx: number; actions: string[]; replies: string[]; reward: number }>(
      "textcraft_solutions.jsonl.gz",
    );
    for (const { dataIdx, actions, replies, reward } of solutions) {
      const { environment } = begin(dataIdx);
      const steps = actions.map((action) => environment.step(action));
      expect(steps.map(({ observation }) => observation)).toEqual(replies);
      expect(steps.map((step) => step.reward)).toEqual(actions.map((_, i) => (i === actions.length - 1 ? reward : 0)));
      expect(steps.map((step) => step.terminated)).toEqual(actions.map((_, i) => i === actions.length - 1));
    }
  });

  sharedTest("the start of every goal is equal", () => {
    const { goals } = sharedDocument<{ goals: RecordedGoal[] }>("textcraft_data.json.gz");
    for (const { index, goal, neededRecipes, distractorCandidates, commandLines } of goals) {
      const { start } = begin(index);
      const [lines, goalLine] = parts(start);
      expect(goalLine).toBe(`Goal: craft ${goal.replace("minecraft:", "").replaceAll("_", " ")}.`);
      expect(lines).toHaveLength(commandLines);
      expect(lines.filter((line) => neededRecipes.includes(line)).sort()).toEqual([...neededRecipes].sort());
      const rest = lines.filter((line) => !neededRecipes.includes(line));
      expect(rest.every((line) => distractorCandidates.includes(line))).toBe(true);
      expect(rest).toHaveLength(Math.min(10, distractorCandidates.length));
    }
  });
});
