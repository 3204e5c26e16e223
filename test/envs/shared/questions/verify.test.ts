/** An answer that is scored without an episode gets the same reward as in an episode. */
import { describe, expect, test } from "vitest";
import memory from "#palestra/envs/memory/index.js";
import searchqa from "#palestra/envs/searchqa/index.js";
import type { Question } from "#palestra/envs/shared/questions/question.js";

const signal = new AbortController().signal;
const rewards = ["exact", "f1"] as const;

async function searchqaEpisode(index: number, reward: string, action: string) {
  const context = { now: () => 0, record: <T>(ask: () => Promise<T>) => ask(), sandboxes: {} as never };
  const instance = searchqa.create(context);
  await instance.reset({ task: { split: "test", index }, seed: 0, options: { answers: "once", reward } });
  return { instance, step: await instance.step(action, signal) };
}

async function searchqaVerdict(index: number, reward: string, answer: string) {
  return searchqa.verify?.({ task: { split: "test", index }, options: { answers: "once", reward }, answer }, signal);
}

describe("searchqa", () => {
  test("scores the answers of its first tasks as their episodes do", async () => {
    for (let index = 0; index < 20; index++) {
      const { instance } = await searchqaEpisode(index, "exact", "");
      const golden = instance.question?.golden[0] as string;
      for (const reward of rewards)
        for (const answer of [golden, ` ${golden.toUpperCase()}. `, `${golden} perhaps`, "nothing", ""]) {
          const { step } = await searchqaEpisode(index, reward, `<answer>${answer}</answer>`);
          const { action, ...info } = step.info;
          expect(action).toBe("answer");
          for (const text of [answer, `<think>Hm.</think><answer>${answer}</answer>`])
            expect(await searchqaVerdict(index, reward, text), text).toEqual({
              reward: step.reward,
              info,
              expected: expect.anything(),
            });
        }
    }
  });

  test("scores the last of several answers, and does not read a question as an answer", async () => {
    const { instance } = await searchqaEpisode(0, "exact", "");
    const { question, golden } = instance.question as Question;
    const verdict = async (text: string) => (await searchqaVerdict(0, "exact", text))?.reward;
    expect(await verdict(`<answer>no</answer> or <answer>${golden[0]}</answer>`)).toBe(1);
    expect(await verdict(`<answer>${golden[0]}</answer> or <answer>no</answer>`)).toBe(0);
    expect(await verdict(question)).toBe(0);
    expect(await verdict("<answer>".repeat(100_000))).toBe(0);
  });
});

describe("memory", () => {
  test.each(["short", "medium", "long"])("scores answers over a %s history as its episodes do", (length) => {
    for (let index = 0; index < 25; index++)
      for (const reward of rewards) {
        const task = { split: "test", index };
        const options = { length, reward };
        const verdict = (answer: string) => memory.verify?.({ task, options, answer });
        const instance = memory.create({ now: () => 0 });
        instance.reset({ task, seed: 0, options });
        const [golden = ""] = instance.task?.golden ?? [];
        for (const answer of [golden, `${golden} perhaps`, "nothing", ""]) {
          instance.reset({ task, seed: 0, options });
          const { info, reward: paid } = instance.step(`<answer>${answer}</answer>`);
          const { action: _, ...scores } = info;
          for (const text of [answer, `So: <answer>${answer}</answer>`])
            expect(verdict(text)).toEqual({ reward: paid, info: scores, expected: expect.anything() });
        }
        instance.close();
        expect(verdict(golden)?.reward).toBe(1);
      }
  });
});
