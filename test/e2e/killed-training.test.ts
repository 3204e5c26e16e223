/**
 * Resume: a run that is killed ten times at random points ends like an undisturbed run, bit for bit in synchronous mode.
 *
 * KILLS=100 npx vitest run --config .config/vitest.config.mjs test/e2e/killed-training.test.ts kills more often.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needsEngine } from "../native/tiny-models.js";
import { scratch, serve } from "../support/serving.js";
import { tinyRun } from "../trainer/support/training.js";
import {
  killTraining,
  type Moment,
  outcomeOf,
  said,
  savesCheckpoint,
  trainToTheEnd,
  unfinished,
} from "./killed-training.js";

needsEngine();

const kills = Number(process.env.KILLS ?? 10);

const settings = {
  ...tinyRun,
  max_head_offpolicyness: 0,
  train_tasks: ["textcraft:all:0-3", "babyai:GoToRedBallNoDists:1000-1999*0.5"],
  difficulty_filter: true,
  algorithm: "grpo",
  clone_episodes: 60,
  clone_epochs: 20,
  max_new_tokens: 12,
  total_train_steps: 4 + kills,
  eval_freq_steps: 3,
  eval_episodes: 12,
};

/** A part of a run, the moment from which it may be killed, and the milliseconds within which the kill happens. */
const moments: readonly [string, Moment, number][] = [
  ["experts play", said(/playing/), 60],
  ["cloning", said(/cloning \d+ episodes/), 400],
  ["cloning, late", said(/cloning 1\d\d\//), 400],
  ["rollouts and train steps", said(/held out after train step 0/), 100],
  ["a checkpoint is written", savesCheckpoint, 0],
  ["after a checkpoint", said(/saved .*step-/), 3],
  ["a checkpoint is written, a little later", savesCheckpoint, 3],
  ["rollouts, train steps, evaluation", said(/train \d+\//), 150],
  ["evaluation", said(/train \d+\//), 60],
  ["near the end", said(/train 1[0-4]\//), 100],
];
const anywhere: (typeof moments)[number] = ["anywhere", () => true, 3_000];

test("a run that is killed ten times ends like an undisturbed run, bit for bit", {
  timeout: 600_000,
}, async (context) => {
  const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const folder = scratch();
  const alone = { folder: join(folder, "alone"), settings: { ...settings, gym: url } };
  const killed = { folder: join(folder, "killed"), settings: { ...settings, gym: url } };
  await trainToTheEnd(alone);

  const reached: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const [part, moment, withinMs] = moments[kill] ?? anywhere;
    const delayMs = Math.random() * withinMs;
    const { signal, stderr } = await killTraining(killed, moment, delayMs);
    const last = stderr.trimEnd().split("\n").at(-1);
    reached.push(`${part}, ${delayMs.toFixed(1)} ms: ${signal ?? "done before"}, after "${last}"`);
  }
  await trainToTheEnd(killed);
  context.annotate(reached.join("\n"));
  console.info(reached.join("\n"));
  expect(outcomeOf(killed.folder)).toEqual(outcomeOf(alone.folder));
  expect(unfinished(killed.folder)).toEqual([]);
  for (const model of ["initial", "cloned", "final"]) {
    expect(readdirSync(join(killed.folder, model)).filter((name) => name.startsWith("."))).toEqual([]);
  }
});

test("a run with a separate critic that is killed after train steps ends like an undisturbed run, bit for bit", {
  timeout: 600_000,
}, async () => {
  const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const folder = scratch();
  const critic = { algorithm: "ppo", n_samples: 4, critic: "separate", critic_lr: 3e-3, save_freq_steps: 1 };
  const own = { ...settings, ...critic, gym: url, total_train_steps: 5, clone_epochs: 5 };
  const alone = { folder: join(folder, "alone"), settings: own };
  const killed = { folder: join(folder, "killed"), settings: own };
  await trainToTheEnd(alone);
  for (const step of [1, 2, 4]) {
    const { signal } = await killTraining(killed, said(new RegExp(`train ${step}/`)), 5 * step);
    expect(signal).toBe("SIGKILL");
  }
  await trainToTheEnd(killed);
  const outcome = outcomeOf(killed.folder);
  expect(outcome.critic).toMatch(/^[0-9a-f]{64}$/);
  expect(outcome).toEqual(outcomeOf(alone.folder));
});
