import { describe, expect, test } from "vitest";
import { planMoves, type ShardUse } from "#palestra/server/fleet/shard-plan.js";
import type { FleetMember } from "#palestra/server/log/records/protocol.js";

const shardCount = 4_096;

function gym(incarnation: number, { isDraining = false, environments = ["textcraft@1"] } = {}): FleetMember {
  const facts = { version: "1", environments, episodes: 0, stepsPerSecond: 0, freeSandboxes: 0 };
  return { incarnation, address: `http://${incarnation}`, isDraining, isStarting: false, ageMs: 0, facts };
}

/** Plans the moves of gym 1. @param owners owner of each shard, in turn */
function plan(
  nodes: readonly FleetMember[],
  owners: (shard: number) => number,
  { pins = new Map<number, number>(), uses = new Map<number, ShardUse>() } = {},
) {
  const all = Array.from({ length: shardCount }, (_, shard) => owners(shard));
  const own = all.flatMap((owner, shard) => (owner === 1 ? [shard] : []));
  return planMoves({ incarnation: 1, nodes, owners: all, pins }, own, uses);
}

const use = (...environments: string[]): ShardUse => ({ environments: new Set(environments), isBound: false });
const allUsed = (made: (shard: number) => ShardUse) =>
  new Map(Array.from({ length: shardCount }, (_, shard) => [shard, made(shard)] as const));

describe("the plan of moves", () => {
  test("a gym that is alone, or owns no more shards than its fair share, gives none away", () => {
    expect(plan([gym(1)], () => 1)).toEqual([]);
    expect(plan([gym(1), gym(2)], (shard) => 1 + (shard % 2))).toEqual([]);
    expect(plan([gym(1), gym(2), gym(3)], (shard) => 1 + (shard % 3))).toEqual([]);
  });

  test("a gym gives the shards above its fair share to the gyms with the fewest", () => {
    const moves = plan([gym(1), gym(2), gym(3)], (shard) => (shard < 1_466 ? 1 : 2));
    expect(moves).toHaveLength(100);
    expect(new Set(moves.map(({ to }) => to))).toEqual(new Set([3]));
    const even = plan([gym(1), gym(2), gym(3)], () => 1);
    const counts = [2, 3].map((to) => even.filter((move) => move.to === to).length);
    expect(Math.abs((counts[0] as number) - (counts[1] as number))).toBeLessThanOrEqual(1);
  });

  test("shards without episodes move first", () => {
    const uses = new Map(Array.from({ length: 2_000 }, (_, shard) => [shard, use("textcraft@1")] as const));
    const moves = plan([gym(1), gym(2)], () => 1, { uses });
    expect(moves.every(({ shard }) => shard >= 2_000)).toBe(true);
  });

  test("a draining gym gives all its shards away and gets none", () => {
    expect(plan([gym(1, { isDraining: true }), gym(2)], (shard) => (shard === 7 ? 1 : 2))).toEqual([
      { shard: 7, to: 2 },
    ]);
    expect(plan([gym(1), gym(2, { isDraining: true })], () => 1)).toEqual([]);
    const nodes = [gym(1), gym(2, { isDraining: true }), gym(3)];
    expect(plan(nodes, () => 1).every(({ to }) => to === 3)).toBe(true);
  });

  test("a shard moves only to a gym that has the environments of its episodes", () => {
    const uses = allUsed((shard) => use(shard % 2 ? "maze@1" : "textcraft@1"));
    const nodes = [gym(1, { isDraining: true }), gym(2), gym(3, { environments: ["textcraft@1", "maze@1"] })];
    const moves = plan(nodes, () => 1, { uses });
    expect(moves.length).toBeGreaterThan(0);
    expect(moves.filter(({ shard }) => shard % 2).every(({ to }) => to === 3)).toBe(true);
    expect(plan([gym(1, { isDraining: true }), gym(2)], () => 1, { uses: allUsed(() => use("maze@2")) })).toEqual([]);
  });

  test("a shard whose episodes would be lost stays", () => {
    const uses = allUsed(() => ({ environments: new Set<string>(), isBound: true }));
    expect(plan([gym(1, { isDraining: true }), gym(2)], () => 1, { uses })).toEqual([]);
  });

  test("a pinned shard moves to its gym and stays there, and a pin to a dead gym has no effect", () => {
    const half = (shard: number) => 1 + (shard % 2);
    expect(
      plan([gym(1), gym(2)], half, {
        pins: new Map([
          [4, 2],
          [6, 9],
        ]),
      }),
    ).toEqual([{ shard: 4, to: 2 }]);
    const pins = new Map(Array.from({ length: shardCount }, (_, shard) => [shard, 1]));
    expect(plan([gym(1), gym(2)], () => 1, { pins })).toEqual([]);
  });
});
