/** Settings of a training run: presets, files, flags, and what is refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { presets } from "#palestra/trainer/presets.js";
import { checkSettings, loadSettings, withoutSecrets } from "#palestra/trainer/settings.js";
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
    [{ device: "gpu" }, 'device: expected auto, cpu or cuda:0, but received "gpu"'],
    [{ dtype: "fp16" }, "dtype: "],
  ])("%j is refused with the reason", async (flags, reason) => {
    await expect(loadSettings({ flags })).rejects.toThrow(reason);
  });

  test("a run at the rollout endpoint needs no gym, nor what a preset says of one", async () => {
    const flags = { rollout: "endpoint", model: "some/model", n_samples: "4" };
    expect(await loadSettings({ flags })).toMatchObject({ rollout: "endpoint", train_tasks: [], clone_episodes: 0 });
  });

  test.each([
    [{ rollout: "endpoint", train_tasks: "textcraft:train" }, "train_tasks: expected none with rollout endpoint"],
    [{ rollout: "endpoint", clone_episodes: "10" }, "clone_episodes: expected none with rollout endpoint"],
    [{ rollout: "endpoint", gym: "spawn" }, "gym: expected none with rollout endpoint"],
    [{ endpoint_port: "9000" }, "endpoint_port: expected none with rollout gym"],
    [{ rollout: "endpoint", endpoint_host: "0.0.0.0" }, "endpoint_api_key: expected one, since others reach 0.0.0.0"],
    [{ rollout: "elsewhere" }, "rollout: "],
  ])("%j is refused with the reason", async (flags, reason) => {
    await expect(loadSettings({ flags })).rejects.toThrow(reason);
  });

  test("settings that were checked are settings again", async () => {
    for (const rollout of ["gym", "endpoint"]) {
      const settings = await loadSettings({ flags: { rollout } });
      expect(checkSettings(settings)).toEqual(settings);
    }
  });

  test("an API key is not written down", async () => {
    const settings = await loadSettings({ flags: { rollout: "endpoint", endpoint_api_key: "sesame" } });
    expect(JSON.stringify(withoutSecrets(settings))).not.toContain("sesame");
  });

  test("a file that is no mapping, and a preset that is none, are refused", async () => {
    const file = join(scratch(), "run.yaml");
    writeFileSync(file, "- lr\n");
    await expect(loadSettings({ file, flags: {} })).rejects.toThrow("expected a mapping of settings");
    await expect(loadSettings({ file: "nowhere.yaml", flags: {} })).rejects.toThrow("nowhere.yaml");
    await expect(loadSettings({ preset: "tpu", flags: {} })).rejects.toThrow("expected a preset of cpu");
  });
});
