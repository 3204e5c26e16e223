/** Clients that step episodes at a steady rate over HTTP and over the socket, and check every reply. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import babyai from "#palestra/envs/babyai/index.js";
import type { EnvironmentSpec } from "#palestra/envs/env.js";
import { defaultSplit, fillOptions } from "#palestra/envs/registry.js";
import { createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";
import textcraft from "#palestra/envs/textcraft/index.js";
import { GymSocket } from "../support/gym-socket.js";
import { script } from "../support/textcraft-scripts.js";

/** Milliseconds between the steps of one client. */
export const stepEveryMs = 25;
/** Number of clients of each of two environments and two protocols, and of all. */
const clientsOfEach = 2;
export const clients = 4 * clientsOfEach;
const maxSteps = 1_000_000;
const scriptLength = 50;
/** Actions that are not moves, since an episode of BabyAI fails after a number of moves. */
const looks = ["check available actions", "look around"];

/** Latencies of one period in milliseconds. */
export interface Latency {
  p50: number;
  p99: number;
  max: number;
}

export function latencyOf(latencies: readonly number[]): Latency {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Sends an operation, and returns the text of its result. */
type Call = (op: "create" | "step", params: { episodeId?: string; [name: string]: unknown }) => Promise<string>;

interface Game {
  spec: EnvironmentSpec;
  task: { split: string; index: number };
  actions: readonly string[];
}

export class Bystanders {
  private latencies: number[] = [];
  private failure: Error | undefined;
  private ending = false;
  private readonly clients: Client[] = [];

  private constructor(private readonly socket: GymSocket) {}

  /** Opens the episodes and starts to step them. */
  static async begin(url: string): Promise<Bystanders> {
    const bystanders = new Bystanders(await GymSocket.connect(url));
    for (let i = 0; i < clientsOfEach; i++) {
      for (const game of [crafting(i), walking(i)]) {
        await bystanders.join(game, bystanders.overHttp(url));
        await bystanders.join(game, (op, params) => bystanders.socket.requestText(op, params));
      }
    }
    return bystanders;
  }

  /** Measures for a while. @throws the first wrong reply or lost step */
  async measure(seconds: number): Promise<Latency> {
    this.latencies = [];
    await sleep(seconds * 1_000);
    if (this.failure) throw this.failure;
    return latencyOf(this.latencies);
  }

  async end(): Promise<void> {
    this.ending = true;
    await sleep(2 * stepEveryMs);
    this.socket.terminate();
    await Promise.all(this.clients.map((client) => client.destroy()));
  }

  private overHttp(url: string): Call {
    const client = new Client(url, { pipelining: 1 });
    this.clients.push(client);
    return async (op, { episodeId, ...body }) => {
      const path = op === "create" ? "/v1/episodes" : `/v1/episodes/${episodeId}/step`;
      const headers = { "content-type": "application/json" };
      const reply = await client.request({ method: "POST", path, headers, body: JSON.stringify(body) });
      return reply.body.text();
    };
  }

  private async join({ spec, task, actions }: Game, call: Call): Promise<void> {
    const engine = begun(spec, task);
    const request = { environment: spec.id, task, seed: 0, maxSteps };
    const { episodeId } = JSON.parse(await call("create", request)) as { episodeId: string };
    const step = async (index: number) => {
      const action = actions[index % actions.length] as string;
      const dueAt = performance.now();
      const received = await call("step", { episodeId, index, action });
      this.latencies.push(performance.now() - dueAt);
      const expected = JSON.stringify({ index, ...engine.step(action) });
      if (received !== expected)
        throw new Error(`expected step ${index} of ${spec.id} to reply ${expected}, but received ${received}`);
    };
    this.play(step).catch((error: Error) => {
      if (!this.ending) this.failure ??= error;
    });
  }

  private async play(step: (index: number) => Promise<void>): Promise<void> {
    for (let index = 0; !this.ending; index++) {
      await step(index);
      await sleep(stepEveryMs);
    }
  }
}

function crafting(number: number): Game {
  return { spec: textcraft, ...script(number, scriptLength) };
}

function walking(number: number): Game {
  return { spec: babyai, task: { split: defaultSplit(babyai), index: number }, actions: looks };
}

function begun(spec: EnvironmentSpec, task: Game["task"]): ReturnType<typeof createWrapped> {
  const engine = createWrapped(spec, { now: Date.now }, maxSteps);
  engine.reset({ task, seed: 0, options: fillOptions(spec, {}) });
  return engine;
}
