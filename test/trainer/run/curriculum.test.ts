import { describe, expect, test } from "vitest";
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

describe("tasks of several players", () => {
  const [set] = sets.map((each) => ({ ...each, seats: ["left", "right"] }));
  const duo = { environment: "textcraft", split: "train", index: 0, seed: 0 };
  const ofSeat = (seat: string, solved: boolean, returns: readonly number[]) =>
    returns.map((sum) =>
      trajectory([0], { played: { ...duo, environment: "textcraft@1" }, seat, solved, return: sum }),
    );
  const seen = (...groups: ReturnType<typeof ofSeat>[]) => {
    const curriculum = runCurriculum(settings, [set as (typeof sets)[0]], () => 0);
    for (const trajectories of groups) curriculum.observe(duo, { id: "0", trajectories, failed: [] });
    return curriculum;
  };
  const eight = Array<number>(8).fill(1);

  test("are worth playing in the seats that are not always or never solved", () => {
    const curriculum = seen(ofSeat("left", true, eight));
    expect(curriculum.worthwhile(duo, ["left", "right"])).toEqual(["right"]);
    expect(seen(ofSeat("left", true, eight), ofSeat("right", true, eight)).worthwhile(duo, ["left", "right"])).toEqual([
      "left",
      "right",
    ]);
  });

  test("are left out once each seat has always solved them", () => {
    const drawn = (curriculum: ReturnType<typeof seen>) =>
      new Set(Array.from({ length: 20 }, () => curriculum.tasks.next().index));
    expect(drawn(seen(ofSeat("left", true, eight)))).toContain(0);
    expect(drawn(seen([...ofSeat("left", true, eight), ...ofSeat("right", true, eight)]))).not.toContain(0);
  });

  test("are kept while a seat's own returns differ, though each episode is solved", () => {
    const differing = [1, 0.5, 1, 1, 1, 1, 1, 1];
    const curriculum = seen(ofSeat("left", true, differing), ofSeat("right", true, eight));
    expect(curriculum.worthwhile(duo, ["left", "right"])).toEqual(["left"]);
  });
});
