/** Changes of settings between a run and its resumption. */
import { expect, test } from "vitest";
import {
  expectResumable,
  expectSameStartingModel,
  recordedSettings,
  startingSettings,
} from "#palestra/trainer/settings/changes.js";
import { settingFields } from "#palestra/trainer/settings/fields.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { tinySettings } from "../support/training.js";

const settings = tinySettings("somewhere");
const before = recordedSettings(settings);
const resume = (changes: Partial<TrainSettings>) => () => expectResumable(before, { ...settings, ...changes });

test("every setting is recorded, as null if it is unset", () => {
  expect(Object.keys(before)).toEqual(Object.keys(settingFields));
  expect(before).toMatchObject({ model: null, max_minutes: null, layers: 1, train_tasks: ["textcraft:all:0-3"] });
});

test.each<Partial<TrainSettings>>([
  {},
  { total_train_steps: 9, max_minutes: 5 },
  { output: "elsewhere", save_keep: 0, save_freq_steps: 1, metrics_port: 0 },
  { eval_tasks: ["babyai:GoToObj:0-9"], eval_freq_steps: 1, eval_episodes: 2, eval_temperature: 0 },
  {
    gym: "http://127.0.0.1:1",
    threads: 7,
    device: "cpu",
    deterministic: false,
    max_concurrent_groups: 1,
    rollout_retries: 0,
  },
  { memory_recompute: "layer", max_tokens_per_mb: 4096, train_share: 3, generate_share: 2 },
])("%j may change", (changes) => {
  expect(resume(changes)).not.toThrow();
});

test.each<[Partial<TrainSettings>, string]>([
  [{ algorithm: "rloo" }, 'algorithm: "grpo" before, "rloo" now'],
  [{ seed: 2 }, "seed: 1 before, 2 now"],
  [{ lr: 1 }, "lr: 0.001 before, 1 now"],
  [{ eps_clip: 0.1 }, "eps_clip: unset before, 0.1 now"],
  [{ max_head_offpolicyness: 7 }, "max_head_offpolicyness: 1 before, 7 now"],
  [{ dtype: "bf16" }, 'dtype: unset before, "bf16" now'],
])("%j may change only with allow_changed_settings", (changes, reason) => {
  expect(resume(changes)).toThrow(reason);
  expect(resume(changes)).toThrow("allow_changed_settings true");
  expect(resume({ ...changes, allow_changed_settings: true })).not.toThrow();
});

test.each<[Partial<TrainSettings>, string]>([
  [{ hidden_size: 128 }, "hidden_size: 64 before, 128 now"],
  [{ lora_rank: 2 }, "lora_rank: 0 before, 2 now"],
  [{ critic: "separate" }, 'critic: unset before, "separate" now'],
  [{ train_tasks: ["textcraft:train"] }, 'train_tasks: ["textcraft:all:0-3"] before, ["textcraft:train"] now'],
])("%j may never change", (changes, reason) => {
  expect(resume({ ...changes, allow_changed_settings: true })).toThrow(reason);
  expect(resume({ ...changes, allow_changed_settings: true })).not.toThrow("allow_changed_settings true");
});

test("a setting that only one of two versions knows does not count as a change", () => {
  const { lr: _, ...older } = before;
  expect(() => expectResumable({ ...older, of_another_version: 1 }, settings)).not.toThrow();
});

test("a cloned model depends on the optimiser's settings, which may change with allow_changed_settings", () => {
  const made = startingSettings(settings);
  const goOn = (changes: Partial<TrainSettings>) => () =>
    expectSameStartingModel("cloned", made, { ...settings, ...changes });
  expect(goOn({ beta2: 0.9 })).toThrow("beta2: 0.99 before, 0.9 now");
  expect(goOn({ clone_weight_decay: 0.1, allow_changed_settings: true })).toThrow("clone_weight_decay: unset before");
  expect(goOn({ beta2: 0.9, gradient_clipping: 2, allow_changed_settings: true })).not.toThrow();
  expect(goOn({ lr: 1 })).not.toThrow();
});
