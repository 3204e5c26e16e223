/**
 * The servers of AgentGym (https://github.com/WooooDyy/AgentGym). They speak one protocol in many dialects, which AgentGym
 * hides in its Python clients. Each server has one entry here.
 */
import type { JsonValue } from "../env.js";
import { isObject, type JsonObject } from "./calls.js";

/** Content of a server's reply before it is checked. */
export interface Said {
  observation: JsonValue | undefined;
  /** Reward of the step. */
  reward?: JsonValue | undefined;
  /** Sum of the rewards up to this reply, if the server states the sum and not the reward. */
  sum?: JsonValue | undefined;
  done?: JsonValue | undefined;
  info?: JsonObject;
}

export interface Dialect {
  /** Name of the game that the server plays, for people. */
  title: string;
  /** Reply to `GET /`, if it names the environment. */
  greeting?: string;
  /** Key of an episode's id in requests. */
  idKey: "id" | "env_idx";
  createBody?: JsonObject;
  /** Body of a reset, without the id. */
  reset(index: number): JsonObject;
  /** Reads the reply to a reset. Absent if the first observation has to be asked for with `GET /observation`. */
  first?(reply: JsonValue): Said;
  /** Path of a further call after a reset whose reply, a list of texts, the agent has to know. */
  alsoAsk?: string;
  /** Reads the reply to a step. */
  read(reply: JsonObject): Said;
  /** False if the server cannot close an episode. Its ids are then used again. */
  closes: boolean;
  /** Number of tasks; any seed if absent. */
  tasks?: number;
  maxSteps: number;
  rewardRange: readonly [number, number];
  solvedReward: number;
  prompt: string;
}

const plain = ({ observation, reward, done }: JsonObject): Said => ({ observation, reward, done });
const summed = ({ observation, score, done }: JsonObject): Said => ({ observation, sum: score, done });
const inReply = (reply: JsonValue): Said => ({ observation: isObject(reply) ? reply.observation : undefined });
/** Reply of servers that answer a reset with the bare observation. */
const bare = (reply: JsonValue): Said => ({ observation: reply });
/** Servers of WebShop and SQL call the observation `state`. */
const stated = ({ state, reward, done }: JsonObject): Said => ({ observation: state, reward, done });

const textcraft: Dialect = {
  title: "TextCraft",
  greeting: "This is environment TextCraft.",
  idKey: "id",
  createBody: { commands: null, goal: null },
  reset: (index) => ({ data_idx: index }),
  first: inReply,
  read: plain,
  closes: true,
  tasks: 544,
  maxSteps: 30,
  rewardRange: [0, 1],
  solvedReward: 1,
  prompt: [
    "Craft the goal item of Minecraft with the given crafting commands.",
    "Reply with one action: `get 2 oak log` takes an item from the surroundings, `craft 4 oak planks using 1 oak log` " +
      "applies a crafting command with exactly its numbers, and `inventory` lists what you carry.",
  ].join("\n"),
};

const babyai: Dialect = {
  title: "BabyAI",
  greeting: "This is environment BabyAI.",
  idKey: "id",
  reset: (index) => ({ data_idx: index }),
  first: (reply) => (isObject(reply) ? summed(reply) : inReply(reply)),
  // AgentGym's client passes on the sum as the reward.
  read: summed,
  closes: true,
  maxSteps: 20,
  rewardRange: [-1, 1],
  // In AgentGym, a reward of 0.5 or less does not end an episode.
  solvedReward: 0.5,
  prompt:
    "Reach the goal in a grid world. Reply with one of the listed available actions, such as `turn left` or `go to red ball 1`.",
};

const sciworld: Dialect = {
  title: "ScienceWorld",
  greeting: "This is environment ScienceWorld.",
  idKey: "id",
  reset: (index) => ({ data_idx: index }),
  first(reply) {
    if (!isObject(reply)) return { observation: undefined };
    const { task_description: task, observation, task_name: name, var_num: variation } = reply;
    // AgentGym's client counts the score from 0, even if the reset returned a score.
    const isWhole = typeof task === "string" && typeof observation === "string";
    const info = { task: name ?? null, variation: variation ?? null };
    return { observation: isWhole ? `${task}\n${observation}` : undefined, sum: 0, info };
  },
  read: summed,
  closes: true,
  tasks: 4639,
  maxSteps: 30,
  // A mistake that cannot be undone takes the score to -100.
  rewardRange: [-200, 100],
  solvedReward: 100,
  prompt:
    "Do an experiment in a simulated laboratory. Reply with one action, such as `look around`, `open door to kitchen`, " +
    "`go to kitchen`, `pick up OBJ`, `move OBJ to OBJ`, `use OBJ on OBJ`, `focus on OBJ` or `wait1`.",
};

const alfworld: Dialect = {
  title: "ALFWorld",
  greeting: "This is environment AlfWorld.",
  idKey: "id",
  reset: (index) => ({ game: index, world_type: "Text" }),
  first(reply) {
    if (!isObject(reply)) return { observation: undefined };
    const { observation, available_actions: actions } = reply;
    const listed = Array.isArray(actions) ? `\nAVAILABLE ACTIONS: ${actions.join(",")}` : "";
    return { observation: typeof observation === "string" ? observation + listed : observation };
  },
  read: ({ available_actions: availableActions = null, ...reply }) => ({ ...plain(reply), info: { availableActions } }),
  closes: false,
  tasks: 2620,
  maxSteps: 30,
  rewardRange: [0, 1],
  solvedReward: 1,
  prompt:
    "Do a chore in a household. Reply with one of the available actions, such as `go to desk 1` or `take mug 2 from shelf 1`.",
};

const webshop: Dialect = {
  title: "WebShop",
  idKey: "env_idx",
  reset: (index) => ({ session_id: index }),
  read: stated,
  closes: false,
  tasks: 6910,
  maxSteps: 10,
  rewardRange: [0, 1],
  solvedReward: 1,
  prompt:
    "Buy the product that the instruction describes. Reply with one action: `search[keywords]`, or `click[value]` with " +
    "a button or a link of the page.",
};

const sqlgym: Dialect = {
  title: "BIRD (SQL)",
  idKey: "env_idx",
  reset: (index) => ({ item_id: index }),
  read: stated,
  closes: false,
  tasks: 10_962,
  maxSteps: 1,
  rewardRange: [0, 1],
  solvedReward: 1,
  prompt: "Answer the question about the database. Reply with one SQLite query and nothing else.",
};

const maze: Dialect = {
  title: "Maze of LMRL-Gym",
  idKey: "id",
  reset: (index) => ({ game: index }),
  first: inReply,
  read: plain,
  closes: false,
  tasks: 26,
  maxSteps: 15,
  rewardRange: [-10, 10],
  solvedReward: 0,
  prompt:
    "Find the goal of a maze. Reply with one of these actions:\n- move up\n- move down\n- move left\n- move right",
};

const wordle: Dialect = {
  title: "Wordle of LMRL-Gym",
  idKey: "id",
  reset: (index) => ({ seed: index }),
  first: inReply,
  alsoAsk: "filtered_vocab",
  read: plain,
  closes: false,
  maxSteps: 8,
  rewardRange: [0, 1],
  solvedReward: 1,
  prompt:
    "Guess a hidden word of five letters in six attempts. Reply with one word of the list. In the feedback, `g` is a letter " +
    "in its place, `y` a letter in another place, and `b` a letter that is not in the word.",
};

const searchqa: Dialect = {
  title: "SearchQA",
  idKey: "env_idx",
  createBody: { id: 0 },
  reset: (index) => ({ id: index }),
  first: bare,
  read: plain,
  closes: true,
  tasks: 221_328,
  maxSteps: 5,
  rewardRange: [0, 1],
  solvedReward: 1,
  prompt:
    "Answer the question. `<search>QUERY</search>` searches for pages, and `<answer>ANSWER</answer>` gives your answer.",
};

const webarena: Dialect = {
  title: "WebArena",
  idKey: "env_idx",
  reset: (index) => ({ seed: 0, idx: index }),
  read: ({ observation, reward, terminated }) => ({
    observation,
    // AgentGym's client counts the reward of the last step alone.
    reward: terminated === true ? reward : 0,
    done: terminated,
  }),
  closes: true,
  tasks: 812,
  maxSteps: 15,
  rewardRange: [0, 1],
  solvedReward: 1,
  prompt:
    "Do a task on web sites. Reply with one action between triple backticks, such as ```click [12]```, " +
    "```type [7] [text] [1]```, ```scroll [down]```, ```goto [url]``` or, at the end, ```stop [answer]```.",
};

/** AgentGym's servers of tools (agentenv-tool). */
function toolServer(title: string, tasks: number, maxSteps: number): Dialect {
  return {
    title,
    idKey: "env_idx",
    createBody: { id: 0 },
    reset: (index) => ({ id: index }),
    first: bare,
    read: plain,
    closes: false,
    tasks,
    maxSteps,
    rewardRange: [-1, 1],
    solvedReward: 1,
    prompt:
      "Reach the goal with the listed tools. Reply with `Action: TOOL with Action Input: JSON`, and with the tool `finish` at the end.",
  };
}

export const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["textcraft", textcraft],
  ["babyai", babyai],
  ["sciworld", sciworld],
  ["alfworld", alfworld],
  ["webshop", webshop],
  ["sqlgym", sqlgym],
  ["maze", maze],
  ["wordle", wordle],
  ["searchqa", searchqa],
  ["webarena", webarena],
  ["weather", toolServer("Weather", 343, 10)],
  ["movie", toolServer("Movie", 238, 12)],
  ["academia", toolServer("Academia", 20, 12)],
  ["todo", toolServer("Todo", 155, 15)],
  ["sheet", toolServer("Sheet", 20, 15)],
]);
