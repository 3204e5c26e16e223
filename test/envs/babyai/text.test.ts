/** Compares observations, rewards, scores and ends with recordings of AgentGym's server class. */
import { describe, expect, test } from "vitest";
import babyai from "#palestra/envs/babyai/index.js";
import { fixtureLines, newGame, sharedLines, sharedTest } from "./recordings.js";
import type { RecordedEpisode, RecordedReply, RecordedStep } from "./text-recordings.js";

interface SharedEpisode {
  dataIdx: number;
  id: string;
  reset: RecordedReply;
  steps: RecordedStep[];
}

function expectSameEpisode(id: string, dataIdx: number, opening: RecordedReply, steps: readonly RecordedStep[]): void {
  const environment = babyai.create({ now: () => 0 });
  const options = { actions: "text", ends: "agentgym", view: "none", picture: "none" };
  const { observation } = environment.reset({ task: { split: "agentgym", index: dataIdx }, seed: 0, options });
  expect(environment.game?.level.id).toBe(id);
  expect({ observation, reward: 0, score: 0, done: false }).toEqual(opening);
  const played = steps.map(({ action }) => {
    const { observation, reward, terminated, info } = environment.step(action);
    return { action, observation, reward, score: info.score, done: terminated };
  });
  expect(played).toEqual(steps);
}

const episodes = fixtureLines<RecordedEpisode>("text-episodes.jsonl.gz");
const levels = [...new Set(episodes.map(({ level }) => level))];

describe("recordings of this repository", () => {
  test.each(levels)("%s is played as recorded", (id) => {
    for (const { dataIdx, opening, steps } of episodes.filter(({ level }) => level === id)) {
      const start = { observation: opening, reward: 0, score: 0, done: false };
      expectSameEpisode(id, dataIdx, start, steps);
    }
  });

  test("the recordings have 40 levels, ends of every kind, and repeated rewards", () => {
    expect(levels).toHaveLength(40);
    const steps = episodes.flatMap((episode) => episode.steps);
    const completed = steps.filter(({ observation }) => observation.includes("\n The task is completed."));
    expect(completed.some(({ done }) => done)).toBe(true);
    expect(completed.some(({ done, reward }) => !done && reward > 0)).toBe(true);
    expect(completed.some(({ reward }) => reward === 0)).toBe(true);
    expect(completed.some(({ reward }) => reward < 0)).toBe(true);
    expect(steps.some(({ reward, score }) => score > reward && reward > 0)).toBe(true);
    expect(steps.some(({ observation }) => /^You cannot toggle and go through .*\{'/.test(observation))).toBe(true);
  });

  test("a second reset of SynthS5R2 with seed 146 makes a different mission", () => {
    const game = newGame("BabyAI-SynthS5R2-v0");
    game.reset(146);
    const { mission } = game;
    expect(episodes.find(({ dataIdx }) => dataIdx === 5874)?.opening).not.toContain(mission);
  });
});

describe("the larger traces", () => {
  sharedTest("every episode is equal", () => {
    const recorded = sharedLines<SharedEpisode>("agentgym_babyai.jsonl.gz");
    expect(recorded).toHaveLength(120);
    for (const { id, dataIdx, reset, steps } of recorded) expectSameEpisode(id, dataIdx, reset, steps);
  });
});
