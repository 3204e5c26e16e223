/** Settings of a training run: presets, files, flags and refusals. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { problemOf } from "#palestra/envs/babyai/tasks.js";
import { presets } from "#palestra/trainer/settings/presets.js";
import { checkSettings, loadSettings, withoutSecrets } from "#palestra/trainer/settings/settings.js";
import { trainerOptions } from "#palestra/trainer/start/starting-model.js";
import { scratch } from "../../support/serving.js";

describe("settings", () => {
  test("every preset can be used", async () => {
    for (const preset of Object.keys(presets)) {
      expect((await loadSettings({ preset, flags: {} })).train_tasks.length).toBeGreaterThan(0);
    }
  });

  test("adapters have targets and a dropout, which a run without adapters refuses", async () => {
    const flags = { lora_targets: "q,v", lora_dropout: "0.1" };
    const settings = await loadSettings({ flags: { ...flags, lora_rank: "4" } });
    expect(settings).toMatchObject({ lora_targets: ["q", "v"], lora_dropout: 0.1 });
    expect(trainerOptions(settings).lora).toEqual({
      ...{ rank: 4, alpha: 4, seed: 1, dropout: 0.1 },
      targets: ["q_proj", "v_proj"],
    });
    await expect(loadSettings({ flags })).rejects.toThrow(
      /lora_targets: expected a lora_rank above 0.*\n.*lora_dropout: expected a lora_rank above 0/,
    );
    await expect(loadSettings({ flags: { lora_rank: "4", lora_dropout: "1" } })).rejects.toThrow(/lora_dropout: /);
  });

  test("a preset for BabyAI trains on the levels of AgentGym", () => {
    const levels = Array.from({ length: 40 }, (_, index) => problemOf({ split: "agentgym", index }).level);
    expect(presets["smollm2-gpu-babyai"]?.train_tasks).toEqual(
      levels.map((level) => `babyai:${level}:1000000-1999999`),
    );
  });

  test("own tasks to train on are also those to clone, in place of a preset's", async () => {
    const own = { train_tasks: "math:easy" };
    expect((await loadSettings({ flags: {} })).clone_tasks).not.toBeUndefined();
    expect((await loadSettings({ flags: own })).clone_tasks).toBeUndefined();
    const flags = { ...own, clone_tasks: "textcraft:train" };
    expect((await loadSettings({ flags })).clone_tasks).toHaveLength(1);
  });

  test("a file overrides the preset, and flags override the file", async () => {
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
    // Refused before experts play, and not by the model that would be made afterwards.
    [{ hidden_size: "96" }, "hidden_size: expected a multiple of 64, but received 96"],
    [{ train_tasks: "textcraft" }, "expected tasks as environment:split[:first-last][*weight]"],
    [{ train_tasks: "textcraft:train:9-3" }, "textcraft:train:9-3"],
    [{ max_tokens_per_mb: "64" }, "expected at least the context_length 1024"],
    [{ prompt_examples: "101" }, "prompt_examples: "],
    [{ top_p: "0.9" }, "expected recompute_logprob true (with max_head_offpolicyness 0) or use_decoupled_loss true"],
    [
      { recompute_logprob: "true", max_head_offpolicyness: "1" },
      "recompute_logprob: expected use_decoupled_loss true, or max_head_offpolicyness 0",
    ],
    [{ policy: "openai" }, "policy: expected native or openai:URL#model, but received"],
    [{ policy: "openai:http://h/v1#m", temperature: "0.7" }, "temperature: expected 1 with a policy server"],
    [
      { policy: "openai:http://h/v1#m", algorithm: "ppo" },
      "algorithm: expected critic separate, or an algorithm without",
    ],
    [{ policy_server: "vllm" }, "policy_server: expected no value with the native policy"],
    [{ policy_weights: "/weights" }, "policy_weights: expected no value with the native policy"],
    [
      { partner: "exprt" },
      /partner: expected one of self, earlier, run:FOLDER, expert, .+"exprt" \(Did you mean expert\?\)/,
    ],
    [{ partner: "runs/right" }, "partner: expected one of self, earlier, run:FOLDER, expert, "],
    [{ partner: "openai:http://h/v1" }, "partner: expected openai:URL#model"],
    [
      { partner_share: "0.5" },
      "partner_share: expected no value with partner self, which plays all seats. Set partner.",
    ],
    [{ learner_seats: "left" }, "learner_seats: expected no value with partner self"],
    [{ partner: "expert", partner_share: "2" }, "partner_share: "],
    [
      { backend: "tinker", model: "m", lora_rank: "8", partner: "earlier" },
      "partner: expected self or a policy that does not change, since the weights of backend tinker stay on its server",
    ],
    [{ seat_rewards: "joint" }, 'seat_rewards: expected one of own, shared, but received "joint"'],
    [{ n_samples: "1" }, "a group of one rollout has no comparison"],
    [{ device: "gpu" }, 'device: expected auto, cpu or cuda:0, but received "gpu"'],
    [{ dtype: "fp16" }, 'dtype: expected one of auto, f32, bf16, but received "fp16" (Did you mean bf16?)'],
    [{ algorithm: "grop" }, /algorithm: expected one of ppo, grpo, .+, but received "grop" \(Did you mean grpo\?\)/],
    [{ policy: "natve" }, 'but received "natve" (Did you mean native?)'],
    [{ n_sample: "4" }, "n_sample is unknown (Did you mean n_samples?)"],
    [{ kl_coef: "0.1" }, "kl_coef is called kl_ctl here: Weight of the KL term"],
  ])("%j is refused with the reason", async (flags, reason) => {
    await expect(loadSettings({ flags })).rejects.toThrow(reason);
  });

  test("a run at the rollout endpoint needs no gym and takes no gym settings from a preset", async () => {
    const flags = { rollout: "endpoint", model: "some/model", n_samples: "4" };
    expect(await loadSettings({ flags })).toMatchObject({ rollout: "endpoint", train_tasks: [], clone_episodes: 0 });
  });

  test.each([
    [{ rollout: "endpoint", train_tasks: "textcraft:train" }, "train_tasks: expected no value with rollout endpoint"],
    [{ rollout: "endpoint", clone_episodes: "10" }, "clone_episodes: expected no value with rollout endpoint"],
    [{ rollout: "endpoint", gym: "spawn" }, "gym: expected no value with rollout endpoint"],
    [{ endpoint_port: "9000" }, "endpoint_port: expected no value with rollout gym"],
    [
      { rollout: "endpoint", endpoint_host: "0.0.0.0" },
      "endpoint_api_key: expected an API key, since other machines can reach 0.0.0.0",
    ],
    [{ rollout: "elsewhere" }, "rollout: "],
  ])("%j is refused with the reason", async (flags, reason) => {
    await expect(loadSettings({ flags })).rejects.toThrow(reason);
  });

  test("a setting that the rollout mode does not read is refused for that reason alone, whatever its value", async () => {
    const refusal = loadSettings({ flags: { rollout: "endpoint", model: "m", eval_episodes: "0" } });
    const lines = await refusal.catch((error: Error) => error.message.split("\n"));
    expect(lines).toEqual([
      "expected valid settings, but received:",
      "  eval_episodes: expected no value with rollout endpoint, which does not read this setting. Remove it.",
    ]);
  });

  test("a settings file of another trainer gets a suggestion for each name, with dots between its levels", async () => {
    const file = join(scratch(), "verl.yaml");
    const lines = [
      "algorithm: {adv_estimator: grpo, kl_ctrl: {kl_coef: 0.1}}",
      "actor_rollout_ref:",
      "  actor:",
      "    clip_ratio_low: 0.2",
      "  rollout: {n: 8}",
      "num_generations: 8",
      "reward_model: {}",
    ];
    writeFileSync(file, lines.join("\n"));
    const message = await loadSettings({ file, flags: {} }).catch((error: Error) => error.message);
    for (const [name, ours] of [
      ["algorithm.adv_estimator", "algorithm"],
      ["algorithm.kl_ctrl.kl_coef", "kl_ctl"],
      ["actor_rollout_ref.actor.clip_ratio_low", "eps_clip"],
      ["actor_rollout_ref.rollout.n", "n_samples"],
      ["num_generations", "n_samples"],
    ]) {
      expect(message).toContain(`\n  ${name} is called ${ours} here: `);
    }
    expect(message).toContain("\n  reward_model is unknown");
  });

  test("the default run uses weight decay for cloning and none for reinforcement learning", async () => {
    expect(await loadSettings({ flags: {} })).toMatchObject({ clone_weight_decay: 0.01, weight_decay: 0, beta2: 0.99 });
  });

  test("checked settings pass the check again unchanged", async () => {
    for (const rollout of ["gym", "endpoint"]) {
      const settings = await loadSettings({ flags: { rollout } });
      expect(checkSettings(settings)).toEqual(settings);
    }
  });

  test("an API key is left out of recorded settings", async () => {
    const settings = await loadSettings({ flags: { rollout: "endpoint", endpoint_api_key: "sesame" } });
    expect(JSON.stringify(withoutSecrets(settings))).not.toContain("sesame");
  });

  test("tokens and passwords in addresses are left out of recorded settings", async () => {
    const flags = { gym: "https://me:sesame@gym.example/t/pal_sesame/", agentgym: "http://a:sesame@h/t/pal_sesame" };
    const { gym, agentgym } = withoutSecrets(await loadSettings({ flags }));
    expect([gym, agentgym]).toEqual(["https://…@gym.example/t/pal_…/", "http://…@h/t/pal_…"]);
  });

  test("an earlier name of a setting is accepted with a warning, but not beside the current one", async () => {
    const warnings: string[] = [];
    const warn = (line: string) => void warnings.push(line);
    const file = join(scratch(), "run.yaml");
    writeFileSync(file, "max_concurrent_rollouts: 5\n");
    expect(await loadSettings({ file, flags: {}, warn })).toMatchObject({ max_concurrent_groups: 5 });
    expect(await loadSettings({ flags: { max_concurrent_rollouts: "6" }, warn })).toMatchObject({
      max_concurrent_groups: 6,
    });
    const line = "max_concurrent_rollouts is now called max_concurrent_groups. Rename it; the earlier name will go.";
    expect(warnings).toEqual([line, line]);
    const flags = { max_concurrent_rollouts: "6", max_concurrent_groups: "7" };
    await expect(loadSettings({ flags })).rejects.toThrow(
      "expected only max_concurrent_groups, but received max_concurrent_groups and its earlier name max_concurrent_rollouts",
    );
  });

  test("a file that is not a mapping, and an unknown preset, are refused", async () => {
    const file = join(scratch(), "run.yaml");
    writeFileSync(file, "- lr\n");
    await expect(loadSettings({ file, flags: {} })).rejects.toThrow("expected a mapping of settings");
    await expect(loadSettings({ file: "nowhere.yaml", flags: {} })).rejects.toThrow("nowhere.yaml");
    await expect(loadSettings({ preset: "tpu", flags: {} })).rejects.toThrow("expected a preset of cpu");
    await expect(loadSettings({ preset: "one-gp", flags: {} })).rejects.toThrow("one-gp (Did you mean one-gpu?)");
  });
});
