/** Checkpoints: whole or not at all. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Checkpoints, type CheckpointState } from "#palestra/trainer/data/checkpoint.js";
import { needsEngine } from "../../native/tiny-models.js";
import { scratch } from "../../support/serving.js";
import { toyModel } from "../toy-model.js";

needsEngine();
const toy = toyModel();

const state = (trainStep: number): CheckpointState => ({ format: 1, trainStep, settings: {}, parts: { seen: trainStep } });
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
  await checkpoints.save(trainer, state(2));
  await trained(0);
  await trainer.accumulate({ tokens: [5, 4, 3] }, { policy: "cross-entropy" });
  await trainer.step({ lr: 1e-2 });
  const ahead = await weights();
  expect(await checkpoints.restore(trainer)).toEqual(state(2));
  expect(await weights()).not.toEqual(ahead);
  await trainer.accumulate({ tokens: [5, 4, 3] }, { policy: "cross-entropy" });
  await trainer.step({ lr: 1e-2 });
  expect(await weights()).toEqual(ahead);
});

test("the newest one is restored, and of the old ones as many are kept as were asked for", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 2);
  const trainer = await trained(1);
  for (const trainStep of [1, 2, 10]) await checkpoints.save(trainer, state(trainStep));
  expect(readdirSync(folder).sort()).toEqual(["step-00000002", "step-00000010"]);
  expect((await checkpoints.restore(trainer))?.trainStep).toBe(10);
});

test("without one there is nothing to restore", async () => {
  expect(await new Checkpoints(join(scratch(), "none"), 1).restore(await trained(0))).toBeUndefined();
});

test("an unfinished checkpoint is never taken for a whole one", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 0);
  const trainer = await trained(1);
  await checkpoints.save(trainer, state(1));
  mkdirSync(join(folder, ".step-00000002"));
  writeFileSync(join(folder, ".step-00000002", "trainer.bin"), "half");
  expect((await checkpoints.restore(trainer))?.trainStep).toBe(1);
  await checkpoints.save(trainer, state(3));
  expect(readdirSync(folder).sort()).toEqual(["step-00000001", "step-00000003"]);
});

test("for weights that are already saved, only the state is written", async () => {
  const checkpoints = new Checkpoints(scratch(), 1);
  const trainer = await trained(1);
  const folder = await checkpoints.save(trainer, state(1));
  const written = statSync(join(folder, "trainer.bin")).ino;
  await checkpoints.save(trainer, { ...state(1), parts: { seen: "more" } });
  expect(statSync(join(folder, "trainer.bin")).ino).toBe(written);
  expect((await checkpoints.newest())?.parts).toEqual({ seen: "more" });
  expect(readdirSync(folder).sort()).toEqual(["state.json", "trainer.bin"]);
});

test("those of an earlier run are put aside, and none is restored any more", async () => {
  const folder = join(scratch(), "checkpoints");
  const checkpoints = new Checkpoints(folder, 1);
  expect(await checkpoints.setAside()).toBeUndefined();
  const trainer = await trained(1);
  await checkpoints.save(trainer, state(4));
  const aside = await checkpoints.setAside();
  expect(readdirSync(aside as string)).toEqual(["step-00000004"]);
  expect(await checkpoints.restore(trainer)).toBeUndefined();
  await checkpoints.save(trainer, state(4));
  expect(readdirSync(folder)).toEqual(["step-00000004"]);
});

test("a failed write leaves the previous checkpoint", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 1);
  const trainer = await trained(1);
  await checkpoints.save(trainer, state(1));
  writeFileSync(join(folder, ".step-00000002"), "in the way");
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "step-00000002"), "in the way, too");
  await checkpoints.save(trainer, state(2));
  expect(existsSync(join(folder, "step-00000002", "state.json"))).toBe(true);
  const broken = new Checkpoints(join(folder, "step-00000002", "state.json"), 1);
  await expect(broken.save(trainer, state(3))).rejects.toThrow("expected to save a checkpoint in");
  expect((await checkpoints.restore(trainer))?.trainStep).toBe(2);
});

test("an altered one is refused, and changes nothing", async () => {
  const folder = scratch();
  const checkpoints = new Checkpoints(folder, 1);
  const trainer = await trained(1);
  const saved = await checkpoints.save(trainer, state(1));
  writeFileSync(join(saved, "trainer.bin"), "something else");
  const before = await weights();
  await expect(checkpoints.restore(trainer)).rejects.toThrow("expected to resume from");
  expect(await weights()).toEqual(before);
});
