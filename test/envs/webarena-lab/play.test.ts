/** Experts and near misses in the browser, many at once. PALESTRA_TEST_ALL plays every template three times, in random order. */
import { createHash } from "node:crypto";
import { afterAll, expect } from "vitest";
import { WebArena } from "#palestra/envs/shared/web-tasks/env.js";
import { playable } from "#palestra/envs/webarena-lab/benchmark.js";
import type { PlanStep } from "#palestra/envs/webarena-lab/plan.js";
import { type LabTask, taskFrom, templates } from "#palestra/envs/webarena-lab/tasks/index.js";
import { BrowserProvider } from "#palestra/sandboxes/browser/browser-provider.js";
import { testBrowser } from "../../support/browsers.js";

const isAll = Boolean(process.env.PALESTRA_TEST_ALL);
const parallel = isAll ? 8 : 3;
/** By default, one in this many templates is played. */
const every = 35;
const rounds = isAll ? 3 : 2;
/** Seeds of each template's problems. */
const seeds = Array.from({ length: Number(process.env.PALESTRA_TEST_SEEDS ?? 1) }, (_, seed) => seed);
const mostSteps = 60;
const callMs = 240_000;
const options = { observation: "tree", extent: "viewport" };

const browsers = new BrowserProvider({ browsers: 1, contextsPerBrowser: parallel, waitMs: callMs });
afterAll(() => browsers.close());

interface Job {
  name: string;
  task: LabTask;
  plan: readonly PlanStep[];
  score: number;
}

function jobs(): Job[] {
  const chosen = isAll ? templates : templates.filter((_, at) => at % every === every - 1);
  return chosen.flatMap((template) =>
    seeds.flatMap((seed) => {
      const task = taskFrom(template, seed);
      const misses = Object.entries(task.problem.nearMisses).map(([name, plan]) => ({ name, plan, score: 0 }));
      const named = [{ name: "expert", plan: task.plan, score: 1 }, ...(isAll ? misses : misses.slice(0, 1))];
      return named.map((job) => ({ ...job, name: `${template.name}:${seed} ${job.name}`, task }));
    }),
  );
}

/** Plays a job. Returns the score and a digest of all observations. */
async function play({ task, plan }: Job): Promise<{ score: number | string; bytes: string }> {
  const environment = new WebArena({ sandboxes: { browsers } }, playable({ ...task, plan }));
  const signal = AbortSignal.timeout(callMs);
  const bytes = createHash("sha256");
  const note = (reply: object) => bytes.update(JSON.stringify(reply));
  try {
    const opening = await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options }, signal);
    note(opening);
    let seen = opening.observation;
    for (let step = 0; step < mostSteps; step++) {
      const action = environment.advise();
      if (action === null) return { score: `no next step on this page:\n${seen}`, bytes: "" };
      const result = await environment.step(action, signal);
      note(result);
      seen = result.observation;
      if (result.terminated) return { score: result.reward, bytes: bytes.digest("hex") };
    }
    return { score: "no end", bytes: "" };
  } finally {
    await environment.close();
  }
}

testBrowser(
  "experts score 1, near misses 0, and each episode answers the same bytes again",
  async () => {
    const all = jobs();
    const known = new Map<string, string>();
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round++) {
      // A random order, so that different episodes run side by side.
      const waiting = [...all].sort(() => Math.random() - 0.5);
      const work = async () => {
        for (let job = waiting.pop(); job; job = waiting.pop()) {
          const { score, bytes } = await play(job);
          if (score !== job.score) wrong.push(`${job.name}: ${score}`);
          if ((known.get(job.name) ?? bytes) !== bytes) wrong.push(`${job.name}: other bytes than before`);
          known.set(job.name, bytes);
          if (waiting.length % 50 === 0)
            console.info(`round ${round}: ${waiting.length} of ${all.length} to play, ${wrong.length} wrong`);
        }
      };
      await Promise.all(Array.from({ length: parallel }, work));
    }
    expect(wrong).toEqual([]);
  },
  isAll ? 7_200_000 : 300_000,
);
