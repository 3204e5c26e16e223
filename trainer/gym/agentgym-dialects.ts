/**
 * Facts that AgentGym defines in its clients and not in its servers: the prompt, the format of replies, and the field
 * that is the score. Each supported server has one entry.
 */
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

const textcraft: AgentgymDialect = {
  prompt: [
    "You are given few useful crafting recipes to craft items in Minecraft. Crafting commands are of the " +
      'format "craft [target object] using [input ingredients]".',
    "Every round I will give you an observation, you have to respond an action based on the state and " +
      'instruction. You can "get" an object (ingredients) from the inventory or the environment, look-up ' +
      'the game inventory by "inventory", or "craft" (target) using any of the crafting commands.',
    'Your output must strictly follow this format:"Thought:',
    "your thoughts.",
    "",
    "Action:",
    'your next action"',
    "",
    "Reminder: ",
    '1. Always specify the quantity when using "get" and "craft" commands. - Example of get: get 1 lapis ' +
      "lazuli - Example1 of craft: craft 1 blue dye using 1 lapis lazuli - Example2 of craft: craft 1 " +
      "golden carrot using 8 gold nugget, 1 carrot",
    '2. When using "get" command, do not specify whether the item comes from the inventory or the environment.',
    "3. You can use ONLY crafting commands provided, do not use your own crafting commands. However, if " +
      'the crafting command uses a generic ingredient like "planks", you can use special types of the same ' +
      'ingredient e.g. "dark oak planks" in the command instead.',
    "",
    "",
  ].join("\n"),
  idKey: "id",
  createBody: { minecraft_dir: "agentenv_textcraft/", commands: null, goal: null },
  reset: (index) => ({ data_idx: index }),
  read: ({ observation, reward, done }, before) => ({ observation, score: before + Number(reward), done }),
  solvedReward: 1,
  info: (index) => ({ dataIdx: index }),
};

const babyai: AgentgymDialect = {
  prompt: [
    "You are an exploration master that wants to finish every goal you are given. Every round I will give you an " +
      "observation, and you have to respond an action and your thought based on the observation to finish the given " +
      "task. You are placed in a room and you need to accomplish the given goal with actions.",
    "You can use the following actions: ",
    "- turn right ",
    "- turn left ",
    "- move forward ",
    "- go to <obj> <id> ",
    "- pick up <obj> <id> ",
    "- go through <door> <id>: <door> must be an open door. ",
    "- toggle and go through <door> <id>: <door> can be a closed door or a locked door. If you want to open a locked " +
      "door, you need to carry a key that is of the same color as the locked door. ",
    "- toggle: there is a closed or locked door right in front of you and you can toggle it.\n" +
      "Your response should use the following format:\nThought:\n<Your Thought>\n\nAction:\n<Your Action>",
  ].join("\n\n"),
  idKey: "id",
  reset: (index) => ({ data_idx: index }),
  // AgentGym's client returns the cumulative score as the reward.
  read: ({ observation, score, done }) => ({ observation, score, done }),
  // In AgentGym, a reward of 0.5 or less does not end an episode.
  solvedReward: 0.5,
  info: (index) => ({ dataIdx: index, level: (index % 40) + 1, seed: Math.floor(index / 40) }),
  familyKey: "level",
};

const sciworldActions = [
  ["open/close OBJ", "open/close a container"],
  ["de/activate OBJ", "activate/deactivate a device"],
  ["connect OBJ to OBJ", "connect electrical components"],
  ["disconnect OBJ", "disconnect electrical components"],
  ["use OBJ [on OBJ]", "use a device/item"],
  ["look around", "describe the current room"],
  ["look at OBJ", "describe an object in detail"],
  ["look in OBJ", "describe a container's contents"],
  ["read OBJ", "read a note or book"],
  ["move OBJ to OBJ", "move an object to a container"],
  ["pick up OBJ", "move an object to the inventory"],
  ["put down OBJ", "drop an inventory item"],
  ["pour OBJ into OBJ", "pour a liquid into a container"],
  ["dunk OBJ into OBJ", "dunk a container into a liquid"],
  ["mix OBJ", "chemically mix a container"],
  ["go to LOC", "move to a new location"],
  ["eat OBJ", "eat a food"],
  ["flush OBJ", "flush a toilet"],
  ["focus on OBJ", "signal intent on a task object"],
  ["wait", "take no action for 10 iterations"],
  ["wait1", "take no action for 1 iteration"],
].map(([action, description]) => `{"action": "${action}", "description": "${description}"}`);

const sciworld: AgentgymDialect = {
  prompt: [
    "You are an agent for science world. Every round I will give you an observation, you have to respond an action " +
      "based on the observation to finish the given task. Here are the actions you may take: " +
      `[${sciworldActions.join(", ")}, ` +
      '{"action":"examine OBJ","description":"provides a description of the objects present on or in a receptacle."}, ' +
      '{"action": "task", "description": "describe current task"}, ' +
      '{"action": "inventory", "description": "list your inventory"}]',
    "Your response should use the following format:",
    "Thought:",
    "your thoughts.",
    "",
    "Action:",
    "your next action",
  ].join("\n"),
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
