/** The generator's figures in a train step, from a real generator. */
import { expect, test } from "vitest";
import { GenerationMeter } from "#palestra/trainer/run/generation-meter.js";
import { configs, engineOfFile } from "../../native/tiny-models.js";

const engine = await engineOfFile(1);
const prompt = { tokens: [3, 1, 4], maxNewTokens: 5, stopTokens: [] };

test("a reading has the tokens and the idle time since the previous reading", async () => {
  const model = await engine?.loadModel({ config: configs.qwen3, seed: 3 });
  const generator = await model?.generator({ kvBytes: 1 << 20 });
  if (!generator) throw new Error("expected a generator");
  await generator.submit(prompt).result;
  const meter = new GenerationMeter({
    get decodedTokens() {
      return generator.stats().decodedTokens;
    },
    get idleSeconds() {
      return generator.stats().idleSeconds;
    },
  });
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await Promise.all(generator.submitGroup(prompt, 2).map(({ result }) => result));
  const first = meter.read();
  const elapsedMs = performance.now() - startedAt;
  expect(first.decodedTokens).toBe(10);
  expect(first.generatorIdleMs).toBeGreaterThan(25);
  expect(first.generatorIdleMs).toBeLessThan(elapsedMs);

  await generator.pause();
  const sequence = generator.submit(prompt);
  meter.read();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(meter.read()).toEqual({ decodedTokens: 0, generatorIdleMs: 0, generatorMs: expect.any(Number) });
  generator.resume();
  await sequence.result;
  expect(meter.read().decodedTokens).toBe(5);
});
