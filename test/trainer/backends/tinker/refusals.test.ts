/** Settings that a server of the Tinker API cannot honor are refused by name, before the server is asked for anything. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createAlgorithm } from "#palestra/trainer/algorithms/index.js";
import { TinkerBackend } from "#palestra/trainer/backends/tinker/backend.js";
import { refuseUnsupported } from "#palestra/trainer/backends/tinker/refusals.js";
import { algorithmPart, checkSettings, loadSettings } from "#palestra/trainer/settings/settings.js";
import { configs, engineOfFile, temporaryFolder } from "../../../native/tiny-models.js";
import { type TinkerServerOptions, TinkerTestServer } from "../../support/tinker-server.js";
import { toyModel } from "../../toy-model.js";

const engine = await engineOfFile(1, { device: "cpu", dtype: "f32" });
const toy = toyModel();
const folder = temporaryFolder();
const usual = {
  train_tasks: ["textcraft:train"],
  eval_tasks: ["textcraft:test"],
  backend: "tinker:http://127.0.0.1:1",
  model: "models/some",
  lora_rank: 8,
};

function refused(changes: Record<string, unknown>): string {
  const settings = checkSettings({ ...usual, ...changes });
  try {
    refuseUnsupported(settings, createAlgorithm(algorithmPart(settings)));
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

test("the usual settings are accepted", () => {
  expect(refused({})).toBe("");
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["entropy_coef", { entropy_coef: 0.01 }, /the API has no entropy term. Raise eps_clip_higher/],
  ["temperature", { temperature: 0.7 }, /log-probabilities at temperature 1/],
  ["lora_alpha", { lora_alpha: 16 }, /the server chooses the scale/],
  ["lora_rank", { lora_rank: 0 }, /expected 1 or more/],
  ["lora_targets", { lora_targets: ["q"] }, /the server chooses the projections/],
  ["lora_dropout", { lora_dropout: 0.1 }, /the API has no dropout/],
  ["clone_dialogues", { clone_dialogues: ["chats.jsonl"] }, /dialogues are cloned by the engine/],
  [
    "teacher",
    { algorithm: "on-policy-distillation", teacher: "native:folder" },
    /expected openai:URL#model, since a native teacher is a model of the engine/,
  ],
  ["device", { device: "cpu" }, /belongs to the engine/],
  ["dtype", { dtype: "bf16" }, /belongs to the engine/],
  ["clone_episodes", { clone_episodes: 10 }, /experts are cloned by the engine/],
  ["model", { model: undefined, clone_episodes: 5 }, /the folder of the model that the server serves/],
  ["algorithm", { algorithm: "ppo" }, /no value head, but received ppo. Choose grpo/],
])("%s is refused by name", (name, changes, reason) => {
  const message = refused(changes);
  expect(message).toMatch(new RegExp(`\n  ${name}: expected `));
  expect(message).toMatch(reason);
});

test("a preset's settings of the engine and of cloning are left out, and given ones are kept", async () => {
  const values = { ...usual, backend: "tinker:https://host" };
  const { clone_episodes, dtype } = await loadSettings({ preset: "cpu", flags: {}, values });
  expect([clone_episodes, dtype]).toEqual([0, undefined]);
  expect(await loadSettings({ preset: "cpu", flags: { dtype: "f32" }, values })).toMatchObject({ dtype: "f32" });
});

test("an address that is no URL is refused with the form of the setting", () => {
  expect(() => checkSettings({ ...usual, backend: "tinker" })).toThrow(/backend: expected engine, or tinker:URL/);
});

/** Opens the backend on a server, and returns its facts, or the message of its error. */
async function opened(options: Partial<TinkerServerOptions>, changes: Record<string, unknown>) {
  const base = join(folder, "base");
  await toy.model.save(base);
  const server = await TinkerTestServer.start({ engine, base, folder, ...options });
  onTestFinished(() => server.close());
  const settings = checkSettings({ ...usual, backend: `tinker:${server.url}`, model: base, ...changes });
  const algorithm = createAlgorithm(algorithmPart(settings));
  const signal = new AbortController().signal;
  return TinkerBackend.open(settings, algorithm, () => {}, signal).then(
    async (backend) => {
      await backend.close();
      return backend.facts.facts;
    },
    (error: Error) => error.message,
  );
}

test("a server that does not clip gradients is found by measurement, and a limit is refused", async () => {
  expect(await opened({ clips: false }, {})).toBe(
    "expected gradient_clipping none, since this server does not clip gradients, but received 1",
  );
  expect(await opened({ clips: false }, { gradient_clipping: "none" })).toMatchObject({ "clips gradients": false });
  expect(await opened({}, {})).toMatchObject({ "clips gradients": true, "losses of the server": "ppo" });
});

test("a server whose samples overwrite the trained weights is found by measurement", async () => {
  expect(await opened({}, {})).toMatchObject({ "samples while it trains": true });
  expect(await opened({ isShared: true }, {})).toMatchObject({ "samples while it trains": false });
});

test("a model that the server does not have is refused with those that it has", async () => {
  expect(await opened({}, { backend_model: "other" })).toMatch(
    /^expected backend_model to be a model of the server \(.*base\), but received other$/,
  );
});

test("a model without a tokenizer is refused", async () => {
  const bare = join(folder, "bare");
  const model = await engine.loadModel({ config: configs.qwen3, seed: 1 });
  await model.save(bare);
  expect(await opened({}, { model: bare })).toMatch(/^expected a tokenizer.json in the model's folder/);
});
