/**
 * Facts that AgentGym defines in its clients and not in its servers: the prompt, the format of replies, and the field
 * that is the score. Each supported server has one entry.
 */
import { jsonFile } from "../data-file.js";
import type { GymStep } from "./gym.js";

/** Unparsed reply of an AgentGym server to a reset or a step. */
export type AgentgymReply = Readonly<Record<string, unknown>>;

export interface AgentgymDialect {
  readonly prompt: string;
  /** Key of an episode's id in requests and replies. */
  readonly idKey: "id" | "env_idx";
  /** Body of the create request, if it has one. */
  readonly createBody?: object;
  /** Makes the body of a reset request, without the id. */
  reset(index: number): object;
  /**
   * Reads the observation, the sum of the rewards up to this reply, and whether the episode is done. `before` is the
   * sum before this reply.
   */
  read(reply: AgentgymReply, before: number): { observation: unknown; score: unknown; done: unknown };
  /** Minimum return of a solved task. */
  readonly solvedReward: number;
  /** Returns facts about a task, from its index and the reply to the reset. */
  info(index: number, opening: AgentgymReply): GymStep["info"];
  /** Key in `info` of the kind of task. */
  readonly familyKey?: string;
}

/** Lines of the prompts, by environment. */
export type AgentgymPrompts = Readonly<Record<"textcraft" | "babyai" | "sciworld", readonly string[]>>;

export const agentgymPrompts = jsonFile<AgentgymPrompts>(new URL("./data/agentgym-prompts.json", import.meta.url));

function promptOf(environment: keyof AgentgymPrompts): string {
  return agentgymPrompts()[environment].join("\n");
}

const textcraft: AgentgymDialect = {
  get prompt() {
    return promptOf("textcraft");
  },
  idKey: "id",
  createBody: { minecraft_dir: "agentenv_textcraft/", commands: null, goal: null },
  reset: (index) => ({ data_idx: index }),
  read: ({ observation, reward, done }, before) => ({ observation, score: before + Number(reward), done }),
  solvedReward: 1,
  info: (index) => ({ dataIdx: index }),
};

const babyai: AgentgymDialect = {
  get prompt() {
    return promptOf("babyai");
  },
  idKey: "id",
  reset: (index) => ({ data_idx: index }),
  // AgentGym's client returns the cumulative score as the reward.
  read: ({ observation, score, done }) => ({ observation, score, done }),
  // In AgentGym, a reward of 0.5 or less does not end an episode.
  solvedReward: 0.5,
  info: (index) => ({ dataIdx: index, level: (index % 40) + 1, seed: Math.floor(index / 40) }),
  familyKey: "level",
};

const sciworld: AgentgymDialect = {
  get prompt() {
    return promptOf("sciworld");
  },
  idKey: "id",
  reset: (index) => ({ data_idx: index }),
  // AgentGym's client adds the task to the first observation and counts the score from 0, even if the reset returned a
  // score.
  read: ({ task_description: task, observation, score, done }) =>
    task === undefined ? { observation, score, done } : { observation: `${task}\n${observation}`, score: 0, done },
  solvedReward: 100,
  info: (index, { task_name: task, var_num: variation }) => ({ dataIdx: index, task, variation }),
  familyKey: "task",
};

export const agentgymDialects: ReadonlyMap<string, AgentgymDialect> = new Map([
  ["textcraft", textcraft],
  ["babyai", babyai],
  ["sciworld", sciworld],
]);
