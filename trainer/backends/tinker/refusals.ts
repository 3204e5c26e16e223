/** Settings that a server of the Tinker API cannot honor. They are refused by name before the run starts. */
import type { Algorithm } from "../../algorithms/index.js";
import { TrainerError } from "../../errors.js";
import { engineSettings } from "../../settings/backend-mode.js";
import { settingFields } from "../../settings/fields.js";
import type { TrainSettings } from "../../settings/settings.js";

type Name = keyof TrainSettings;

interface Refusal {
  readonly name: Name;
  readonly holds: (settings: TrainSettings) => boolean;
  /** Expected value and the reason. */
  readonly expected: string;
}

const refusals: readonly Refusal[] = [
  ...engineSettings.map((name) => ({
    name,
    holds: (settings: TrainSettings) => settings[name] !== settingFields[name].safeParse(undefined).data,
    expected: "no value, since it belongs to the engine in this process",
  })),
  {
    name: "rollout",
    holds: ({ rollout }) => rollout !== "gym",
    expected: "gym, since the rollout endpoint samples with the engine",
  },
  {
    name: "model",
    holds: ({ model }) => model === undefined,
    expected:
      "the folder of the model that the server serves, for its tokenizer, chat template and config.json. To train the small model, run `palestra train --total_train_steps 0` first, and serve its folder `final`",
  },
  {
    name: "clone_episodes",
    holds: ({ clone_episodes }) => clone_episodes > 0,
    expected:
      "0, since experts are cloned by the engine: run `palestra train --total_train_steps 0` first, and serve its folder `final`",
  },
  {
    name: "teacher",
    holds: ({ teacher }) => teacher?.startsWith("native:") ?? false,
    expected: "openai:URL#model, since a native teacher is a model of the engine",
  },
  {
    name: "clone_dialogues",
    holds: ({ clone_dialogues }) => clone_dialogues !== undefined,
    expected: "no value, since dialogues are cloned by the engine",
  },
  {
    name: "temperature",
    holds: ({ temperature }) => temperature !== 1,
    expected: "1, since the server trains log-probabilities at temperature 1",
  },
  {
    name: "entropy_coef",
    holds: ({ entropy_coef }) => entropy_coef !== 0,
    expected: "0, since the API has no entropy term. Raise eps_clip_higher, as DAPO does, to keep the entropy up",
  },
  {
    name: "lora_alpha",
    holds: ({ lora_alpha }) => lora_alpha !== undefined,
    expected: "no value, since the server chooses the scale of the adapters",
  },
  {
    name: "lora_targets",
    holds: ({ lora_targets }) => lora_targets !== undefined,
    expected: "no value, since the server chooses the projections that get adapters",
  },
  {
    name: "lora_dropout",
    holds: ({ lora_dropout }) => lora_dropout > 0,
    expected: "0, since the API has no dropout",
  },
  {
    name: "lora_rank",
    holds: ({ lora_rank }) => lora_rank === 0,
    expected: "1 or more, since the API trains low-rank adapters",
  },
];

/** Refuses settings and algorithms. @throws {TrainerError} SETTINGS_INVALID, with every reason */
export function refuseUnsupported(settings: TrainSettings, { name, needs, criticLoss }: Algorithm): void {
  const reasons = refusals
    .filter(({ holds }) => holds(settings))
    .map(({ name: setting, expected }) => `${setting}: expected ${expected}`);
  if (needs.values || criticLoss)
    reasons.push(
      `algorithm: expected one without a critic, since the API has no value head, but received ${name}. Choose grpo, rloo or reinforce-plus-plus`,
    );
  if (reasons.length === 0) return;
  throw new TrainerError(
    "SETTINGS_INVALID",
    `expected settings that a server of the Tinker API can honor, but received:\n  ${reasons.join("\n  ")}`,
  );
}
