/** A model learns from the traffic of a live product, whose rewards come late and out of order, or never. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oldestVersion, type Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { checkSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { scratch } from "../../support/serving.js";
import { Notes } from "../support/training.js";
import { writeAgentModel } from "./agent-model.js";
import { colourDialogues, colourTexts, type Product, startProduct } from "./product.js";

const engine = await engineOfFile(1);
const options = { texts: colourTexts, dialogues: colourDialogues, epochs: 100 };
const model = engine && (await writeAgentModel(engine, temporaryFolder(), options));
const batchSize = 32;
const trainSteps = 50;

function settingsOf(output: string) {
  return checkSettings({
    rollout: "endpoint",
    endpoint_port: 0,
    model,
    output,
    context_length: 128,
    max_tokens_per_mb: 2048,
    max_new_tokens: 6,
    algorithm: "reinforce",
    baseline: "ema",
    // The tokens are up to two versions old: without their weight, the gradient is biased, and the model collapses at times.
    use_decoupled_loss: true,

    batch_size: batchSize,
    max_concurrent_groups: 64,
    max_head_offpolicyness: 2,
    ppo_n_minibatches: 1,
    lr: 1e-3,
    beta2: 0.99,
    total_train_steps: trainSteps,
    save_freq_steps: 1000,
    threads: 1,
  });
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("a model learns from single calls with late rewards, and no token is older than the bound", async () => {
  const output = scratch();
  const notes = new Notes();
  let product: Product | undefined;
  notes.onStage = (stage) => {
    const [, url] = /rollout endpoint at (http:\S+)/.exec(stage) ?? [];
    if (url) product = startProduct(url, 1);
  };
  const { end } = await train(settingsOf(output), undefined, notes, new AbortController().signal);
  const { confirmed, unrewarded, closed } = product as Product;
  await closed;
  expect([end, notes.steps.length]).toEqual(["done", trainSteps]);

  // Every group is one conversation, and is learned from once.
  const batches = notes.steps.map(({ groups }) => groups.flatMap(({ trajectories }) => trajectories));
  expect(batches.every(({ length }) => length === batchSize)).toBe(true);
  const learnt = new Set(batches.flat().map(({ episodeId }) => episodeId));
  expect(learnt.size).toBe(trainSteps * batchSize);
  expect(unrewarded()).toBeGreaterThan(trainSteps);
  for (const [trainStep, rows] of batches.entries()) {
    for (const row of rows) expect(trainStep - (oldestVersion(row) as number)).toBeLessThanOrEqual(2);
  }

  // An accepted reward is learned from, or its file waits for a resumed run.
  const files = new Set(readdirSync(join(output, "rewarded")).map((name) => name.replace(".json", "")));
  const accepted = [...confirmed].flatMap(([id, status]) => (status === "accepted" ? [id] : []));
  expect(accepted.length).toBeGreaterThan(trainSteps);
  expect(accepted.filter((id) => !learnt.has(id) && !files.has(id))).toEqual([]);
  expect([...learnt].filter((id) => files.has(id))).toEqual([]);

  const means = batches.map((rows: Trajectory[]) => meanOf(rows.map(({ return: total }) => total)));
  const state = readFileSync(join(output, "checkpoints", "step-00000050", "state.json"), "utf8");
  const baseline = means.reduce((mean, next) => 0.9 * mean + (1 - 0.9) * next);
  expect(JSON.parse(state).parts.carried).toBeCloseTo(baseline, 12);
  const [before, after] = [meanOf(means.slice(0, 5)), meanOf(means.slice(-5))];
  console.info(
    `traffic: mean reward ${before.toFixed(2)} in the first 5 train steps, ${after.toFixed(2)} in the last 5`,
  );
  expect(after).toBeGreaterThan(before + 0.12);
});
