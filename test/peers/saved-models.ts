/**
 * Writes models as a run saves them, whatever they came from, also as GGUF files, and the small model with adapters of PEFT. Lets
 * Hugging Face's packages load them and compare token ids and log-probabilities with the engine's:
 *
 *     npx tsx test/peers/saved-models.ts PYTHON MODEL...
 *
 * PYTHON has PyPI `torch`, `transformers`, `peft`, `accelerate` and `gguf`. Each MODEL is a GGUF file or a folder in Hugging Face's layout.
 * The small model of a run is always among them.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, NativeError, type Tokenizer, type Trainer, writeAdapters } from "#palestra/native/api/index.js";
import { writeDefaultModel } from "#palestra/trainer/data/default-model.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";

const texts = [
  "You can see a red ball 1 in front of you. Go to the red ball.",
  "<|observation|>go to the red ball<|action|>move forward<|end|>",
  '<|im_start|>user\nWie viele Monde hat Jupiter? 12 + 30 = ?<|im_end|>\n\tdef f(x):\n        return "naïve 日本"  \n',
];

const [python = "python3", ...sources] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "palestra-saved-models-"));
const engine = await Engine.create({ device: "cpu" });

/** Saves a model, and writes the engine's token ids and log-probabilities beside it. */
async function record(source: string, name: string): Promise<void> {
  const target = join(folder, name);
  const model = await engine.loadModel(source);
  await model.save(target);
  await model.saveGguf(join(target, "model.gguf"), { dtype: "f32" }).catch((error: unknown) => {
    if (!(error instanceof NativeError && error.code === "NATIVE_FORMAT")) throw error;
    console.log(`${name}: no GGUF file: ${error.message}`);
  });
  const { tokenizer, endTokens } = model;
  const trainer = await model.trainer({ maxTokens: 256 });
  const recorded = await scores(trainer, tokenizer);
  writeFileSync(join(target, "expected.json"), JSON.stringify({ endTokens, recorded }));
  model.close();
}

/** Trains adapters of the small model, and writes them as PEFT's files. */
async function recordAdapters(source: string, name: string): Promise<void> {
  const target = join(folder, name);
  const model = await engine.loadModel(source);
  const trainer = await model.trainer({ maxTokens: 256, lora: { rank: 4, alpha: 6 } });
  for (let step = 0; step < 5; step++) {
    await trainer.accumulate({ tokens: [1, 2, 3, 4, 5, 6, 7, 8] }, { policy: "cross-entropy" });
    await trainer.step({ lr: 1e-2 });
  }
  mkdirSync(target);
  await trainer.save(join(target, "trainer.bin"));
  await writeAdapters({ checkpoint: target, folder: target, base: source });
  const recorded = await scores(trainer, model.tokenizer);
  writeFileSync(join(target, "expected.json"), JSON.stringify({ endTokens: model.endTokens, recorded }));
  model.close();
}

async function scores(trainer: Trainer, tokenizer: Tokenizer | undefined) {
  const recorded = [];
  for (const text of texts) {
    const tokens = tokenizer ? tokenizer.encode(text) : Int32Array.from({ length: 24 }, (_, at) => (7 * at) % 61);
    const { logprob } = await trainer.score({ tokens });
    recorded.push({ text: tokenizer ? text : undefined, tokens: [...tokens], logprob: [...logprob] });
  }
  return recorded;
}

try {
  const language = texts.flatMap((text) => [text, text.toUpperCase(), text]);
  const small = { hiddenSize: 64, layers: 2, context: 256 };
  await writeDefaultModel(engine, buildTokenizer(language), small, 1, join(folder, ".small"));
  for (const [at, source] of [join(folder, ".small"), ...sources].entries()) await record(source, `model-${at}`);
  await recordAdapters(join(folder, ".small"), "adapters");
  const script = new URL("saved-models.py", import.meta.url).pathname;
  const { status } = spawnSync(python, [script, folder], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}
