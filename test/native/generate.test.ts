/** Generators through the API: samples, ends of sequences, and refused requests. */

import { beforeAll, expect, test } from "vitest";
import { Engine, type Generator, type Model } from "#palestra/native/api/index.js";
import { code, configs, engineOfFile, expectSameLogprobs } from "./tiny-models.js";

const engine = await engineOfFile(2, { deterministic: true });
let model: Model;
let generator: Generator;
beforeAll(async () => {
  if (!engine) return;
  model = await engine.loadModel({ config: configs.qwen3, seed: 3 });
  generator = await model.generator({ kvBytes: 1 << 20, maxSequences: 4 });
});

const tokens = [3, 1, 4, 1, 5];

test("log-probabilities equal the trainer's, on a CPU bit for bit, and the iterator yields the tokens of the result", async () => {
  const sequence = generator.submit({ tokens, maxNewTokens: 12, seed: 9 });
  const sampled = [];
  for await (const token of sequence) sampled.push(token);
  const result = await sequence.result;
  expect(result.finish).toBe("length");
  expect(sampled.map(({ token }) => token)).toEqual([...result.tokens]);
  expect([...sequence.tokens]).toEqual([...tokens, ...result.tokens]);
  const trainer = await model.trainer({ maxTokens: 64 });
  const { logprob } = await trainer.score({ tokens: sequence.tokens });
  expectSameLogprobs(engine.info(), result.modelLogprobs, logprob.slice(tokens.length));
  expect(result.logprobs).toEqual(result.modelLogprobs);
  trainer.close();
});

test("top tokens come with each token and in the result, under the distribution of the draw", async () => {
  const request = { tokens, maxNewTokens: 8, seed: 9, topK: 4, temperature: 1.5, topTokens: 6 };
  const sequence = generator.submit(request);
  const streamed = [];
  // A sequence without top tokens runs beside it, in the same steps.
  const { tops: none, ...other } = await generator.submit({ tokens: [2], maxNewTokens: 8, seed: 1 }).result;
  for await (const token of sequence) streamed.push(token);
  const { tops = [], logprobs, ...result } = await sequence.result;
  expect(none).toBeUndefined();
  expect(other.tokens).toHaveLength(8);
  expect(streamed.map(({ top }) => top)).toEqual(tops);
  expect(tops.map((top) => top.length)).toEqual(Array(8).fill(4));
  for (const [at, top] of tops.entries()) {
    expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 4);
    expect(top.map(({ logprob }) => logprob)).toEqual(top.map(({ logprob }) => logprob).sort((a, b) => b - a));
    expect(top.find(({ token }) => token === result.tokens[at])?.logprob).toBeCloseTo(logprobs[at] as number, 4);
  }
  const { topTokens: _, ...plain } = request;
  expect((await generator.submit(plain).result).tokens).toEqual(result.tokens);
});

test("penalties and biases change the draws, and not the model's log-probabilities", async () => {
  const greedy = { tokens, maxNewTokens: 16, temperature: 0 };
  const plain = await generator.submit(greedy).result;
  const penalized = await generator.submit({ ...greedy, presencePenalty: 100, repetitionPenalty: 1e3 }).result;
  expect(new Set(penalized.tokens).size).toBe(16);
  expect(penalized.tokens).not.toEqual(plain.tokens);
  const biased = generator.submit({ ...greedy, logitBias: { 7: 1e5, 8: 1e5 }, frequencyPenalty: 1 });
  expect([...new Set((await biased.result).tokens)].sort()).toEqual([7, 8]);
  const trainer = await model.trainer({ maxTokens: 64 });
  const { logprob } = await trainer.score({ tokens: biased.tokens });
  expectSameLogprobs(engine.info(), (await biased.result).modelLogprobs, logprob.slice(tokens.length));
  trainer.close();
});

test("a sequence keeps its prompt when the caller changes the array afterwards", async () => {
  const prompt = Int32Array.from(tokens);
  const sequence = generator.submit({ tokens: prompt, maxNewTokens: 4, temperature: 0 });
  prompt.fill(0);
  const result = await sequence.result;
  expect([...sequence.tokens]).toEqual([...tokens, ...result.tokens]);
});

test("a seed and a stream give the same tokens, alone or in a group", async () => {
  const group = generator.submitGroup({ tokens, maxNewTokens: 10, seed: 4 }, 6);
  const results = await Promise.all(group.map(({ result }) => result));
  const alone = await generator.submit({ tokens, maxNewTokens: 10, seed: 4, stream: 5 }).result;
  expect(alone).toEqual(results[5]);
  expect(new Set(results.map((result) => result.tokens.join())).size).toBeGreaterThan(1);
});

test("an extended sequence gives the same tokens as one that is submitted whole", async () => {
  const sequence = generator.submit({ tokens, maxNewTokens: 4, temperature: 0 });
  await sequence.result;
  const { tokens: more } = await sequence.extend({ tokens: [7, 8], maxNewTokens: 4, temperature: 0 });
  const whole = await generator.submit({ tokens: sequence.tokens.slice(0, 11), maxNewTokens: 4, temperature: 0 })
    .result;
  expect(more).toEqual(whole.tokens);
  sequence.release();
  sequence.release();
  expect(() => sequence.extend({ tokens: [1] })).toThrow("released");
});

test("stop tokens and the end of the context end a sequence, and only allowed tokens are sampled", async () => {
  const { tokens: free } = await generator.submit({ tokens, maxNewTokens: 8, temperature: 0 }).result;
  const stop = free[3] as number;
  const stopped = await generator.submit({ tokens, temperature: 0, stopTokens: [stop] }).result;
  expect(stopped.finish).toBe("stop-token");
  expect([...stopped.tokens]).toEqual([...free.slice(0, free.indexOf(stop) + 1)]);
  const full = await generator.submit({ tokens, seed: 1 }).result;
  expect(full.finish).toBe("context");
  const few = await generator.submit({ tokens, seed: 1, maxNewTokens: 20, allowedTokens: [2, 60] }).result;
  expect([...few.tokens].every((token) => token === 2 || token === 60)).toBe(true);
});

test("idle time is the time without a running sequence, however long ended sequences are held", async () => {
  const waited = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const { idleSeconds: before } = generator.stats();
  await waited(30);
  const { idleSeconds: idle } = generator.stats();
  expect(idle - before).toBeGreaterThan(0.025);

  await generator.pause();
  const sequences = generator.submitGroup({ tokens, maxNewTokens: 2 }, 2);
  const held = generator.stats().idleSeconds;
  await waited(30);
  expect(generator.stats().idleSeconds).toBe(held);
  generator.resume();
  await Promise.all(sequences.map(({ result }) => result));
  await waited(30);
  expect(generator.stats().idleSeconds - held).toBeGreaterThan(0.025);
});

test("a pause stops steps, an update changes the version of later tokens, and an abort ends a sequence", async () => {
  await generator.pause();
  const sequence = generator.submit({ tokens, maxNewTokens: 30, seed: 2 });
  const steps = generator.stats().steps;
  const trainer = await model.trainer({ maxTokens: 16 });
  await trainer.accumulate({ tokens }, { policy: "cross-entropy" });
  const { version } = await trainer.step({ lr: 1e-2 });
  expect(generator.stats().steps).toBe(steps);
  await generator.update({ kv: "recompute" });
  generator.resume();
  expect(new Set((await sequence.result).versions)).toEqual(new Set([version]));
  expect(generator.stats().version).toBe(version);

  const abort = new AbortController();
  await generator.pause();
  const ended = generator.submit({ tokens, signal: abort.signal });
  abort.abort();
  generator.resume();
  expect((await ended.result).finish).toBe("aborted");
  trainer.close();
});

test.each([
  ["no token", { tokens: [] }],
  ["a token past the vocabulary", { tokens: [61] }],
  ["a prompt as long as the context", { tokens: new Int32Array(64) }],
  ["a temperature below 0", { tokens, temperature: -1 }],
  ["a temperature that is not a number", { tokens, temperature: Number.NaN }],
  ["a top-k below 0", { tokens, topK: -1 }],
  ["a top-p of 0", { tokens, topP: 0 }],
  ["a top-p above 1", { tokens, topP: 1.1 }],
  ["a min-p above 1", { tokens, minP: 1.5 }],
  ["no token to sample", { tokens, maxNewTokens: 0 }],
  ["a stop token past the vocabulary", { tokens, stopTokens: [61] }],
  ["stop strings without a tokenizer", { tokens, stopStrings: ["a"] }],
  ["an empty stop string", { tokens, stopStrings: [""] }],
  ["a bias of a token past the vocabulary", { tokens, logitBias: { 61: 1 } }],
  ["a bias that is not a number", { tokens, logitBias: { 5: Number.NaN } }],
  ["a bias of a name", { tokens, logitBias: { five: 1 } }],
  ["a repetition penalty of 0", { tokens, repetitionPenalty: 0 }],
  ["too many top tokens", { tokens, topTokens: 21 }],
  ["no allowed token", { tokens, allowedTokens: [] }],
  ["an allowed token past the vocabulary", { tokens, allowedTokens: [61] }],
  ["an unknown key", { tokens, topk: 1 } as never],
])("a request with %s fails with NATIVE_INVALID_ARGUMENT", async (_, request) => {
  expect(() => generator.submit(request)).toThrow(code("NATIVE_INVALID_ARGUMENT"));
  expect((await generator.submit({ tokens, maxNewTokens: 1 }).result).finish).toBe("length");
});

test.each([0, 2 ** 16 + 1, 1.5])("a group of %d sequences fails with NATIVE_INVALID_ARGUMENT", (count) => {
  expect(() => generator.submitGroup({ tokens }, count)).toThrow(code("NATIVE_INVALID_ARGUMENT"));
});

test("a sequence that runs or is released cannot be extended", async () => {
  await generator.pause();
  const sequence = generator.submit({ tokens, maxNewTokens: 1 });
  expect(() => sequence.extend({ tokens: [] })).toThrow(code("NATIVE_INVALID_ARGUMENT"));
  generator.resume();
  await sequence.result;
  sequence.release();
  expect(() => sequence.extend({ tokens: [] })).toThrow(code("NATIVE_INVALID_ARGUMENT"));
});

test.each([
  ["no sequence", { maxSequences: 0 }],
  ["more rows than 65536", { maxRows: 2 ** 16 + 1 }],
  ["fewer rows than sequences", { maxSequences: 8, maxRows: 7 }],
  ["no room for a page", { kvBytes: 1 }],
  ["an unknown type of weights", { weights: "f16" }],
  ["an unknown format of keys and values", { keysValues: "q8" }],
])("a generator with %s fails with NATIVE_INVALID_ARGUMENT", async (_, options) => {
  await expect(model.generator({ kvBytes: 1 << 20, ...options } as never)).rejects.toEqual(
    code("NATIVE_INVALID_ARGUMENT"),
  );
});

test("calls that wait refuse unknown and malformed options", async () => {
  await expect(generator.pause({ signal: 5 } as never)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  await expect(generator.update({ kv: "drop" } as never)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  await expect(model.parameter("model.norm.weight", { sig: 1 } as never)).rejects.toEqual(
    code("NATIVE_INVALID_ARGUMENT"),
  );
});

test("a prompt does not wait for the end of the sequences that are decoded", async () => {
  const many = await (
    await engine.loadModel({ config: { ...configs.qwen3, max_position_embeddings: 512 }, seed: 3 })
  ).generator({ kvBytes: 16 << 20, maxSequences: 300 });
  await many.pause();
  const decoded = many.submitGroup({ tokens: [1], maxNewTokens: 40, stopTokens: [] }, 299);
  let ended = 0;
  for (const { result } of decoded) void result.then(() => (ended += 1));
  const prompt = many.submit({ tokens: new Int32Array(200).fill(7), maxNewTokens: 1 });
  many.resume();
  await prompt.result;
  expect(ended).toBe(0);
  await Promise.all(decoded.map(({ result }) => result));
  many.close();
});

test("keys and values beyond the memory budget fail with NATIVE_OUT_OF_MEMORY", async () => {
  const small = await Engine.create({ memoryBytes: 256 << 20, threads: 1 });
  const own = await small.loadModel({ config: { ...configs.llama, max_position_embeddings: 4096 }, seed: 1 });
  await expect(own.generator({ kvBytes: 1 << 30, maxSequences: 4096, maxRows: 4096 })).rejects.toEqual(
    code("NATIVE_OUT_OF_MEMORY"),
  );
  await small.close();
});

test("a step without enough memory fails its sequences with the amounts, and the generator keeps working", async () => {
  const longer = { ...configs.llama, max_position_embeddings: 8192 };
  // On a GPU, a step only uses memory that was allocated when the generator was made.
  const start = await Engine.create({ device: "cpu", threads: 1 });
  const options = { kvBytes: 4 << 20, maxSequences: 1, maxRows: 8 };
  const play = async (own: Engine) => {
    const generator = await (await own.loadModel({ config: longer, seed: 3 })).generator(options);
    const submit = (length: number) =>
      generator.submit({ tokens: new Int32Array(length).fill(7), maxNewTokens: 1, temperature: 0 }).result;
    return { submit, tokens: [...(await submit(8)).tokens] };
  };
  const { tokens: expected } = await play(start);
  // The budget is just enough for a short prompt.
  const memoryBytes = start.info().memoryHighest;
  await start.close();
  const tight = await Engine.create({ device: "cpu", threads: 1, memoryBytes });
  const { submit } = await play(tight);
  await expect(submit(2000)).rejects.toMatchObject(code("NATIVE_OUT_OF_MEMORY"));
  await expect(submit(2000)).rejects.toThrow(/bytes .* but received a request for \d+/);
  expect([...(await submit(8)).tokens]).toEqual(expected);
  await tight.close();
});
