/** Histories contain the answers: a reader derives them from the messages, without data of the generator. */
import { describe, expect, test } from "vitest";
import memory from "#palestra/envs/memory/index.js";
import { taskOf } from "#palestra/envs/memory/tasks.js";
import { textOf } from "#palestra/envs/memory/words.js";
import { type Length, Play } from "./play.js";
import { answerTo, saidIn } from "./reader.js";

const lengths: [Length, number][] = [
  ["short", 50],
  ["medium", 25],
  ["long", 25],
];

describe.each(lengths)("%s histories", (length, tasks) => {
  test.each(["train", "dev", "test"])(`of ${tasks} tasks of %s prove the answers that are scored`, (split) => {
    const wrong: string[] = [];
    for (let index = 0; index < tasks; index++) {
      const play = new Play(split, index, length);
      const answer = answerTo(play.question, play.readAll());
      if (play.answer(answer) !== 1) wrong.push(`${index}: ${play.question} ${answer}`);
      play.close();
    }
    expect(wrong).toEqual([]);
  });

  test("make one statement in each message about a subject, and none in everyday talk", () => {
    for (let index = 0; index < 25; index++) {
      for (const { text, statement } of taskOf({ split: "dev", index }, length).history.sessions.flatMap(
        ({ turns }) => turns,
      )) {
        expect(saidIn(text).map(({ topic, v }) => [topic, v])).toEqual(
          statement ? [[statement.topic, statement.value]] : [],
        );
      }
    }
  });
});

describe("a task", () => {
  test("is the same for every seed, and differs by length", () => {
    const open = (length: string, seed: number) =>
      memory
        .create({ now: () => 0 })
        .reset({ task: { split: "test", index: 3 }, seed, options: { length, reward: "exact" } });
    expect(open("medium", 7)).toEqual(open("medium", 8));
    const texts = (["short", "medium", "long"] as const).map((length) =>
      taskOf({ split: "test", index: 3 }, length).history.sessions.map(textOf).join("\n"),
    );
    expect(new Set(texts).size).toBe(3);
    expect(texts[1]).toBe(taskOf({ split: "test", index: 3 }, "medium").history.sessions.map(textOf).join("\n"));
  });

  test("has its title's family and subject in every length", () => {
    for (let index = 0; index < 50; index++) {
      const { family, topic } = taskOf({ split: "train", index }, "short");
      expect(memory.splits.train?.title(index)).toMatch(new RegExp(`^${family}: `));
      expect(taskOf({ split: "train", index }, "long")).toMatchObject({ family, topic });
    }
  });

  test("has sessions of ascending days, before the day of the question", () => {
    for (let index = 0; index < 25; index++) {
      const { sessions, today } = taskOf({ split: "train", index }, "long").history;
      const days = [...sessions.map(({ day }) => day), today];
      expect(days.every((day, at) => at === 0 || day > (days[at - 1] as number))).toBe(true);
    }
  });
});

test("the splits share no people", () => {
  const names = ["train", "dev", "test"].map((split) => {
    const tasks = Array.from({ length: 300 }, (_, index) => taskOf({ split, index }, "short").history);
    return new Set(tasks.flatMap(({ user, people }) => [user, ...people.map(({ name }) => name)]));
  });
  const all = names.flatMap((some) => [...some]);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBe(72);
});

test("the frequencies of options do not reveal the valid limits", () => {
  let [active, free] = [0, 0];
  for (let index = 4; index < 500; index += 25) {
    const { query, history } = taskOf({ split: "test", index }, "short");
    if (query.kind !== "choice") throw new Error(`expected a choice, but received ${query.kind}`);
    const holds = new Set<string>();
    for (const { statement } of history.sessions.flatMap(({ turns }) => turns)) {
      if (statement?.topic !== query.topic || !("who" in statement) || statement.who !== "user") continue;
      if (statement.kind === "limited") holds.add(statement.value);
      else holds.delete(statement.value);
    }
    const broken = query.options.flatMap(({ breaks }) => breaks);
    active += broken.filter((id) => holds.has(id)).length;
    free += broken.filter((id) => !holds.has(id)).length;
  }
  expect(active).toBe(free);
});
