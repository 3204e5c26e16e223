/** Checkpoints: whole or not at all. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Model } from "#palestra/native/api/index.js";
import { type CheckpointState, Checkpoints } from "#palestra/trainer/data/checkpoint.js";
import { needsEngine } from "../../native/tiny-models.js";
import { scratch } from "../../support/serving.js";
import { toyModel } from "../toy-model.js";

needsEngine();
const toy = toyModel();

const state = (trainStep: number): CheckpointState => ({
  format: 1,
  trainStep,
  settings: {},
  parts: { seen: trainStep },
});
const trained = async (steps: number) => {
  const trainer = await toy.model.trainer({ maxTokens: 64 });
  for (let step = 0; step < steps; step++) {
    await trainer.accumulate({ tokens: [1, 2, 3, 4, 5] }, { policy: "cross-entropy" });
    await trainer.step({ lr: 1e-2 });
  }
  return trainer;
};
const weights = () => toy.model.parameter("model.norm.weight");

test("a trainer that restores a checkpoint continues bit for bit", async () => {
  const checkpoints = new Checkpoints(scratch(), 3);
  const trainer = await trained(2);
  await checkpoints.save({ trainer }, state(2));
  await trained(0);
  await trainer.accumulate({ tokens: [5, 4, 3] }, { policy: "cross-entropy" });
  await trainer.step({ lr: 1e-2 });
  const ahead = await weights();
  expect(await checkpoints.restore({ trainer })).toEqual(state(2));
  expect(await weights()).not.toEqual(ahead);
  await trainer.accumulate({ tokens: [5, 4, 3] }, { policy: "cross-entropy" });
  await trainer.step({ lr: 1e-2 });
  expect(await weights()).toEqual(ahead);
});

test("the newest one is restored, and of the old ones as many are kept as were asked for", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 2);
  const trainer = await trained(1);
  for (const trainStep of [1, 2, 10]) await checkpoints.save({ trainer }, state(trainStep));
  expect(readdirSync(folder).sort()).toEqual(["step-00000002", "step-00000010"]);
  expect((await checkpoints.restore({ trainer }))?.trainStep).toBe(10);
});

test("the one with the best evaluation is kept, and the link `best` names it", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 1);
  const trainer = await trained(1);
  for (const [trainStep, best] of [
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 2],
  ] as const) {
    await checkpoints.save({ trainer, best }, state(trainStep));
  }
  expect(readdirSync(folder).sort()).toEqual(["best", "step-00000002", "step-00000004"]);
  expect(readlinkSync(join(folder, "best"))).toBe("step-00000002");
  await checkpoints.save({ trainer, best: 0 }, state(5));
  expect(readdirSync(folder)).toEqual(["step-00000005"]);
  expect((await checkpoints.restore({ trainer }))?.trainStep).toBe(5);
});

const score = async (model: Model) => {
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const { logprobs } = await generator.submit({ tokens: [1, 2, 3], maxNewTokens: 6, seed: 1 }).result;
  return logprobs;
};

test("a checkpoint is a model, with the weights of its step", async () => {
  const trainer = await trained(2);
  const describe = (target: string) => toy.model.describe(target);
  const saved = await new Checkpoints(scratch(), 1).save({ trainer, describe }, state(2));
  const loaded = await toy.engine.loadModel(saved);
  for (const { name } of loaded.parameters)
    expect(await loaded.parameter(name)).toEqual(await toy.model.parameter(name));
  expect(loaded.endTokens).toEqual(toy.model.endTokens);
  loaded.close();
  truncateSync(join(saved, "trainer.bin"), statSync(join(saved, "trainer.bin")).size - 8);
  await expect(toy.engine.loadModel(saved)).rejects.toMatchObject({ code: "NATIVE_FORMAT" });
});

test("a checkpoint with adapters generates with them, and saves them merged", async () => {
  const frozen = await toy.model.parameter("model.layers.0.mlp.down_proj.weight");
  const trainer = await toy.model.trainer({ maxTokens: 64, lora: { rank: 2, alpha: 3, targets: ["down_proj"] } });
  for (let step = 0; step < 3; step++) {
    await trainer.accumulate({ tokens: [1, 2, 3, 4, 5] }, { policy: "cross-entropy" });
    await trainer.step({ lr: 1e-1 });
  }
  const describe = (target: string) => toy.model.describe(target);
  const saved = await new Checkpoints(scratch(), 1).save({ trainer, describe }, state(3));
  const loaded = await toy.engine.loadModel(saved);
  expect(await loaded.parameter("model.layers.0.mlp.down_proj.weight")).toEqual(frozen);
  const merged = join(scratch(), "merged");
  await loaded.save(merged);
  const expected = join(scratch(), "expected");
  await toy.model.save(expected, { adapters: trainer });
  const weights = (folder: string) => readFileSync(join(folder, "model.safetensors"));
  expect(weights(merged).equals(weights(expected))).toBe(true);
  const generator = await toy.model.generator({ kvBytes: 1 << 20, adapters: trainer });
  const { logprobs } = await generator.submit({ tokens: [1, 2, 3], maxNewTokens: 6, seed: 1 }).result;
  expect(await score(loaded)).toEqual(logprobs);
  expect(await score(toy.model)).not.toEqual(logprobs);
  await expect(loaded.trainer({ maxTokens: 8 })).rejects.toMatchObject({ code: "NATIVE_INVALID_ARGUMENT" });
  loaded.close();
});

test("without one there is nothing to restore", async () => {
  expect(await new Checkpoints(join(scratch(), "none"), 1).restore({ trainer: await trained(0) })).toBeUndefined();
});

test("an unfinished checkpoint is never taken for a whole one", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 0);
  const trainer = await trained(1);
  await checkpoints.save({ trainer }, state(1));
  mkdirSync(join(folder, ".step-00000002"));
  writeFileSync(join(folder, ".step-00000002", "trainer.bin"), "half");
  expect((await checkpoints.restore({ trainer }))?.trainStep).toBe(1);
  await checkpoints.save({ trainer }, state(3));
  expect(readdirSync(folder).sort()).toEqual(["step-00000001", "step-00000003"]);
});

test("for weights that are already saved, only the state is written", async () => {
  const checkpoints = new Checkpoints(scratch(), 1);
  const trainer = await trained(1);
  const folder = await checkpoints.save({ trainer }, state(1));
  const written = statSync(join(folder, "trainer.bin")).ino;
  await checkpoints.save({ trainer }, { ...state(1), parts: { seen: "more" } });
  expect(statSync(join(folder, "trainer.bin")).ino).toBe(written);
  expect((await checkpoints.newest())?.parts).toEqual({ seen: "more" });
  expect(readdirSync(folder).sort()).toEqual(["state.json", "trainer.bin"]);
});

test("those of an earlier run are put aside, and none is restored any more", async () => {
  const folder = join(scratch(), "checkpoints");
  const checkpoints = new Checkpoints(folder, 1);
  expect(await checkpoints.setAside()).toBeUndefined();
  const trainer = await trained(1);
  await checkpoints.save({ trainer }, state(4));
  const aside = await checkpoints.setAside();
  expect(readdirSync(aside as string)).toEqual(["step-00000004"]);
  expect(await checkpoints.restore({ trainer })).toBeUndefined();
  await checkpoints.save({ trainer }, state(4));
  expect(readdirSync(folder)).toEqual(["step-00000004"]);
});

test("a failed write leaves the previous checkpoint", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 1);
  const trainer = await trained(1);
  await checkpoints.save({ trainer }, state(1));
  writeFileSync(join(folder, ".step-00000002"), "in the way");
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "step-00000002"), "in the way, too");
  await checkpoints.save({ trainer }, state(2));
  expect(existsSync(join(folder, "step-00000002", "state.json"))).toBe(true);
  const broken = new Checkpoints(join(folder, "step-00000002", "state.json"), 1);
  await expect(broken.save({ trainer }, state(3))).rejects.toThrow("expected to save a checkpoint in");
  expect((await checkpoints.restore({ trainer }))?.trainStep).toBe(2);
});

test("an altered one is refused, and changes nothing", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 1);
  const trainer = await trained(1);
  const saved = await checkpoints.save({ trainer }, state(1));
  writeFileSync(join(saved, "trainer.bin"), "something else");
  const before = await weights();
  await expect(checkpoints.restore({ trainer })).rejects.toThrow("expected to resume from");
  expect(await weights()).toEqual(before);
});
