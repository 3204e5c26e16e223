/** `palestra convert`: checkpoints and models in the layouts of other programs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addConvertCommand } from "#palestra/server/program/commands/convert.js";
import { Checkpoints } from "#palestra/trainer/data/checkpoint.js";
import { needsEngine } from "../../../native/tiny-models.js";
import { scratch } from "../../../support/serving.js";
import { toyModel } from "../../../trainer/toy-model.js";

needsEngine();
const toy = toyModel();

async function convert(...args: string[]): Promise<void> {
  const program = new Command("palestra").exitOverride();
  addConvertCommand(program);
  await program.parseAsync(["convert", ...args], { from: "user" });
}

/** A checkpoint of a run with adapters, with the output folder of its run. */
async function checkpoint(): Promise<{ output: string; saved: string; merged: string }> {
  const output = scratch();
  const lora = { rank: 2, alpha: 3, targets: ["q_proj" as const, "down_proj" as const] };
  const trainer = await toy.model.trainer({ maxTokens: 64, lora });
  for (let step = 0; step < 3; step++) {
    await trainer.accumulate({ tokens: [1, 2, 3, 4, 5] }, { policy: "cross-entropy" });
    await trainer.step({ lr: 1e-1 });
  }
  const describe = (folder: string) => toy.model.describe(folder);
  const state = { format: 1, trainStep: 3, settings: { model: "a/model" }, parts: {} } as const;
  const saved = await new Checkpoints(join(output, "checkpoints"), 1).save({ trainer, describe, best: 3 }, state);
  const merged = join(output, "expected");
  await toy.model.save(merged, { adapters: trainer });
  return { output, saved, merged };
}

const weightsIn = (folder: string) => readFileSync(join(folder, "model.safetensors"));

test("a checkpoint becomes a folder of Hugging Face and a GGUF file, with its adapters merged", async () => {
  const { output, merged } = await checkpoint();
  const best = join(output, "checkpoints", "best");
  await convert(best, "--format", "hf", "--out", join(output, "hf"));
  expect(weightsIn(join(output, "hf")).equals(weightsIn(merged))).toBe(true);
  expect(readdirSync(join(output, "hf"))).toEqual(readdirSync(merged));
  await convert(best, "--format", "gguf", "--dtype", "f32", "--out", join(output, "model.gguf"));
  const [read, expected] = [await toy.engine.loadModel(join(output, "model.gguf")), await toy.engine.loadModel(merged)];
  for (const { name } of expected.parameters)
    expect(await read.parameter(name)).toEqual(await expected.parameter(name));
  expect(read.tokenizer?.definition).toEqual(expected.tokenizer?.definition);
  expect(readdirSync(output).filter((name) => name.includes("merged"))).toEqual([]);
  read.close();
  expected.close();
});

test("the adapters of a checkpoint become PEFT's files, which name their base", async () => {
  const { output, saved } = await checkpoint();
  await convert(saved, "--format", "peft", "--out", join(output, "adapter"));
  expect(JSON.parse(readFileSync(join(output, "adapter", "adapter_config.json"), "utf8"))).toMatchObject({
    peft_type: "LORA",
    base_model_name_or_path: "a/model",
    r: 2,
    lora_alpha: 3,
    target_modules: ["q_proj", "down_proj"],
  });
  const file = readFileSync(join(output, "adapter", "adapter_model.safetensors"));
  const header = JSON.parse(file.toString("utf8", 8, 8 + Number(file.readBigUInt64LE()))) as Record<string, unknown>;
  expect(header["base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"]).toMatchObject({ shape: [2, 64] });
  expect(header["base_model.model.model.layers.0.mlp.down_proj.lora_B.weight"]).toMatchObject({ shape: [64, 2] });
  await convert(saved, "--format", "peft", "--base", "b", "--out", join(output, "adapter"), "--force");
  expect(readFileSync(join(output, "adapter", "adapter_config.json"), "utf8")).toContain('"b"');
});

test("an existing output is kept unless --force is given, and a data type that the format lacks is refused", async () => {
  const { output, saved } = await checkpoint();
  const target = join(output, "expected");
  await expect(convert(saved, "--format", "hf", "--out", target)).rejects.toMatchObject({ code: "ARGUMENT_INVALID" });
  await expect(convert(saved, "--format", "hf", "--dtype", "f16", "--out", join(output, "x"))).rejects.toThrow(
    "expected --dtype f32 or bf16 with --format hf, but received f16",
  );
  expect(existsSync(join(output, "x"))).toBe(false);
});
