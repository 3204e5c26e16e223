/** Features of the text layer that AgentGym's lacks: ends of the task, the spelling of the prompt, and copies. */
import { describe, expect, test } from "vitest";
import { type Ends, TextGame } from "#palestra/envs/babyai/text/text-game.js";
import { cpuMs } from "../../support/cpu-time.js";
import { fixtureLines, newGame } from "./recordings.js";
import type { RecordedEpisode } from "./text-recordings.js";

const episodes = fixtureLines<RecordedEpisode>("text-episodes.jsonl.gz");

/** Returns the level of a recorded episode after its first `count` actions. Default: 0. */
function played(dataIdx: number, ends: Ends, count = 0) {
  const recorded = episodes.find((episode) => episode.dataIdx === dataIdx) as RecordedEpisode;
  const level = newGame(recorded.level);
  const game = new TextGame(level, ends);
  game.reset(Math.floor(dataIdx / 40));
  const actions = recorded.steps.map(({ action }) => action);
  for (const action of actions.slice(0, count)) game.step(action);
  return { game, level, next: actions[count] as string };
}

describe("with ends of the task", () => {
  test("an action stops at the move that ends the level, and has its reward", () => {
    const { game, level, next } = played(172, "task", 1);
    const before = level.stepCount;
    const moves = game.movesOf(next) ?? [];
    expect(next).toBe("toggle and go through red closed door 1");
    game.step(next);
    expect(level.stepCount - before).toBe(moves.length - 1);
    expect(game).toMatchObject({ done: true, reward: level.reward });
    expect(game.reward).toBeGreaterThan(0.9);
    expect(game.text).toMatch(/\n The task is completed\.$/);
    const agentgym = played(172, "agentgym", 2).game;
    expect(agentgym).toMatchObject({ done: false, reward: 0 });
  });

  test("a late success ends the episode", () => {
    expect(played(128, "task", 26).game).toMatchObject({ done: true, reward: 0.46562499999999996 });
    expect(played(128, "agentgym", 26).game).toMatchObject({ done: false, reward: 0.46562499999999996 });
  });

  test("a failed task ends the episode without reward, and the text reports the failure", () => {
    const { game } = played(455, "task", 2);
    expect(game).toMatchObject({ done: true, reward: 0 });
    expect(game.text).toMatch(/\n The task has failed\.$/);
    expect(played(455, "agentgym", 2).game).toMatchObject({ done: false, reward: 0 });
  });

  test("an action stops at the limit on moves", () => {
    const { game, level } = played(121, "task");
    while (level.stepCount < level.maxSteps - 1) game.step("turn left");
    const walk = game.actions.find((name) => name.startsWith("go to") && (game.movesOf(name)?.length ?? 0) > 1);
    game.step(walk as string);
    expect(level).toMatchObject({ stepCount: level.maxSteps, truncated: true });
    expect(game).toMatchObject({ done: true, reward: 0, text: expect.stringMatching(/\n The task has failed\.$/) });
  });

  test("a step without a move has no reward, while AgentGym repeats the last reward", () => {
    for (const [ends, reward] of [
      ["task", 0],
      ["agentgym", 0.46562499999999996],
    ] as const) {
      const { game } = played(128, ends, 26);
      game.step("fly");
      expect(game.reward).toBe(reward);
    }
  });

  test("both kinds of ends have the same texts until the first end", () => {
    for (const { dataIdx, level, steps } of episodes.slice(0, 80)) {
      const game = new TextGame(newGame(level), "task");
      game.reset(Math.floor(dataIdx / 40));
      for (const { action, observation } of steps) {
        game.step(action);
        if (game.done || game.level.truncated) break;
        expect(game.observation()).toBe(observation);
      }
    }
  });
});

describe("actions", () => {
  test("the spelling of AgentGym's prompt is accepted beside that of its server", () => {
    const [ours, theirs] = [played(120, "agentgym").game, played(120, "agentgym").game];
    const name = theirs.actions.find((action) => action.startsWith("pickup ")) as string;
    theirs.step(name);
    ours.step(` ${name.replace("pickup", "Pick Up")}\n`);
    expect(ours.observation()).toBe(theirs.observation());
    expect(ours.text).toContain("You are carrying a ");
    ours.step("pick up the ball");
    expect(ours.text).toBe("The action is not recognized. Please check valid actions.");
  });

  test.each([
    ["\x1c\x1f\x85\u3000turn left\u2028\t", true],
    ["TURN LEFT", true],
    ["\ufeffturn left", false],
    ["turn\u00a0left", false],
    ["toString", false],
  ])("%j is stripped and lower-cased as in Python", (action, isKnown) => {
    const { game } = played(120, "task");
    game.step(action);
    expect(game.text.startsWith("The action is not recognized")).toBe(!isKnown);
  });

  test("a million characters are answered at once", () => {
    const { game } = played(120, "task");
    // Quadratic time would take minutes.
    for (const piece of [" ", "a", "a ", "check", "pick up "])
      expect(cpuMs(() => game.step(piece.repeat(200_000)))).toBeLessThan(5_000);
  });
});

test("a copy is independent", () => {
  const { game, level, next } = played(120, "agentgym", 5);
  const copy = game.cloneOn(level.clone());
  const text = game.observation();
  expect(copy.observation()).toBe(text);
  copy.step(next);
  copy.step("turn left");
  expect(game.observation()).toBe(text);
  game.step(next);
  game.step("turn left");
  expect(game.observation()).toBe(copy.observation());
  expect(game).toMatchObject({ reward: copy.reward, done: copy.done });
});
