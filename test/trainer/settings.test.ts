/** Settings of a training run: presets, files, flags, and what is refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { presets } from "#palestra/trainer/presets.js";
import { loadSettings } from "#palestra/trainer/settings.js";
import { scratch } from "../support/serving.js";

describe("settings", () => {
  test("every preset can be used", async () => {
    for (const preset of Object.keys(presets)) {
      expect((await loadSettings({ preset, flags: {} })).train_tasks.length).toBeGreaterThan(0);
    }
  });

  test("a file stands over the preset, and flags over the file", async () => {
    const file = join(scratch(), "run.yaml");
    writeFileSync(file, "lr: 0.5\nbatch_size: 7\ntrain_tasks: [textcraft:train]\n");
    const flags = {
      batch_size: "9",
      eval_tasks: "textcraft:test, babyai:GoToObj:0-9",
      rounds_ctrl: "6,13",
      resume: "false",
    };
    expect(await loadSettings({ file, flags })).toMatchObject({
      lr: 0.5,
      batch_size: 9,
      train_tasks: ["textcraft:train"],
      eval_tasks: ["textcraft:test", "babyai:GoToObj:0-9"],
      rounds_ctrl: [6, 13],
      resume: false,
      algorithm: presets.cpu?.algorithm,
    });
  });

  test.each([
    [{ learning_rate: "1" }, "learning_rate"],
    [{ lr: "fast" }, "lr: "],
    [{ train_tasks: "textcraft" }, "expected tasks as environment:split[:first-last][*weight]"],
    [{ train_tasks: "textcraft:train:9-3" }, "textcraft:train:9-3"],
    [{ max_tokens_per_mb: "64" }, "expected at least the context_length 1024"],
    [{ clone_episodes: "0" }, "the default model knows nothing"],
    [{ top_p: "0.9" }, "expected recompute_logprob with it"],
    [{ policy: "openai" }, "policy: expected native or openai:URL#model, but received"],
    [{ policy: "openai:http://h/v1#m", temperature: "0.7" }, "temperature: expected 1 with a policy server"],
    [{ policy: "openai:http://h/v1#m", algorithm: "ppo" }, "algorithm: expected one without a critic"],
    [{ policy_server: "vllm" }, "policy_server: expected none with the native policy"],
    [{ policy_weights: "/weights" }, "policy_weights: expected none with the native policy"],
    [{ n_samples: "1" }, "nobody is there to be compared with"],
  ])("%j is refused with the reason", async (flags, reason) => {
    await expect(loadSettings({ flags })).rejects.toThrow(reason);
  });

  test("a file that is no mapping, and a preset that is none, are refused", async () => {
    const file = join(scratch(), "run.yaml");
    writeFileSync(file, "- lr\n");
    await expect(loadSettings({ file, flags: {} })).rejects.toThrow("expected a mapping of settings");
    await expect(loadSettings({ file: "nowhere.yaml", flags: {} })).rejects.toThrow("nowhere.yaml");
    await expect(loadSettings({ preset: "tpu", flags: {} })).rejects.toThrow("expected a preset of cpu");
  });
});
