/**
 * One dialogue with a server of the Tinker API: every kind of request that the trainer sends, with the tiny model `tiny`. The
 * recorder in test/peers runs it on a public server; a test runs it on what the recorder wrote.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Sampler } from "#palestra/trainer/backends/tinker/sampler.js";
import { TinkerServer } from "#palestra/trainer/backends/tinker/server.js";
import { supportedModels, TinkerSession } from "#palestra/trainer/backends/tinker/session.js";
import { TinkerTrainer } from "#palestra/trainer/backends/tinker/trainer.js";

/** A request and its reply. Bodies are JSON, or base64 of protobuf. */
export interface Exchange {
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
  readonly status: number;
  readonly replyType: string;
  readonly reply: unknown;
}

export interface Recorded {
  readonly server: string;
  readonly exchanges: readonly Exchange[];
  /** Result of the dialogue. */
  readonly result: unknown;
}

const base = "tiny";
const pack = { tokens: [1, 2, 3, 4, 5, 6, 7, 8, 9], starts: [0, 5, 9], mask: [0, 0, 1, 1, 1, 0, 1, 1, 1] };
const inputs = {
  weight: [0, 0, 0.25, 0.25, 0.25, 0, 0.125, 0.125, 0.125],
  advantage: [0, 0, 1, 1, 1, 0, -1, -1, -1],
  proximal: [0, 0, -5.5, -5.6, -5.4, 0, -5.5, -5.4, -5.6],
};

export function bodyOf(type: string, body: Buffer): unknown {
  if (body.length === 0) return null;
  return type.startsWith("application/json") ? JSON.parse(body.toString()) : body.toString("base64");
}

/** @param folder for the file of a checkpoint */
export async function dialogue(url: string, folder: string): Promise<unknown> {
  const signal = new AbortController().signal;
  const server = new TinkerServer({ url, apiKey: undefined, patienceMs: 60_000, signal, say: () => {} });
  const session = await TinkerSession.open(server);
  try {
    const models = await supportedModels(server);
    const facts = {
      reduction: "sum",
      losses: new Set(["ppo"] as const),
      samplesApart: true,
      clipsGradients: true,
    } as const;
    const options = { session, server, model: { base, rank: 4, seed: 1 }, facts, signal };
    const trainer = new TinkerTrainer(options);
    const scores = await trainer.score(pack);
    const clipped = await trainer.accumulate(pack, { policy: "ppo", clipLow: 0.2, clipHigh: 0.2 }, inputs);
    const sloped = await trainer.accumulate(pack, { policy: "reinforce" }, inputs);
    const step = await trainer.step({ lr: 1e-3, beta2: 0.99 });
    const file = join(folder, "tinker.json");
    await trainer.save(file);
    const sampler = new Sampler(server, undefined);
    const path = await trainer.saveForSampling("v1");
    const request = { prompt: [1, 2, 3], maxTokens: 6, temperature: 1, topP: 1, topK: 0, seed: 3, stop: [7] };
    const sampled = await sampler.sample({ ...request, path }, signal);
    const again = new TinkerTrainer(options);
    await again.load(file);
    const loaded = await again.score({ ...pack });
    const codeOf = (error: { code: string; message: string }) => `${error.code}: ${error.message}`;
    const unknown = await sampler.sample({ ...request, path: "tinker://nobody/v1" }, signal).catch(codeOf);
    await again.unload();
    const forgotten = await again.step({ lr: 1e-3 }).catch(codeOf);
    const saved = JSON.parse(readFileSync(file, "utf8")) as { path: string; version: number };
    const lists = { scores: [...scores.logprob], loaded: [...loaded.logprob] };
    return JSON.parse(
      JSON.stringify({ models, ...lists, clipped, sloped, step, path: saved.path, sampled, unknown, forgotten }),
    );
  } finally {
    session.close();
  }
}
