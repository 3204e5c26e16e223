/**
 * Who plays, and which settings belong to which way of playing. Those that nothing reads are refused: whoever gives one
 * expects something of it.
 */
import { z } from "zod";

export const endpointFields = {
  rollout: z
    .enum(["gym", "endpoint"])
    .default("gym")
    .describe("gym: the trainer plays tasks itself; endpoint: agent programs do, over an OpenAI-compatible server."),
  endpoint_host: z.string().min(1).default("127.0.0.1").describe("Address that the rollout endpoint listens at."),
  endpoint_port: z.int().min(0).max(65_535).default(8800).describe("Port of the rollout endpoint; 0: a free one."),
  endpoint_api_key: z.string().min(1).optional().describe("What agents have to show. Default: any key, or none."),
  endpoint_lease_s: z
    .number()
    .positive()
    .max(86_400)
    .default(120)
    .describe("Seconds without a call after which a rollout has failed, and after which a group is closed."),
  endpoint_wait_s: z
    .number()
    .min(0)
    .max(3600)
    .default(30)
    .describe("Seconds that a rollout may wait for its admission, before it is asked to come back."),
  endpoint_sampling: z
    .enum(["refuse", "override"])
    .default("refuse")
    .describe("What becomes of a temperature or top_p of an agent's that is not the run's own, in training."),
  endpoint_solved_reward: z.number().default(1).describe("Reward from which on a rollout is solved that does not say."),
};

interface ModeSettings {
  readonly rollout: "gym" | "endpoint";
  readonly train_tasks: readonly string[];
  readonly eval_tasks: readonly string[];
  readonly endpoint_host: string;
  readonly endpoint_api_key?: string | undefined;
}

/** @returns names of settings, each with what it has to be */
export function lacking(settings: ModeSettings): [string, string][] {
  const { rollout, endpoint_host: host, endpoint_api_key: key } = settings;
  if (rollout === "gym") {
    const empty = (["train_tasks", "eval_tasks"] as const).filter((name) => settings[name].length === 0);
    return empty.map((name) => [name, "expected at least one with rollout gym, but received none"]);
  }
  if (key !== undefined || isLoopback(host)) return [];
  return [["endpoint_api_key", `expected one, since others reach ${host} too`]];
}

/** Nobody but this machine reaches it. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}

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
  "task_mixing",
  "policy",
  "policy_server",
  "policy_weights",
  "action_format",
  "hidden_size",
  "layers",
  "clone_episodes",
  "clone_tasks",
  "clone_epochs",
  "clone_lr",
  "clone_tokens_per_step",
  "clone_observation_weight",
  "clone_weight_decay",
  "language_episodes",
  "rollout_retries",
  "eval_freq_steps",
  "eval_episodes",
]);

/** @returns names, each with why it may not be given; one that has its default is taken for not given */
export function unread(given: Given, fields: Readonly<Record<string, z.ZodType>>): [string, string][] {
  const isEndpoint = given.rollout === "endpoint";
  const isUnread = (name: string) => (isEndpoint ? ofGyms.has(name) : name.startsWith("endpoint_"));
  const reason = `expected none with rollout ${isEndpoint ? "endpoint" : "gym"}, where nothing reads it. Leave it out`;
  return Object.entries(given)
    .filter(([name, value]) => isUnread(name) && !isDefault(fields[name], value))
    .map(([name]) => [name, reason]);
}

/** What is left of a preset for a run without a gym. */
export function withoutGym(preset: Given): Record<string, unknown> {
  return Object.fromEntries(Object.entries(preset).filter(([name]) => !ofGyms.has(name)));
}

function isDefault(field: z.ZodType | undefined, value: unknown): boolean {
  return JSON.stringify(field?.safeParse(undefined).data) === JSON.stringify(value);
}
