/** Episodes that play on and check every reply during a fault of another episode. */
import { setTimeout as sleep } from "node:timers/promises";
import { createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";
import textcraft from "#palestra/envs/textcraft/index.js";
import type { GymSocket } from "../support/gym-socket.js";
import { script } from "../support/textcraft-scripts.js";

interface Bystander {
  episodeId: string;
  action(index: number): string;
  /** Returns the expected reply as JSON text. Called for each index in turn. */
  reply(index: number): string;
}

/** Pause of an episode between its steps. Without one, the episodes would use up a core until the fault is over. */
const pauseMs = 100;
const maxSteps = 1_000_000;
const scriptLength = 50;

export class Bystanders {
  /** Number of steps with the expected reply. */
  steps = 0;
  private ending = false;
  private longestWaitMs = 0;
  private silenceMs = 0;
  private lastReplyAt = performance.now();
  private milestone: { steps: number; reached(): void } | null = null;
  private readonly playing: Promise<unknown>;

  private constructor(
    private readonly socket: GymSocket,
    private readonly episodes: readonly Bystander[],
  ) {
    this.playing = Promise.all(episodes.map((episode) => this.play(episode)));
    this.playing.catch(() => this.milestone?.reached());
  }

  /** @param counts number of episodes of an ordinary environment, and of well-behaved episodes of the faulty one */
  static async begin(socket: GymSocket, counts: { textcraft: number; faulty: number }): Promise<Bystanders> {
    const crafting = Array.from({ length: counts.textcraft }, (_, i) => beginTextcraft(socket, i));
    const echoing = Array.from({ length: counts.faulty }, (_, i) => beginFaulty(socket, i));
    return new Bystanders(socket, await Promise.all([...crafting, ...echoing]));
  }

  get count(): number {
    return this.episodes.length;
  }

  /** Waits for a number of further steps, or the first wrong reply. */
  async taken(more: number): Promise<void> {
    const steps = this.steps + more;
    await new Promise<void>((resolve) => {
      this.milestone = { steps, reached: resolve };
    });
  }

  /** Returns the longest time without any reply, and the longest wait of one step. Rejects with the first wrong reply. */
  async end(): Promise<{ silenceMs: number; longestWaitMs: number }> {
    this.ending = true;
    await this.playing;
    return { silenceMs: this.silenceMs, longestWaitMs: this.longestWaitMs };
  }

  private async play({ episodeId, action, reply }: Bystander): Promise<void> {
    for (let index = 0; !this.ending; index++) {
      const sentAt = performance.now();
      const received = await this.socket.requestText("step", { episodeId, index, action: action(index) });
      this.record(sentAt);
      const expected = reply(index);
      if (received !== expected) {
        throw new Error(`expected ${episodeId} to reply ${expected} at step ${index}, but received ${received}`);
      }
      await sleep(pauseMs);
    }
  }

  private record(sentAt: number): void {
    const now = performance.now();
    this.longestWaitMs = Math.max(this.longestWaitMs, now - sentAt);
    this.silenceMs = Math.max(this.silenceMs, now - this.lastReplyAt);
    this.lastReplyAt = now;
    this.steps += 1;
    if (this.milestone && this.steps >= this.milestone.steps) this.milestone.reached();
  }
}

async function beginTextcraft(socket: GymSocket, i: number): Promise<Bystander> {
  const { task, actions } = script(i, scriptLength);
  const engine = createWrapped(textcraft, { now: Date.now }, maxSteps);
  engine.reset({ task, seed: 0, options: {} });
  const { episodeId } = await socket.request<{ episodeId: string }>("create", {
    environment: "textcraft",
    task,
    maxSteps,
  });
  const action = (index: number) => actions[index % scriptLength] as string;
  return { episodeId, action, reply: (index) => JSON.stringify({ index, ...engine.step(action(index)) }) };
}

async function beginFaulty(socket: GymSocket, i: number): Promise<Bystander> {
  const params = { environment: "faulty", task: { index: i + 1 }, maxSteps };
  const { episodeId } = await socket.request<{ episodeId: string }>("create", params);
  const action = (index: number) => `fine ${i}.${index}`;
  const reply = (index: number) =>
    JSON.stringify({
      index,
      observation: `${index + 1}: ${action(index)}`,
      reward: 0,
      terminated: false,
      truncated: false,
      info: {},
    });
  return { episodeId, action, reply };
}
