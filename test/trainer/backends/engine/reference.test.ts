/** The frozen reference policy: it scores like its model, and has no memory for training. */
import { expect, test } from "vitest";
import { openReference } from "#palestra/trainer/backends/engine/reference.js";
import { engineOfFile, slower, temporaryFolder } from "../../../native/tiny-models.js";

const engine = await engineOfFile(1, { device: "cpu", dtype: "f32" });
const folder = temporaryFolder();
const tokens = Int32Array.from({ length: 16 }, (_, at) => (7 * at) % 61);

async function opened(lora_rank: number) {
  const model = await engine.loadModel({ config: slower, seed: 3 });
  const weights = model.parameters.reduce((sum, { shape }) => sum + 4 * shape.reduce((a, b) => a * b, 1), 0);
  await model.save(folder);
  const options = { maxTokens: 16, ...(lora_rank > 0 && { lora: { rank: lora_rank } }) };
  const policy = await model.trainer(options);
  const before = engine.info().memoryUsed;
  const { logprob } = await policy.score({ tokens });
  const settings = { max_tokens_per_mb: 16, lora_rank };
  const reference = await openReference({ engine, model, folder, settings });
  return { model, policy, reference, logprob, weights, added: engine.info().memoryUsed - before };
}

test("adds its weights to the memory, but no gradients and optimiser moments", async () => {
  const { model, policy, reference, logprob, weights, added } = await opened(0);
  expect((await reference.score({ tokens })).logprob).toEqual(logprob);
  expect(added).toBeGreaterThan(weights);
  expect(added).toBeLessThan(1.5 * weights);
  await policy.accumulate({ tokens }, { policy: "cross-entropy" });
  await policy.step({ lr: 1e-2 });
  expect((await reference.score({ tokens })).logprob).toEqual(logprob);
  expect((await policy.score({ tokens })).logprob).not.toEqual(logprob);
  model.close();
});

test("shares the weights of a policy that trains adapters, and the adapters do not change its scores", async () => {
  const { model, policy, reference, logprob, weights, added } = await opened(2);
  expect(added).toBeLessThan(weights / 2);
  await policy.accumulate({ tokens }, { policy: "cross-entropy" });
  await policy.step({ lr: 1e-2 });
  expect((await reference.score({ tokens })).logprob).toEqual(logprob);
  expect((await policy.score({ tokens })).logprob).not.toEqual(logprob);
  model.close();
});
