/** A token server in a process of its own, whose weights change in the middle of a reply. */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Model } from "#palestra/native/api/index.js";
import { TokenServer } from "#palestra/trainer/policy/token-server.js";
import { WeightPush } from "#palestra/trainer/policy/weight-push.js";
import { needsEngine, temporaryFolder } from "../../native/tiny-models.js";
import { startNode } from "../../support/server-process.js";
import { texts, toyModel } from "../toy-model.js";

needsEngine();
// The log-probabilities, equal to the last bit, show the token at which the weights change.
const toy = toyModel({ device: "cpu" });
const folder = temporaryFolder();
const { signal } = new AbortController();
const length = 150;

async function start(kind: string): Promise<string> {
  const child = startNode(["--import", "tsx", "test/trainer/support/policy-server.ts", kind], { showErrors: true });
  onTestFinished(async () => void (await child.stop()));
  return child.listeningUrl();
}

test.each([
  // The server returns a partial reply, and the client requests the rest: each part has its own version.
  ["vllm", "recompute", [0, 1]],
  // The server continues the reply: all tokens count as sampled by the older weights.
  ["vllm", "keep", [0]],
  ["sglang", "keep", [0]],
] as const)(
  "on %s with kv %s, tokens have the versions %j and the log-probabilities of the weights that sampled them",
  async (kind, kv, told) => {
    const url = await start(kind);
    const server = new TokenServer({ url, model: "policy" });
    onTestFinished(() => server.close());
    const weights = new WeightPush({ base: server.server.base, folder: join(folder, `${kind}-${kv}`), kv });
    const trainer = await toy.model.trainer({ maxTokens: 256 });
    onTestFinished(() => trainer.close());
    const prompt = [...(toy.model.tokenizer?.encode(texts[0] as string) ?? [])];
    const older = join(folder, `${kind}-${kv}-older`);
    await toy.model.save(older);

    await weights.push(0, (to) => toy.model.save(to), signal);
    const reply = server.sample({ prompt, max_tokens: length, temperature: 1, seed: 3, stop_token_ids: [] }, signal);
    await setTimeout(80);
    await trainer.accumulate({ tokens: prompt }, { policy: "cross-entropy" });
    await trainer.step({ lr: 3e-2 });
    await weights.push(1, (to) => toy.model.save(to), signal);
    server.version = 1;

    const { tokens, logprobs, versions } = await reply;
    expect(tokens).toHaveLength(length);
    expect([...new Set(versions)]).toEqual(told);
    expect([...versions]).toEqual([...versions].sort());
    const [before, after] = [await scores(older, prompt, tokens), await scores(toy.model, prompt, tokens)];
    const change = logprobs.findIndex((value, at) => value !== before[at]);
    expect(change).toBeGreaterThan(0);
    expect(logprobs.slice(change)).toEqual(after.slice(change));
    if (told.length === 2) expect(versions.indexOf(1)).toBe(change);
  },
);

/** Returns the log-probabilities of the tokens after the prompt, under the weights of a model. */
async function scores(source: string | Model, prompt: number[], tokens: Int32Array): Promise<Float32Array> {
  const model = typeof source === "string" ? await toy.engine.loadModel(source) : source;
  const trainer = await model.trainer({ maxTokens: 256 });
  const { logprob } = await trainer.score({ tokens: [...prompt, ...tokens] });
  trainer.close();
  return logprob.slice(prompt.length);
}
