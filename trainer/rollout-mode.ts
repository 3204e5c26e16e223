/** Which settings belong to which way of playing: those that nothing reads are refused, whoever gives one expects something. */
import type { z } from "zod";

type Given = Readonly<Record<string, unknown>>;

/** About tasks, experts and what the trainer itself plays by. */
const ofGyms: ReadonlySet<string> = new Set([
  "gym",
  "agentgym",
  "train_tasks",
  "eval_tasks",
  "max_rounds",
  "rounds_ctrl",
  "steps_scaling_inter",
  "difficulty_filter",
  "action_format",
  "hidden_size",
  "layers",
  "clone_episodes",
  "clone_epochs",
  "clone_lr",
  "clone_tokens_per_step",
  "clone_observation_weight",
  "language_episodes",
  "rollout_retries",
  "eval_freq_steps",
  "eval_episodes",
]);

/** @returns why each may not be given; one that has its default is taken for not given */
export function unread(given: Given, fields: Readonly<Record<string, z.ZodType>>): string[] {
  const isEndpoint = given.rollout === "endpoint";
  const isUnread = (name: string) => (isEndpoint ? ofGyms.has(name) : name.startsWith("endpoint_"));
  return Object.entries(given)
    .filter(([name, value]) => isUnread(name) && !isDefault(fields[name], value))
    .map(([name]) => `${name}: expected none with rollout ${isEndpoint ? "endpoint" : "gym"}, where nothing reads it`);
}

/** What is left of a preset for a run without a gym. */
export function withoutGym(preset: Given): Record<string, unknown> {
  return Object.fromEntries(Object.entries(preset).filter(([name]) => !ofGyms.has(name)));
}

function isDefault(field: z.ZodType | undefined, value: unknown): boolean {
  return JSON.stringify(field?.safeParse(undefined).data) === JSON.stringify(value);
}
