/** The policy in the native engine: tokens in, tokens out. */
import { describe, expect, test } from "vitest";
import type { Generator } from "#palestra/native/api/index.js";
import { NativePolicy, type NativePolicyOptions } from "#palestra/trainer/policy/native.js";
import type { Conversation, Opening } from "#palestra/trainer/policy/policy.js";
import { expectSameLogprobs, needsEngine } from "../../native/tiny-models.js";
import { texts, toyModel } from "../toy-model.js";

needsEngine();
const toy = toyModel();
const { signal } = new AbortController();

const opening = (seed = 1): Opening => ({
  played: { environment: "textcraft@1", split: "all", index: 0, seed: 0 },
  prompt: "You craft.",
  tools: [],
  observation: texts[0] as string,
  seed,
});

async function open(
  options: Partial<NativePolicyOptions> = {},
): Promise<{ generator: Generator; policy: NativePolicy }> {
  const generator = await toy.model.generator({ kvBytes: 1 << 22 });
  const policy = new NativePolicy({ generator, model: toy.model, context: 256, maxNewTokens: 8, ...options });
  return { generator, policy };
}

async function play(conversation: Conversation, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await conversation.reply(round === 0 ? undefined : "Got 1 oak logs", signal);
  }
}

test("conversations with the same opening compute its tokens once, and give the same replies as each alone", async () => {
  const { generator, policy } = await open();
  const seeds = [1, 2, 3, 4];
  const group = seeds.map((seed) => policy.converse(opening(seed)));
  await Promise.all(group.map((conversation) => play(conversation, 2)));
  const given = policy.format.opening("You craft.", texts[0] as string).length;
  expect(generator.stats().sharedTokens).toBe(3 * (given - 1));
  const together = group.map((conversation) => conversation.tokens());
  await policy.close();
  for (const [at, seed] of seeds.entries()) {
    const conversation = policy.converse(opening(seed));
    await play(conversation, 2);
    expect(conversation.tokens()).toEqual(together[at]);
    conversation.close();
  }
  expect(generator.stats().sharedTokens).toBe(3 * (given - 1));
  generator.close();
});

describe("a conversation", () => {
  test("has the log-probabilities that the trainer computes for its tokens, on a CPU to the last bit", async () => {
    const { generator, policy } = await open();
    const conversation = policy.converse(opening());
    await play(conversation, 4);
    const { tokens, mask, logprobs } = conversation.tokens() ?? expect.fail("expected tokens");
    const trainer = await toy.model.trainer({ maxTokens: 256 });
    const { logprob } = await trainer.score({ tokens, mask });
    expect(mask.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(8);
    expectSameLogprobs(toy.engine.info(), logprobs, logprob);
    trainer.close();
    generator.close();
  });

  test("contains the sampled tokens unchanged, with only the bridge between turns", async () => {
    const { generator, policy } = await open();
    const conversation = policy.converse(opening());
    const first = await conversation.reply(undefined, signal);
    const { tokens: before } = conversation.tokens() ?? expect.fail("expected tokens");
    const second = await conversation.reply("Got 1 oak logs", signal);
    const { tokens, mask, versions } = conversation.tokens() ?? expect.fail("expected tokens");
    expect(tokens.slice(0, first.end)).toEqual(before);
    expect(tokens.slice(first.end, second.first)).toEqual(policy.format.bridge("Got 1 oak logs", before.at(-1)));
    expect([...mask.keys()].filter((token) => mask[token] === 1)).toEqual(
      [...tokens.keys()].filter((at) => (at >= first.first && at < first.end) || at >= second.first),
    );
    expect([...versions].filter((_, token) => mask[token] === 0).every((version) => version === -1)).toBe(true);
    expect(second.end).toBe(tokens.length);
    generator.close();
  });

  test("is the same again with its seed, beside any other conversation, and differs with another seed", async () => {
    const { generator, policy } = await open();
    const alone = policy.converse(opening(7));
    await play(alone, 3);
    const all = [opening(7), opening(8), opening(9)].map((one) => policy.converse(one));
    await Promise.all(all.map((conversation) => play(conversation, 3)));
    expect(all[0]?.tokens()).toEqual(alone.tokens());
    expect(all[1]?.tokens()).not.toEqual(alone.tokens());
    generator.close();
  });

  test("counts the tokens it read, again in each turn, and the tokens it wrote", async () => {
    const { generator, policy } = await open();
    const conversation = policy.converse(opening());
    const first = await conversation.reply(undefined, signal);
    const second = await conversation.reply("Got 1 oak logs", signal);
    expect(conversation.usage?.()).toEqual({
      requests: 2,
      promptTokens: first.first + second.first,
      completionTokens: first.end - first.first + second.end - second.first,
    });
    generator.close();
  });

  test("ends with the context, and reports it", async () => {
    const { generator, policy } = await open({ context: 60 });
    const conversation = policy.converse(opening());
    const finishes: string[] = [];
    for (let round = 0; round < 20 && finishes.at(-1) !== "context"; round++) {
      finishes.push((await conversation.reply(round === 0 ? undefined : "Got 1 oak logs", signal)).finish);
    }
    expect(finishes.at(-1)).toBe("context");
    expect(conversation.tokens()?.tokens.length).toBeLessThanOrEqual(60);
    generator.close();
  });

  test("continues with new weights, and each turn has the policy version that sampled it", async () => {
    const named = new Map<number, number>();
    const { generator, policy } = await open({ versionOf: (weights) => named.get(weights) as number });
    named.set(toy.model.version, 3);
    const conversation = policy.converse(opening());
    const first = await conversation.reply(undefined, signal);
    const trainer = await toy.model.trainer({ maxTokens: 256 });
    await trainer.accumulate({ tokens: [1, 2, 3, 4] }, { policy: "cross-entropy" });
    await trainer.step({ lr: 1e-3 });
    named.set(toy.model.version, 4);
    await generator.update();
    const second = await conversation.reply("Got 1 oak logs", signal);
    const { versions } = conversation.tokens() ?? expect.fail("expected tokens");
    expect(new Set(versions.slice(first.first, first.end))).toEqual(new Set([3]));
    expect(new Set(versions.slice(second.first, second.end))).toEqual(new Set([4]));
    trainer.close();
    generator.close();
  });

  test("ends a reply with the reason of an aborted signal", async () => {
    const { generator, policy } = await open();
    const stopping = new AbortController();
    const reply = policy.converse(opening()).reply(undefined, stopping.signal);
    stopping.abort(new Error("enough"));
    await expect(reply).rejects.toThrow("enough");
    generator.close();
  });
});
