/** The help of `palestra train`: the basic settings first, and the choices and defaults of every setting. */
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addTrainCommand } from "#palestra/server/program/commands/train.js";
import { basicHeading, settingOptions } from "#palestra/server/program/training/setting-options.js";
import { settingFields } from "#palestra/trainer/settings/fields.js";

const options = settingOptions();
const descriptions = new Map(options.map(({ long, description }) => [long?.slice(2), description]));

test("the options have every setting once, and about a dozen basic ones come first", () => {
  expect([...descriptions.keys()].sort()).toEqual(Object.keys(settingFields).sort());
  expect(options.length).toBe(descriptions.size);
  const basic = options.filter(({ helpGroupHeading }) => helpGroupHeading === basicHeading);
  expect(basic).toEqual(options.slice(0, 12));
  expect(basic.map(({ long }) => long)).toEqual(
    expect.arrayContaining(["--model", "--train_tasks", "--algorithm", "--batch_size", "--lr", "--device"]),
  );
});

test("the description of every option states the default", () => {
  for (const [name, description] of descriptions) expect(description, name).toMatch(/default/i);
});

describe("a description", () => {
  test.each([
    // Defaults of the schema, of the default preset, and of other presets.
    ["seed", "(default: 1)"],
    [
      "total_train_steps",
      "(default: 330; 400 with preset math; 150 with presets one-gpu, qwen2.5-0.5b; 10 with preset smollm2; 200 with preset smollm2-gpu; 300 with preset smollm2-gpu-babyai)",
    ],
    [
      "max_minutes",
      "(default: 10; 12 with preset math; unset with presets one-gpu, smollm2, smollm2-gpu, smollm2-gpu-babyai, qwen2.5-0.5b)",
    ],
    ["beta2", "(default: 0.99; 0.999 with presets smollm2, smollm2-gpu, smollm2-gpu-babyai, qwen2.5-0.5b)"],
    [
      "train_tasks",
      "default: babyai:GoToRedBallNoDists:1000000-1999999 and 9 more; math:easy with preset math; textcraft:",
    ],
    // Defaults of algorithms.
    [
      "n_samples",
      "(default: 8; 1 with ppo, reinforce, reinforce-plus-plus, sft, on-policy-distillation; 8 with preset smollm2)",
    ],
    ["eps_clip", "(default: 0.2; 0.0003 with gspo; 1 with cispo)"],
    ["eps_clip_higher", "(default: eps_clip; 0.28 with dapo; 0.0004 with gspo; 4 with cispo)"],
    ["gamma", "(ppo, reinforce-plus-plus, gigpo only; default: 1; 0.95 with gigpo)"],
    ["turn_discount", "(default: unset)"],
    // Choices.
    ["algorithm", "(choices: ppo, grpo, dr-grpo, rloo, "],
    ["lr_scheduler_type", "(choices: constant, linear, cosine; default: linear; constant with presets one-gpu, "],
    ["adv_norm", "(choices: none, batch, environment; default: none; batch with ppo, reinforce-plus-plus, "],
  ])("of %s has %s", (name, words) => {
    expect(descriptions.get(name)).toContain(words);
  });

  test("shows the type of the value", () => {
    const flags = options.map(({ flags }) => flags);
    expect(flags).toEqual(
      expect.arrayContaining([
        ...["--lr <number>", "--resume <true|false>", "--train_tasks <list>", "--algorithm <name>", "--output <text>"],
        ...["--lora_alpha <number>", "--rounds_ctrl <list>", "--recompute_logprob <true|false>"],
      ]),
    );
  });
});

test("the help prints the options by group, and an option that is not given sets nothing", async () => {
  const program = new Command().exitOverride();
  addTrainCommand(program, {});
  const [command] = program.commands;
  const headings = command?.helpInformation().match(/^[A-Z][A-Za-z ]+:$/gm);
  expect(headings?.slice(0, 4)).toEqual(["Arguments:", "Basic settings:", "Run:", "Gym and tasks:"]);
  expect(headings).not.toContain("Options:");
  // A default in commander would override the preset and the file.
  expect(command?.opts()).toEqual({});
});
