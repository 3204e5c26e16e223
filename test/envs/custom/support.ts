/** Environments from files that a test writes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "#palestra/server/config/settings.js";
import { openGym, scratchDir, type TestGym } from "../../support/gym.js";

let files = 0;

/** Writes a file, which is removed at the end of the test, and returns its path. */
export function file(name: string, content: unknown): string {
  const path = join(scratchDir(), `${++files}-${name}`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

export const lines = (tasks: readonly object[]) => tasks.map((task) => JSON.stringify(task)).join("\n");

export const sums = lines([
  { prompt: "What is 2 + 2?", answer: 4, family: "sum" },
  {
    prompt: [
      { role: "system", content: "Count." },
      { role: "user", content: "1 + 2?" },
    ],
    answer: ["3", "three"],
  },
]);

/** Starts a gym with one user-defined environment, `own`. */
export function ownGym(definition: object, settings: Settings = {}): Promise<TestGym> {
  const entry = { id: "own", tasks: file("tasks.jsonl", sums), ...definition };
  return openGym({ environments: [JSON.stringify(entry)], hosts: { count: 1 }, ...settings });
}

/** Plays actions in one episode and returns the replies. */
export async function played(gym: TestGym, actions: readonly string[], index = 0) {
  const { episodeId } = await gym.create({ environment: "own", task: { index } });
  const replies = [];
  for (const [at, action] of actions.entries()) replies.push(await gym.call("step", { episodeId, index: at, action }));
  return { episodeId, replies };
}

/** Returns the reward, or the error code, of each answer to the first task. */
export async function rewardsOf(gym: TestGym, answers: readonly string[]): Promise<(number | string)[]> {
  const { results } = await gym.call("score", {
    environment: "own",
    answers: answers.map((answer) => ({ task: { index: 0 }, answer })),
  });
  return results.map((result) => ("error" in result ? result.error.code : result.reward));
}
