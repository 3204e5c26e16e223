/**
 * The trainer on an emulated CUDA device, as users run it: `palestra train` in bf16, resumed there and on a CPU, and the
 * errors for a device that cannot be used.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { emulatedCuda } from "../native/emulated-cuda.js";
import { needsEngine } from "../native/tiny-models.js";
import { scratch, serve } from "../support/serving.js";
import { reportData } from "../trainer/support/report-data.js";
import { tinyRun } from "../trainer/support/training.js";
import { outcomeOf, startTraining, trainToTheEnd } from "./killed-training.js";

needsEngine();
const { environment, reason } = await emulatedCuda();
beforeEach((context) => context.skip(reason !== undefined, reason));

/**
 * Two train steps that always have a gradient, on tasks with short texts, since the emulator needs a second for each
 * text.
 */
const settings = {
  ...tinyRun,
  train_tasks: ["textcraft:all:0-1"],
  eval_tasks: ["textcraft:all:0-1"],
  clone_episodes: 4,
  clone_epochs: 1,
  language_episodes: 4,
  context_length: 384,
  max_rounds: 2,
  max_new_tokens: 4,
  batch_size: 1,
  n_samples: 2,
  ppo_n_minibatches: 1,
  entropy_coef: 0.01,
  eval_episodes: 1,
  max_head_offpolicyness: 0,
  total_train_steps: 2,
  save_freq_steps: 1,
};
const megabytes = (count: number) => ({ ...environment, EMULATED_CUDA_MEMORY: String(count << 20) });
const gym = async () => ({ gym: (await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } })).url });

/**
 * Returns the records without evaluations, since a run that ends after its first train step has one more evaluation.
 */
function digestsOf(folder: string) {
  const { cloned, weights, weightsAndOptimiser } = outcomeOf(folder);
  return { cloned, weights, weightsAndOptimiser };
}

test("a run learns in bf16, resumes bit for bit, and resumes on a CPU", { timeout: 300_000 }, async () => {
  const folder = scratch();
  const common = { ...settings, ...(await gym()) };
  const env = megabytes(256);
  const alone = { folder: join(folder, "alone"), settings: common, env };
  const said = await trainToTheEnd(alone);
  expect(said).toMatch(/^computing in bf16 on cuda:0 \S.* by own mma\.sync/);
  const learnt = digestsOf(alone.folder);
  expect(learnt.weights).not.toBe(learnt.cloned);
  const { engine } = reportData<{ engine: object }>(readFileSync(join(alone.folder, "report.html"), "utf8"));
  expect(engine).toMatchObject({ device: expect.stringMatching(/^cuda:0 /), dtype: "bf16" });

  const broken = { folder: join(folder, "broken"), settings: common, env };
  await trainToTheEnd({ ...broken, settings: { ...common, total_train_steps: 1 } });
  expect(await trainToTheEnd(broken)).toContain("resuming after train step 1");
  expect(digestsOf(broken.folder)).toEqual(learnt);

  const onCpu = { ...common, total_train_steps: 3, device: "cpu" };
  const gone = await trainToTheEnd({ ...broken, settings: onCpu });
  expect(gone).toMatch(/^computing in \S+ (\(.*\) )?on cpu .*\n.*resuming after train step 2\n/);
  expect(outcomeOf(broken.folder).trainStep).toBe(3);
});

describe("a device that cannot be used", () => {
  test.each([
    [
      "a device that is not there",
      { device: "cuda:3" },
      256,
      "expected a CUDA device below 1, but received 3. Run without a GPU with --device cpu",
    ],
    [
      "one that others have filled",
      {},
      20,
      /bytes for .* of a budget of 18874368, .* The budget is 0\.9 of the memory that was free when the engine started/,
    ],
  ])("a run on %s is refused in one line", async (_, changes, memory, message) => {
    const folder = join(scratch(), "run");
    const run = { folder, settings: { ...settings, ...(await gym()), ...changes }, env: megabytes(memory) };
    const training = startTraining(run);
    expect(await training.exited).toEqual({ code: 1, signal: null });
    expect(training.stderr).toMatch(message);
    expect(training.stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

test("a run whose device fails during play ends with the driver's message", async () => {
  const folder = join(scratch(), "run");
  // The device fails after cloning, during the evaluation before the first train step.
  const env = { ...megabytes(256), EMULATED_CUDA_FAULTS: "kernel:100=700" };
  const training = startTraining({ folder, settings: { ...settings, ...(await gym()) }, env });
  expect(await training.exited).toEqual({ code: 1, signal: null });
  const [last] = training.stderr.trimEnd().split("\n").slice(-1);
  expect(last).toMatch(/^palestra: expected cu\w+ to succeed, but received CUDA_ERROR_ILLEGAL_ADDRESS/);
  expect(training.stderr).toContain("cloning 1/1");
});
