/** Episodes with known actions and the replies of a gym without faults. */
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import type { GymSocket } from "../gym-socket.js";
import { script } from "../textcraft-scripts.js";

export interface Script {
  request: { environment: string; task: { split: string; index: number }; seed: number; maxSteps: number };
  actions: readonly string[];
  /** Observation of the reset. */
  opening: string;
  /** Replies to the actions, as text. */
  replies: readonly string[];
}

const lengths = [5, 15, 40, 80, 120];

const babyaiActions = [
  ...["turn left", "turn right", "move forward", "move forward", "move forward", "drop", "toggle"],
  ...["go to red ball 1", "pickup grey key 1", "go to blue box 1", "nonsense"],
];
const rooms = ["hallway", "kitchen", "bathroom", "workshop", "art studio", "greenhouse", "outside"];
const sciworldActions = [
  ...rooms.flatMap((room) => [`open door to ${room}`, `go to ${room}`, `go to ${room}`]),
  ...[
    "look around",
    "inventory",
    "task",
    "wait1",
    "pick up thermometer",
    "open cupboard",
    "open freezer",
    "examine apple",
  ],
];

/** Plays episodes of three environments and five lengths on a gym, and returns them with the gym's replies. */
export async function playScripts(socket: GymSocket, count: number, seed: number): Promise<Script[]> {
  const scripts: Script[] = [];
  const group = 50;
  for (let i = 0; i < count; i += group) {
    const numbers = Array.from({ length: Math.min(group, count - i) }, (_, k) => i + k);
    scripts.push(...(await Promise.all(numbers.map((number) => playScript(socket, number, seed)))));
  }
  return scripts;
}

async function playScript(socket: GymSocket, number: number, seed: number): Promise<Script> {
  const random = new MersenneTwister(seed * 100_003 + number);
  const length = lengths[Math.floor(number / 3) % lengths.length] as number;
  const { request, planned } = plan(random, number, length);
  const created = await socket.request<{ episodeId: string; observation: string }>("create", request);
  const [actions, replies]: [string[], string[]] = [[], []];
  for (const action of planned) {
    const reply = await socket.requestText("step", { episodeId: created.episodeId, index: actions.length, action });
    actions.push(action);
    replies.push(reply);
    const { terminated, truncated } = JSON.parse(reply) as { terminated: boolean; truncated: boolean };
    if (terminated || truncated) break;
  }
  return { request, actions, opening: created.observation, replies };
}

function plan(random: MersenneTwister, number: number, length: number) {
  const requestOf = (environment: string, task: { split: string; index: number }) => ({
    ...{ environment, task, seed: number, maxSteps: 1_000 },
  });
  const from = (choices: readonly string[]) => Array.from({ length }, () => random.choice(choices));
  switch (number % 3) {
    case 0: {
      const { task, actions } = script(number, length);
      return { request: requestOf("textcraft", task), planned: actions };
    }
    case 1: {
      const request = requestOf("babyai", { split: "GoToObj", index: random.randbelow(1_000) });
      return { request, planned: from(babyaiActions) };
    }
    default: {
      const request = requestOf("sciworld", { split: "agentgym", index: random.randbelow(4_000) });
      return { request, planned: from(sciworldActions) };
    }
  }
}
