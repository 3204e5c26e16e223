/** Replays recordings of AgentGym's TextCraft over `/v1`, through a mount of a server that plays TextCraft. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { GymSocket } from "./gym-socket.js";

interface Recording {
  dataIdx: number;
  start: string;
  needed: string[];
  steps: { action: string; observation: string; reward: number; done: boolean }[];
}

interface Opened {
  episodeId: string;
  observation: string;
}

interface Stepped {
  observation: string;
  reward: number;
  terminated: boolean;
}

export interface Comparison {
  episodes: number;
  steps: number;
  /** Descriptions of the episodes whose replies differ. */
  differences: string[];
}

const fixture = new URL("../fixtures/textcraft/traces.json.gz", import.meta.url);

/**
 * Plays the first recordings and compares every reply. In the first observation, only the goal and the needed recipes
 * are fixed: Python's hash seed decides the other lines and the order in AgentGym.
 *
 * @param environment name of the mount
 */
export async function compareTraces(url: string, environment: string, count: number): Promise<Comparison> {
  const { records } = JSON.parse(gunzipSync(readFileSync(fixture)).toString()) as { records: Recording[] };
  const socket = await GymSocket.connect(url);
  const comparison: Comparison = { episodes: 0, steps: 0, differences: [] };
  for (const recording of records.slice(0, count)) {
    const difference = await compare(socket, environment, recording, comparison);
    comparison.episodes += 1;
    if (difference !== undefined) comparison.differences.push(`task ${recording.dataIdx}: ${difference}`);
  }
  socket.terminate();
  return comparison;
}

async function compare(
  socket: GymSocket,
  environment: string,
  recording: Recording,
  comparison: Comparison,
): Promise<string | undefined> {
  const { dataIdx, start, needed, steps } = recording;
  const task = { split: "agentgym", index: dataIdx };
  const { episodeId, observation } = await socket.request<Opened>("create", { environment, task });
  const lines = observation.split("\n");
  const isSame = lines.at(-1) === start.split("\n").at(-1) && needed.every((recipe) => lines.includes(recipe));
  if (!isSame) return `expected ${start}, but received ${observation}`;
  for (const [index, { action, observation, reward, done }] of steps.entries()) {
    const reply = await socket.request<Stepped>("step", { episodeId, index, action });
    const received = JSON.stringify([reply.observation, reply.reward, reply.terminated]);
    const expected = JSON.stringify([observation, reward, done]);
    comparison.steps += 1;
    if (received !== expected) return `step ${index} (${action}): expected ${expected}, but received ${received}`;
    // AgentGym's server would continue the episode.
    if (done) break;
  }
  return undefined;
}
