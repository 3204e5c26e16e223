/** Trainers through the API: resuming, adapters, losses, and refused packs. */
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Model, Trainer } from "#palestra/native/api/index.js";
import { code, configs, contextOfSlower, engineOfFile, expectNear, slower, temporaryFolder } from "./tiny-models.js";

const folder = temporaryFolder();
const engine = await engineOfFile(2);

const tokens = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
const pack = { tokens, starts: [0, 4, 10] };
const load = (valueHead = false) => engine.loadModel({ config: configs.qwen3, seed: 3 }, { valueHead });

async function train(trainer: Trainer, steps: number): Promise<number[]> {
  const losses: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    losses.push((await trainer.accumulate(pack, { policy: "cross-entropy" })).loss);
    await trainer.step({ lr: 1e-2, weightDecay: 0.1, clipNorm: 1 });
  }
  return losses;
}

async function weights(model: Model): Promise<Float32Array[]> {
  return Promise.all(model.parameters.map(({ name }) => model.parameter(name)));
}

test.each([
  ["all weights", {}],
  ["adapters", { lora: { rank: 4, alpha: 8, seed: 5 } }],
  [
    "dropping adapters",
    { lora: { rank: 4, alpha: 8, seed: 5, dropout: 0.3, targets: ["q_proj" as const, "down_proj" as const] } },
  ],
])("training %s continues from a checkpoint bit for bit", async (title, options) => {
  const path = join(folder, `${title.replace(" ", "-")}.checkpoint`);
  const [first, second] = [await load(), await load()];
  const [whole, resumed] = [
    await first.trainer({ maxTokens: 16, ...options }),
    await second.trainer({ maxTokens: 16, ...options }),
  ];
  await train(whole, 3);
  await whole.save(path);
  const losses = await train(whole, 3);
  await resumed.accumulate(pack, { policy: "cross-entropy" });
  await resumed.load(path);
  expect(second.version).toBe(3);
  expect(await train(resumed, 3)).toEqual(losses);
  expect(await weights(second)).toEqual(await weights(first));
  expect((await resumed.score(pack)).logprob).toEqual((await whole.score(pack)).logprob);
  first.close();
  second.close();
});

test("a truncated, altered or foreign checkpoint is refused and changes nothing", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  await train(trainer, 1);
  const path = join(folder, "good.checkpoint");
  await trainer.save(path);
  const good = readFileSync(path);
  await train(trainer, 1);
  const before = await weights(model);
  const refused = async (bytes: Buffer) => {
    const bad = join(folder, "bad.checkpoint");
    writeFileSync(bad, bytes);
    await expect(trainer.load(bad)).rejects.toEqual(code("NATIVE_FORMAT"));
  };
  for (const length of [0, 7, 100, good.length >> 1, good.length - 1]) await refused(good.subarray(0, length));
  for (const place of [0, 9, 40, good.length >> 1, good.length - 3]) {
    const altered = Buffer.from(good);
    altered[place] = (altered[place] as number) ^ 1;
    await refused(altered);
  }
  await refused(Buffer.concat([good, Buffer.alloc(8)]));
  const other = await (await load()).trainer({ maxTokens: 16, lora: { rank: 2 } });
  await expect(other.load(path)).rejects.toEqual(code("NATIVE_FORMAT"));
  await expect(trainer.save(`${path}\0`)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  await expect(trainer.load(join(folder, "none"))).rejects.toEqual(code("NATIVE_IO"));
  expect(await weights(model)).toEqual(before);
  expect(model.version).toBe(2);
  truncateSync(path, 10);
});

test("a model saved with merged adapters scores like the model with separate adapters", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16, lora: { rank: 4 } });
  await train(trainer, 3);
  await model.save(join(folder, "merged"), { adapters: trainer });
  const merged = await engine.loadModel(join(folder, "merged"));
  const [beside, within] = [await trainer.score(pack), await (await merged.trainer({ maxTokens: 16 })).score(pack)];
  const base = await (await model.trainer({ maxTokens: 16 })).score(pack);
  expectNear(engine.info().dtype, within.logprob, beside.logprob);
  expect(base.logprob).not.toEqual(beside.logprob);
});

test("gradients passed by the caller equal those of the built-in loss", async () => {
  const [first, second] = [await load(), await load()];
  const [ours, theirs] = [await first.trainer({ maxTokens: 16 }), await second.trainer({ maxTokens: 16 })];
  await ours.accumulate(pack, { policy: "cross-entropy" });
  await theirs.accumulateGradients(pack, { logprob: new Float32Array(tokens.length).fill(-1) });
  const steps = await Promise.all([ours.step({ lr: 1e-2 }), theirs.step({ lr: 1e-2 })]);
  expect(steps[0]).toEqual(steps[1]);
  expect(await weights(first)).toEqual(await weights(second));
});

test("a gradient of the entropy alone moves the weights", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  const before = await weights(model);
  const [none, some] = [new Float32Array(tokens.length), new Float32Array(tokens.length).fill(-1)];
  await trainer.accumulateGradients(pack, { logprob: none, entropy: some });
  await trainer.step({ lr: 1e-2 });
  expect(await weights(model)).not.toEqual(before);
});

test("a value head starts at zero, learns, and is saved", async () => {
  const model = await load(true);
  const trainer = await model.trainer({ maxTokens: 16 });
  const zero = await trainer.score(pack, { value: true });
  expect(zero.value).toEqual(new Float32Array(tokens.length));
  const returns = new Float32Array(tokens.length).fill(1);
  await trainer.accumulate(pack, { policy: "cross-entropy", valueCoefficient: 1 }, { returns });
  await trainer.step({ lr: 1e-2 });
  const { value } = await trainer.score(pack, { value: true });
  expect(value?.[1]).toBeGreaterThan(0);
  await model.save(join(folder, "critic"));
  const again = await engine.loadModel(join(folder, "critic"));
  expect((await (await again.trainer({ maxTokens: 16 })).score(pack, { value: true })).value).toEqual(value);
});

test("a sequence with a parent has the scores of one that repeats the parent's tokens", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  const begin = [3, 1, 4];
  const ends = [
    [1, 5, 9],
    [1, 2],
  ];
  const shared = { tokens: [...begin, ...ends.flat()], starts: [0, 3, 6, 8], parents: [-1, 0, 0] };
  const { logprob } = await trainer.score(shared);
  for (const [at, end] of ends.entries()) {
    const own = (await trainer.score({ tokens: [...begin, ...end] })).logprob.subarray(begin.length + 1);
    expect(logprob.subarray((shared.starts[at + 1] as number) + 1, shared.starts[at + 2])).toEqual(own);
    expect(logprob[shared.starts[at + 1] as number]).toBe(0);
  }
  model.close();
});

test.each([
  ["no token", { tokens: [] }],
  ["more tokens than planned", { tokens: new Int32Array(17) }],
  ["a token past the vocabulary", { tokens: [61] }],
  ["a token below 0", { tokens: Int32Array.of(-1) }],
  ["an empty sequence", { tokens, starts: [0, 4, 4, 10] }],
  ["starts that do not begin at 0", { tokens, starts: [1, 10] }],
  ["starts that end early", { tokens, starts: [0, 4] }],
  ["starts past the end", { tokens, starts: [0, 11] }],
  ["starts that do not ascend", { tokens, starts: [0, 9, 4, 10] }],
  ["a parent that is not an earlier sequence", { tokens, starts: [0, 4, 10], parents: [-1, 1] }],
  ["parents of another length", { tokens, starts: [0, 4, 10], parents: [-1] }],
  ["a parent below -1", { tokens, starts: [0, 4, 10], parents: [-1, -2] }],
  ["a mask of another length", { tokens, mask: [1] }],
  ["a mask of strings", { tokens, mask: Array(10).fill("") } as never],
  ["a hole among its tokens", { tokens: Object.assign([3, 1, 4, 1], { length: 10 }) }],
  ["an unknown key", { tokens, masks: [1] } as never],
  ["tokens that are not integers", { tokens: [1.5] }],
])("a pack with %s fails with NATIVE_INVALID_ARGUMENT", async (_, bad) => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  await expect(trainer.score(bad)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  await expect(trainer.accumulate(bad, { policy: "cross-entropy" })).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  expect((await trainer.score(pack)).logprob[1]).toBeLessThan(0);
  model.close();
});

test("masks and inputs can be any kind of array", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  const flags = [0, 1, 1, 0, 0, 1, 0, 1, 1, 0];
  const scores = await Promise.all(
    [flags, flags.map(Boolean), Uint8Array.from(flags), Float32Array.from(flags)].map((mask) =>
      trainer.score({ ...pack, mask }),
    ),
  );
  for (const score of scores) expect(score).toEqual(scores[0]);
  expect(scores[0]?.logprob.map((value) => (value < 0 ? 1 : 0))).toEqual(
    Float32Array.from(flags, (flag, at) => (at === 4 ? 0 : flag)),
  );
  const losses = await Promise.all(
    [flags, Float32Array.from(flags), Float64Array.from(flags)].map((weight) =>
      trainer.accumulate(pack, { policy: "cross-entropy" }, { weight }),
    ),
  );
  for (const { loss } of losses) expect(loss).toBe(losses[0]?.loss);
  model.close();
});

test("arguments are copied when a call is made", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  const own = Int32Array.from(tokens);
  const calls = [trainer.score({ tokens: own })];
  own.fill(0);
  calls.push(trainer.score({ tokens }));
  const [first, second] = await Promise.all(calls);
  expect(first).toEqual(second);
  model.close();
});

test("a sequence longer than the context fails with NATIVE_INVALID_ARGUMENT", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 128 });
  await expect(trainer.score({ tokens: new Int32Array(65) })).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  await trainer.score({ tokens: new Int32Array(128), starts: [0, 64, 128] });
  model.close();
});

test.each([
  ["an unknown policy", { policy: "trpo" }, {}],
  ["an unknown key", { policy: "ppo", clip: 1 }, {}],
  ["a missing advantage", { policy: "reinforce" }, {}],
  ["a temperature of 0", { policy: "cross-entropy", temperature: 0 }, {}],
  ["a temperature that a float rounds to 0", { policy: "cross-entropy", temperature: 1e-60 }, {}],
  ["a clipLow above 1", { policy: "cross-entropy", clipLow: 1.1 }, {}],
  ["a clipHigh that a float rounds to infinity", { policy: "cross-entropy", clipHigh: 1e300 }, {}],
  ["a dualClip between 0 and 1", { policy: "cross-entropy", dualClip: 0.5 }, {}],
  ["an entropy coefficient that is infinite", { policy: "cross-entropy", entropyCoefficient: -Infinity }, {}],
  ["an unknown KL estimator", { policy: "cross-entropy", kl: "k4" }, {}],
  ["a KL coefficient without an estimator", { policy: "cross-entropy", klCoefficient: 1 }, {}],
  ["inputs of another length", { policy: "cross-entropy" }, { weight: [1] }],
  [
    "a value loss without a value head",
    { policy: "cross-entropy", valueCoefficient: 1 },
    { returns: new Float32Array(10) },
  ],
])("a loss with %s fails with NATIVE_INVALID_ARGUMENT", async (_, loss, inputs) => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  await expect(trainer.accumulate(pack, loss as never, inputs)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  model.close();
});

test("values and their gradients need a value head, and every softmax a temperature above 0", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  const [invalid, logprob] = [code("NATIVE_INVALID_ARGUMENT"), new Float32Array(10)];
  await expect(trainer.score(pack, { value: true })).rejects.toEqual(invalid);
  await expect(trainer.accumulateGradients(pack, { value: logprob })).rejects.toEqual(invalid);
  await expect(trainer.score(pack, { temperature: 0 })).rejects.toEqual(invalid);
  await expect(trainer.accumulateGradients(pack, { logprob }, { temperature: 0 })).rejects.toEqual(invalid);
  model.close();
});

test.each([
  ["no room for a token", { maxTokens: 0 }],
  ["an unknown recompute", { maxTokens: 1, recompute: "all" }],
  ["a LoRA rank of 0", { maxTokens: 1, lora: { rank: 0 } }],
  ["a LoRA rank above the hidden size", { maxTokens: 1, lora: { rank: 33 } }],
  ["an alpha that a float rounds to infinity", { maxTokens: 1, lora: { rank: 1, alpha: 1e300 } }],
  ["a dropout of every input", { maxTokens: 1, lora: { rank: 1, dropout: 1 } }],
  ["no LoRA target", { maxTokens: 1, lora: { rank: 1, targets: [] } }],
])("a trainer with %s fails with NATIVE_INVALID_ARGUMENT", async (_, options) => {
  const model = await load();
  await expect(model.trainer(options as never)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  model.close();
});

test.each([
  { lr: -1 },
  { lr: Number.NaN },
  { lr: 1, beta1: 1 },
  { lr: 1, beta2: 1 - 1e-12 },
  { lr: 1, epsilon: 0 },
  { lr: 1, epsilon: 1e-60 },
  { lr: 1, weightDecay: -1 },
  { lr: 1, clipNorm: 0 },
])("a step with %j fails with NATIVE_INVALID_ARGUMENT and changes nothing", async (options) => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  await expect(trainer.step(options)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  expect(model.version).toBe(0);
  model.close();
});

test("the error of a number that fits a double alone names 32-bit floats", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  const step = (epsilon: number) => trainer.step({ lr: 1, epsilon });
  await expect(step(1e-60)).rejects.toThrow("epsilon to be a number above 0 as a 32-bit float, but received 1e-60");
  await expect(step(-1)).rejects.toThrow("epsilon to be a number above 0, but received -1");
  model.close();
});

test("a signal cancels a call with its reason and drops the accumulated gradients", async () => {
  const model = await engine.loadModel({ config: slower, seed: 1 });
  const trainer = await model.trainer({ maxTokens: 64 });
  const abort = new AbortController();
  const calls = Array.from({ length: 12 }, () =>
    trainer.accumulate({ tokens: contextOfSlower }, { policy: "cross-entropy" }, {}, { signal: abort.signal }),
  );
  abort.abort("enough");
  const ends = await Promise.allSettled(calls);
  const cancelled = ends.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  expect(cancelled.length).toBeGreaterThan(0);
  for (const { reason } of cancelled) {
    expect(reason).toEqual(code("NATIVE_CANCELLED"));
    expect((reason as Error).cause).toBe("enough");
  }
  await expect(trainer.score(pack, { signal: abort.signal })).rejects.toEqual(code("NATIVE_CANCELLED"));
  expect((await trainer.step({ lr: 1e-2 })).gradientNorm).toBe(0);
  model.close();
});

test("dropped gradients change nothing", async () => {
  const model = await load();
  const trainer = await model.trainer({ maxTokens: 16 });
  await trainer.accumulate(pack, { policy: "cross-entropy" });
  await trainer.zeroGradients();
  expect((await trainer.step({ lr: 1e-2 })).gradientNorm).toBe(0);
  model.close();
});
