/** Setting names of other trainers, and the suggestions for them. */
import { expect, test } from "vitest";
import { z } from "zod";
import { type SettingName, settingFields, settingGroups } from "#palestra/trainer/settings/fields.js";
import { aboutForeignName, aboutUnknownSetting, foreignNames } from "#palestra/trainer/settings/foreign-names.js";
import { testDataFiles } from "../../support/data-shapes.js";

const names = z.array(z.string().regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/)).min(1);
const bySetting = z.partialRecord(z.enum(Object.keys(settingFields) as SettingName[]), names);

testDataFiles("trainer/settings/data", {
  "foreign-names.json": [foreignNames, z.strictObject({ same: bySetting, nearest: bySetting })],
});

test("every foreign name maps to one setting with a description, and none is also a name of ours", () => {
  const all = Object.values(foreignNames()).flatMap((table) => Object.entries(table as Record<string, string[]>));
  const foreign = all.flatMap(([, elsewhere]) => elsewhere);
  expect(foreign.length).toBeGreaterThan(200);
  expect(foreign.filter((name, at) => foreign.indexOf(name) !== at)).toEqual([]);
  expect(foreign.filter((name) => Object.hasOwn(settingFields, name))).toEqual([]);
  for (const [ours] of all) expect(settingFields[ours as SettingName].description, ours).toBeTruthy();
});

test.each([
  // verl
  ["actor_rollout_ref.actor.clip_ratio_low", "eps_clip"],
  ["actor_rollout_ref.actor.clip_ratio_high", "eps_clip_higher"],
  ["actor_rollout_ref.actor.kl_loss_coef", "kl_ctl"],
  ["actor_rollout_ref.rollout.n", "n_samples"],
  ["algorithm.kl_ctrl.kl_coef", "kl_ctl"],
  ["algorithm.adv_estimator", "algorithm"],
  ["data.train_batch_size", "batch_size"],
  ["data.max_response_length", "max_new_tokens"],
  ["trainer.test_freq", "eval_freq_steps"],
  ["clip_ratio", "eps_clip"],
  ["kl_coef", "kl_ctl"],
  // AReaL
  ["actor.eps_clip", "eps_clip"],
  ["actor.mb_spec.max_tokens_per_mb", "max_tokens_per_mb"],
  ["gconfig.n_samples", "n_samples"],
  ["rollout.max_head_offpolicyness", "max_head_offpolicyness"],
  ["train_dataset.batch_size", "batch_size"],
  // TRL
  ["num_generations", "n_samples"],
  ["beta", "kl_ctl"],
  ["epsilon", "eps_clip"],
  ["epsilon_high", "eps_clip_higher"],
  ["num_iterations", "update_epochs"],
  ["learning_rate", "lr"],
  // slime and OpenRLHF, SkyRL
  ["rollout_batch_size", "batch_size"],
  ["rollout-batch-size", "batch_size"],
  ["init_kl_coef", "kl_ctl"],
  ["generator.n_samples_per_prompt", "n_samples"],
])("%s is called %s here", (name, ours) => {
  expect(aboutForeignName(name)).toContain(
    `${name} is called ${ours} here: ${settingFields[ours as "lr"].description}`,
  );
});

test("a foreign setting with another unit suggests the nearest setting of ours", () => {
  expect(aboutForeignName("ppo_mini_batch_size")).toMatch(
    /^ppo_mini_batch_size is nearest to ppo_n_minibatches here: /,
  );
});

test("a name with an unknown prefix suggests a setting by its last part", () => {
  expect(aboutForeignName("critic.optimizer.kl_coef")).toBe(
    "critic.optimizer.kl_coef is unknown (Did you mean kl_ctl?)",
  );
  expect(aboutForeignName("trainer.somewhere.batch_size")).toContain("(Did you mean batch_size?)");
});

test("other names suggest a setting of similar spelling, or none", () => {
  expect(aboutForeignName("n_sample")).toBe("");
  expect(aboutUnknownSetting("n_sample")).toBe("n_sample is unknown (Did you mean n_samples?)");
  expect(aboutUnknownSetting("frobnicate")).toBe("frobnicate is unknown (palestra train --help lists all settings)");
});

test("every setting is in one group of the help", () => {
  const names = [...settingGroups.values()].flat();
  expect([...names].sort()).toEqual(Object.keys(settingFields).sort());
});
