/**
 * Compares three train steps on a public server of the Tinker API with the engine's, from the same adapters and with the same
 * data. The API cannot set the weights of a model, so the engine's adapters are written over a file that the server has saved
 * for sampling, and SkyRL's server loads them when it samples with that file.
 *
 *     pip install --no-deps skyrl-tx==0.3.0     # and jax, flax, optax, transformers, fastapi, sqlmodel, aiosqlite, peft
 *     python -m tx.tinker.api --base-model BASE --backend jax --checkpoints-base FOLDER --port 8901
 *     node --import tsx test/peers/tinker-losses.ts http://127.0.0.1:8901 BASE FOLDER
 *
 * BASE is the folder of a model in f32, such as `final` of a training run.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Engine, type Trainer, writeAdapters } from "#palestra/native/api/index.js";
import { AlgorithmSettings, createAlgorithm, resolveSettings } from "#palestra/trainer/algorithms/index.js";
import { probe } from "#palestra/trainer/backends/tinker/probe.js";
import { Sampler } from "#palestra/trainer/backends/tinker/sampler.js";
import { TinkerServer } from "#palestra/trainer/backends/tinker/server.js";
import { TinkerSession } from "#palestra/trainer/backends/tinker/session.js";
import { TinkerTrainer } from "#palestra/trainer/backends/tinker/trainer.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import { Learner } from "#palestra/trainer/learner.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";

const [url = "", base = "", checkpoints = ""] = process.argv.slice(2);
const [rank, alpha, seed] = [8, 32, 7];
const signal = new AbortController().signal;
const scratch = mkdtempSync(join(tmpdir(), "tinker-losses-"));
const engine = await Engine.create({ device: "cpu", dtype: "f32" });
const model = await engine.loadModel(base);
const vocabulary = model.config.vocabSize;
const say = (line: string) => console.error(line);
const server = new TinkerServer({ url, apiKey: process.env.TINKER_API_KEY, patienceMs: 60_000, signal, say });
const session = await TinkerSession.open(server);
const sampler = new Sampler(server, undefined);
const modelOptions = { base, rank, seed };
const tokens = Int32Array.from({ length: 60 }, (_, at) => (at * 7 + 3) % vocabulary);

/** Writes a tar archive of a folder's files. */
function archiveOf(folder: string): Buffer {
  const parts = readdirSync(folder).flatMap((name) => {
    const content = readFileSync(join(folder, name));
    const header = Buffer.alloc(512);
    const octal = (value: number, at: number, size: number) =>
      header.write(`${value.toString(8).padStart(size - 1, "0")}\0`, at, "latin1");
    header.write(name, 0, "latin1");
    octal(0o644, 100, 8);
    octal(0, 108, 8);
    octal(0, 116, 8);
    octal(content.length, 124, 12);
    octal(0, 136, 12);
    header.write("        0", 148, "latin1");
    header.write("ustar\x0000", 257, "latin1");
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      148,
      7,
    );
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
}

/** Writes the engine's adapters over those of the server's model. */
async function transplant(trainer: Trainer, there: TinkerTrainer, name: string): Promise<void> {
  const [checkpoint, adapters] = [join(scratch, `${name}-checkpoint`), join(scratch, `${name}-adapters`)];
  mkdirSync(checkpoint, { recursive: true });
  await trainer.save(join(checkpoint, "trainer.bin"));
  await model.describe(checkpoint);
  await writeAdapters({ checkpoint, folder: adapters, base });
  const path = await there.saveForSampling(name);
  const id = new URL(path).host;
  writeFileSync(join(checkpoints, id, "sampler_weights", `${name}.tar.gz`), archiveOf(adapters));
  const request = { prompt: [1, 2, 3], maxTokens: 1, temperature: 1, topP: 1, topK: 0, seed: 1, stop: [] };
  await sampler.sample({ ...request, path }, signal);
}

async function groupsOf(trainer: Trainer): Promise<Group[]> {
  const random = keyedRandom(5);
  const groups: Group[] = [];
  for (let group = 0; group < 3; group++) {
    const trajectories: Trajectory[] = [];
    for (let member = 0; member < 4; member++) {
      const length = 12 + Math.floor(random() * 40);
      const own = Int32Array.from({ length }, () => Math.floor(random() * vocabulary));
      const mask = Uint8Array.from({ length }, (_, at) => Number(at > 4 && at % 6 !== 0));
      const { logprob } = await trainer.score({ tokens: own });
      const logprobs = logprob.map((value, at) => (mask[at] === 1 ? value + 0.5 * (random() - 0.5) : 0));
      const score = member % 2;
      trajectories.push({
        ...{ episodeId: `${group}-${member}`, group: String(group), tokens: own, mask, logprobs },
        played: { environment: "babyai@1", split: "train", index: group, seed: 0 },
        versions: new Int32Array(length),
        steps: [{ first: 5, end: length, action: "", observationHash: "", reward: score }],
        ...{ status: "terminated" as const, return: score, solved: score === 1 },
      });
    }
    groups.push({ id: String(group), trajectories, failed: [] });
  }
  return groups;
}

const largest = (a: Float32Array, b: Float32Array) =>
  Math.max(...a.map((one, at) => Math.abs(one - (b[at] as number))));

for (const given of [{ algorithm: "grpo" }, { algorithm: "cispo" }, { algorithm: "rloo" }, { algorithm: "sapo" }]) {
  const settings = AlgorithmSettings.parse({ ...given, n_samples: 4, ppo_n_minibatches: 2 });
  const algorithm = createAlgorithm(settings);
  const loss = "gradients" in algorithm.loss ? undefined : algorithm.loss;
  const facts = await probe({ server, session, model: modelOptions, sampler, loss, tokens, signal });
  const here = await model.trainer({ maxTokens: 2048, lora: { rank, alpha, seed } });
  const there = new TinkerTrainer({ session, server, model: modelOptions, facts, signal });
  await transplant(here, there, `transplant-${given.algorithm}`);
  const before = await here.score({ tokens });
  const first = largest(before.logprob, (await there.score({ tokens })).logprob);
  const groups = await groupsOf(here);
  const rules = { ...resolveSettings(settings), max_tokens_per_mb: 2048, seed: 3 };
  const learners = [here, there].map((trainer) => new Learner(trainer, createAlgorithm(settings), rules));
  const losses: string[] = [];
  for (let step = 0; step < 3; step++) {
    for (const learner of learners)
      losses.push((await learner.learn(groups, step, { lr: 2e-3, beta2: 0.99 })).loss.toFixed(7));
  }
  const now = await here.score({ tokens });
  const report = {
    ...given,
    reduction: facts.reduction,
    theirs: [...facts.losses],
    "log-probabilities before": first,
    "losses, engine and server by step": losses,
    "log-probabilities after": largest(now.logprob, (await there.score({ tokens })).logprob),
    "moved by training": largest(now.logprob, before.logprob),
  };
  console.log(JSON.stringify(report));
  here.close();
  await there.unload();
}
session.close();
await engine.close();
