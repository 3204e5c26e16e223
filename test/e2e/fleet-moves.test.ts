/** Episodes that move between the gyms of a fleet while they are played: a gym joins, gyms are replaced, versions differ. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { Fleet, type Node } from "../support/fleet.js";
import { eventually } from "../support/gym.js";
import { postgresFolder } from "../support/postgres.js";

const random = new MersenneTwister(27);

interface Transcript {
  steps: { index: number; action: string }[];
}

/** Plays episodes without a pause, through random gyms of the fleet, until `stop`. */
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

  /** Stops the play, and compares every transcript with the answered steps. */
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
  const { gyms } = (await (await fetch(`${node.url}/v1/fleet`)).json()) as FleetReply;
  const own = gyms.find(({ isSelf }) => isSelf)?.shards ?? [];
  return own.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

describe.skipIf(postgresFolder === null)("episodes that are played while gyms join and leave", () => {
  test("continue while a gym joins and gets its share of the shards, and no request fails", {
    timeout: 240_000,
  }, async () => {
    const fleet = await Fleet.start(2);
    const players = new Players(fleet);
    await players.begin(24);
    const refused = fleet.refused.length;
    const third = await fleet.startNode();
    await eventually(async () => (await shardsOf(third)) >= 1_300);
    fleet.nodes.push(third);
    const before = players.taken;
    await eventually(() => players.taken > before + 100);
    expect(fleet.refused.slice(refused)).toEqual([]);
    await players.stop();
  });

  test("continue while every gym is replaced, one after another", async () => {
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

  test("move when an operator moves an episode or drains a gym", async () => {
    const fleet = await Fleet.start(2);
    const players = new Players(fleet);
    await players.begin(8);
    const [first, second] = fleet.nodes as [Node, Node];
    for (const [i, id] of players.episodes.entries()) {
      const target = i % 2 === 0 ? first : second;
      expect(await fleet.palestra("fleet", "move", id, target.url)).toMatch(/ has shard [0-9]+, and keeps it\.\n/);
      expect(await ownerOf(fleet, id)).toBe(target.url);
    }
    expect(await fleet.palestra("fleet", "drain", first.url)).toBe(
      `${first.url} has no episodes. It can be stopped.\n`,
    );
    const { gyms } = JSON.parse(await fleet.palestra("fleet", "status", "--json")) as {
      gyms: { address: string; shards: number[]; isDraining: boolean }[];
    };
    const drained = gyms.map(({ address, shards, isDraining }) => [address, shards.length, isDraining]);
    expect(drained).toEqual([
      [first.url, 0, true],
      [second.url, 4_096, false],
    ]);
    await fleet.palestra("fleet", "drain", first.url, "--undo");
    await eventually(async () => (await shardsOf(first)) === 2_048);
    expect(fleet.refused).toEqual([]);
    await players.stop();
  });

  test("stay on a gym that has their version of the environment", async () => {
    const module = (version: number) =>
      fileURLToPath(new URL(`../fixtures/environments/versioned-${version}.mjs`, import.meta.url));
    const fleet = await Fleet.start(0);
    const old = await fleet.startNode(undefined, [module(1)]);
    const [newer, newest] = [
      await fleet.startNode(undefined, [module(2)]),
      await fleet.startNode(undefined, [module(2)]),
    ];
    fleet.nodes.push(old, newer, newest);
    await eventually(async () => (await describedGyms(old)) === 3);
    const open = async (version: number) => {
      const request = { environment: `versioned@${version}`, task: { index: 0 } };
      return (await fleet.send("/episodes", request, { "idempotency-key": `${version} ${random.random()}` }))
        .episodeId as string;
    };
    const step = async (id: string, index: number, action = "on") =>
      ((await fleet.send(`/episodes/${id}/step`, { index, action })) as { observation: string }).observation;
    const olds = await Promise.all(Array.from({ length: 6 }, () => open(1)));
    const news = await Promise.all(Array.from({ length: 6 }, () => open(2)));
    expect(await Promise.all(olds.map((id) => step(id, 0)))).toEqual(olds.map(() => "version 1, step 1"));
    expect(await Promise.all(news.map((id) => step(id, 0)))).toEqual(news.map(() => "version 2, step 1"));
    const exported = await fleet.sendOnce(newest.url, `/episodes/${olds[0]}/export?format=json`);
    expect(exported, "by a gym without the version").toMatchObject({
      status: 200,
      reply: { steps: [{ observation: "version 1, step 1" }] },
    });
    const draining = fleet.palestra("fleet", "drain", old.url);
    // The gym keeps the shards of the episodes that no other gym can play.
    await eventually(async () => (await shardsOf(old)) <= olds.length);
    expect(await Promise.all(olds.map((id) => step(id, 1)))).toEqual(olds.map(() => "version 1, step 2"));
    await Promise.all(olds.map((id) => step(id, 2, "end")));
    expect(await draining).toBe(`${old.url} has no episodes. It can be stopped.\n`);
    expect(await Promise.all(news.map((id) => step(id, 1)))).toEqual(news.map(() => "version 2, step 2"));
    expect(fleet.refused).toEqual([]);
  });
});

interface FleetReply {
  gyms: { isSelf: boolean; address: string; environments: string[]; shards: [number, number][] }[];
}

async function describedGyms({ url }: Node): Promise<number> {
  const { gyms } = (await (await fetch(`${url}/v1/fleet`)).json()) as FleetReply;
  return gyms.filter(({ environments }) => environments.length > 0).length;
}

/** Returns the URL of the gym that owns an episode, by the reply of a random gym. */
async function ownerOf(fleet: Fleet, id: string): Promise<string | undefined> {
  const shard = Number(/^ep-([0-9]+)-/.exec(id)?.[1]) % 4_096;
  const { gyms } = (await fleet.send("/fleet")) as unknown as FleetReply;
  return gyms.find(({ shards }) => shards.some(([first, last]) => first <= shard && shard <= last))?.address;
}
