import { expect, test } from "vitest";
import { type Observed, runCurriculum } from "#palestra/trainer/run/curriculum.js";
import { trajectory } from "../support/trajectories.js";

const settings = {
  task_mixing: "learnability",
  difficulty_filter: true,
  max_rounds: 10,
  seed: 3,
} as Parameters<typeof runCurriculum>[0];
const sets = ["textcraft", "babyai"].map((environment) => ({
  name: environment,
  environment,
  split: "train",
  first: 0,
  last: 4,
  weight: 1,
})) as unknown as Parameters<typeof runCurriculum>[1];

/** Makes a curriculum at train step 0. */
const begin = (state?: { tasks?: unknown } & Observed) => runCurriculum(settings, sets, () => 0, state);

test("a resumed curriculum continues with the tasks, the filter and the learnability of the interrupted run", () => {
  const whole = begin();
  const play = (curriculum: typeof whole, count: number) =>
    Array.from({ length: count }, () => {
      const task = curriculum.tasks.next();
      // BabyAI's tasks are always solved: the filter leaves them out, and their set has no learnability.
      const solved = task.environment === "babyai" || task.index % 2 === 0;
      const group = Array.from({ length: 8 }, (_, at) => trajectory([0], { played: task, solved: solved || at < 4 }));
      curriculum.observe(task, { id: "0", trajectories: group, failed: [] });
      return `${task.environment} ${task.index} ${task.seed}`;
    });
  play(whole, 8);
  const saved = JSON.parse(JSON.stringify({ tasks: whole.tasks.state(), ...whole.state() }));
  const resumed = begin(saved);
  expect(resumed.state()).toEqual(whole.state());
  expect(resumed.state()).not.toEqual(begin().state());
  expect(play(resumed, 40)).toEqual(play(whole, 40));
});
