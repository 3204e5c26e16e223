/** Players without searches do badly, and the expert makes no errors. */
import { describe, expect, test } from "vitest";
import memory from "#palestra/envs/memory/index.js";
import { taskOf } from "#palestra/envs/memory/tasks.js";
import { Play } from "./play.js";
import { answerTo } from "./reader.js";

type Player = (play: Play) => string;

/** Returns the number of the first tasks of `test` that a player solves. */
function solved(tasks: number, player: Player): number {
  let right = 0;
  for (let index = 0; index < tasks; index++) {
    const play = new Play("test", index);
    right += play.answer(player(play));
    play.close();
  }
  return right;
}

/** Returns the kind of a question, without dates, people and items. */
function kindOf(question: string): string {
  const [line = ""] = question.split("\n");
  return line
    .replace(/\d.*|: .*/, "")
    .replace(/my [a-z -]+ \p{Lu}\p{L}+/u, "")
    .replace(/came up with .* for/, "");
}

/** Returns the most frequent answer in `train` for each kind of question. */
function commonAnswers(tasks: number): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (let index = 0; index < tasks; index++) {
    const { question, golden } = taskOf({ split: "train", index }, "medium");
    const answer = golden[0] as string;
    const of = counts.get(kindOf(question)) ?? new Map<string, number>();
    counts.set(kindOf(question), of.set(answer, (of.get(answer) ?? 0) + 1));
  }
  const best = (of: Map<string, number>) => [...of].sort(([, one], [, other]) => other - one)[0]?.[0] as string;
  return new Map([...counts].map(([kind, of]) => [kind, best(of)]));
}

describe("of 100 tasks", () => {
  test("an agent that always answers unknown solves none", () => {
    expect(solved(100, () => "unknown")).toBe(0);
  });

  test("an agent that gives the most common answer to each kind of question solves at most 20", () => {
    const common = commonAnswers(1_000);
    expect(solved(100, ({ question }) => common.get(kindOf(question)) ?? "unknown")).toBeLessThanOrEqual(20);
  });

  test("a perfect reader of the last session solves at most 20", () => {
    expect(solved(100, (play) => answerTo(play.question, play.read(play.count)))).toBeLessThanOrEqual(20);
  });

  test("a perfect reader of the first passage that one search finds solves at most 40", () => {
    expect(solved(100, (play) => answerTo(play.question, play.searchOnce()[0] ?? []))).toBeLessThanOrEqual(40);
  });

  test("a perfect reader of all passages that one search finds solves at most 60", () => {
    const byDay = (one: { day: number }, other: { day: number }) => one.day - other.day;
    expect(solved(100, (play) => answerTo(play.question, play.searchOnce().flat().sort(byDay)))).toBeLessThanOrEqual(
      60,
    );
  });
});

describe("the expert", () => {
  test.each(["short", "medium", "long"] as const)(
    "solves 100 tasks of %s histories within the step limit",
    (length) => {
      let solvedTasks = 0;
      for (let index = 0; index < 100; index++) {
        const { steps, reward } = playExpert("train", index, length);
        expect(steps).toBeLessThanOrEqual(memory.maxSteps as number);
        solvedTasks += reward;
      }
      expect(solvedTasks).toBe(100);
    },
  );

  test("has seen every message that proves its answer", () => {
    for (let index = 0; index < 50; index++) {
      const { topics, proven, history } = taskOf({ split: "train", index }, "medium");
      const { seen } = playExpert("train", index, "medium");
      for (const place of proven.places) {
        const told =
          history.sessions[place]?.turns.filter(({ statement }) => statement && topics.includes(statement.topic)) ?? [];
        expect(told.length).toBeGreaterThan(0);
        for (const { text } of told) expect(seen).toContain(text);
      }
    }
  });
});

function playExpert(split: string, index: number, length: string) {
  const environment = memory.create({ now: () => 0 });
  environment.reset({ task: { split, index }, seed: 0, options: { length, reward: "exact" } });
  let seen = "";
  for (let steps = 1; ; steps++) {
    const { observation, reward, terminated } = environment.step(memory.expert?.(environment) as string);
    seen += observation;
    if (!terminated) continue;
    environment.close();
    return { steps, reward, seen };
  }
}
