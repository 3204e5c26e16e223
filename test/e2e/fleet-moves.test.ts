/** Episodes that move between the gyms of a fleet while they are played: a gym joins, gyms are replaced, versions differ. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Fleet, type Node } from "../support/fleet.js";
import { eventually } from "../support/gym.js";
import { postgresFolder } from "../support/postgres.js";

interface Transcript {
  steps: { index: number; action: string }[];
}

/** Plays episodes without pause, through any gym of the fleet, until `stop`. */
class Players {
  readonly episodes: string[] = [];
  private readonly steps = new Map<string, number>();
  private isOver = false;
  private readonly playing: Promise<void>[] = [];
  /** Longest time of a step in milliseconds. */
  slowestMs = 0;

  constructor(private readonly fleet: Fleet) {
    onTestFinished(() => {
      this.isOver = true;
    });
  }

  async begin(count: number): Promise<void> {
    const opened = Array.from({ length: count }, async (_, index) => {
      const request = { environment: "textcraft", task: { index }, maxSteps: 100_000 };
      const { episodeId } = await this.fleet.send("/episodes", request, { "idempotency-key": `episode ${index}` });
      this.episodes.push(episodeId as string);
      this.steps.set(episodeId as string, 0);
      this.playing.push(this.play(episodeId as string));
    });
    await Promise.all(opened);
  }

  /** Stops the play, and compares every transcript with the steps that were answered. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.playing);
    for (const id of this.episodes) {
      const { steps } = (await this.fleet.send(`/episodes/${id}/transcript?limit=1000`)) as unknown as Transcript;
      const count = this.steps.get(id) as number;
      expect(steps.map(({ action }) => action)).toEqual(
        Array.from({ length: count }, (_, index) => `get ${index + 1} log`),
      );
    }
  }

  get taken(): number {
    return [...this.steps.values()].reduce((sum, steps) => sum + steps, 0);
  }

  private async play(id: string): Promise<void> {
    for (let index = 0; !this.isOver; index++) {
      const before = performance.now();
      await this.fleet.send(`/episodes/${id}/step`, { index, action: `get ${index + 1} log` });
      this.slowestMs = Math.max(this.slowestMs, performance.now() - before);
      this.steps.set(id, index + 1);
      await sleep(100);
    }
  }
}

async function shardsOf(node: Node): Promise<number> {
  const { gyms } = (await (await fetch(`${node.url}/v1/fleet`)).json()) as {
    gyms: { isSelf: boolean; shards: [number, number][] }[];
  };
  const own = gyms.find(({ isSelf }) => isSelf)?.shards ?? [];
  return own.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

describe.skipIf(postgresFolder === null)("episodes that are played while gyms come and go", () => {
  test("go on while a gym joins and gets its part of the shards, and no request fails", {
    timeout: 120_000,
  }, async () => {
    const fleet = await Fleet.start(2);
    const players = new Players(fleet);
    await players.begin(24);
    const refused = fleet.refused.length;
    const third = await fleet.startNode();
    await eventually(async () => (await shardsOf(third)) >= 1_300, 30_000);
    fleet.nodes.push(third);
    const before = players.taken;
    await eventually(() => players.taken > before + 100, 30_000);
    expect(fleet.refused.slice(refused)).toEqual([]);
    await players.stop();
  });

  test("go on while every gym is replaced, one after another", { timeout: 180_000 }, async () => {
    const fleet = await Fleet.start(3);
    const players = new Players(fleet);
    await players.begin(24);
    for (let i = 0; i < 3; i++) {
      const [old] = fleet.nodes.splice(0, 1) as [Node];
      expect(await old.process.stop()).toEqual({ code: 0, signal: null });
      fleet.nodes.push(await fleet.startNode());
    }
    expect(fleet.refused).toEqual([]);
    await players.stop();
  });
});
