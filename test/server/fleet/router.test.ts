/** Operations that have no episode yet, or are about an environment: the gyms that a gym asks for them. */
import { describe, expect, test } from "vitest";
import { usualTimes } from "#palestra/server/config/times.js";
import { type Client, lasting } from "#palestra/server/episodes/episode/client.js";
import { elsewhere } from "#palestra/server/episodes/episode/refusals.js";
import { GymError } from "#palestra/server/errors.js";
import type { FleetOwnership } from "#palestra/server/fleet/fleet-ownership.js";
import { Owners } from "#palestra/server/fleet/owners.js";
import { PeerLost } from "#palestra/server/fleet/peer-errors.js";
import type { Peers } from "#palestra/server/fleet/peers.js";
import { Placement } from "#palestra/server/fleet/placement.js";
import { FleetRouter } from "#palestra/server/fleet/router.js";
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import type { FleetMember } from "#palestra/server/log/records/protocol.js";
import type { Call, Operation } from "#palestra/server/operations/operation.js";
import { operations } from "#palestra/server/operations/operations.js";

const facts = { environments: ["textcraft@1"], episodes: 0, freeSandboxes: 0 };
const memberOf = (incarnation: number, more: object = {}) =>
  ({ incarnation, address: `gym ${incarnation}`, isDraining: false, facts, ...more }) as unknown as FleetMember;

/**
 * Runs an operation at a gym that lacks the environment, beside two that have it. Each attempt has one of the outcomes, and
 * the last one is for all further attempts.
 */
async function run(name: keyof typeof operations, params: object, outcomes: readonly unknown[], client = lasting) {
  const asked: string[] = [];
  const sent: { params: object; client: Client | undefined }[] = [];
  const left = [...outcomes];
  const peers = {
    keep() {},
    async call({ address }: FleetMember, operation: string, { client }: { client?: Client }, params: object) {
      asked.push(`${operation} at ${address}`);
      sent.push({ params, client });
      const outcome = left.length > 1 ? left.shift() : left[0];
      if (outcome instanceof Error) throw outcome;
      return outcome as string;
    },
  } as unknown as Peers;
  const ownership = {
    members: { self: memberOf(1, { facts: { ...facts, environments: [] } }), others: [memberOf(2), memberOf(3)] },
    shards: [0],
    expectLog() {},
    ownerOf: () => memberOf(3),
  } as unknown as FleetOwnership;
  let drawn = 0;
  const placement = new Placement(
    ownership,
    () => false,
    () => (drawn++ % 2) / 2,
  );
  const owners = new Owners(ownership, usualTimes.fleet.giveUpMs);
  let forwarded = 0;
  const onForward = () => {
    forwarded += 1;
  };
  const router = new FleetRouter({ ownership, owners, peers, placement, onForward, operations });
  const gym = { registry: { has: () => false } };
  const call = { gym, caller: { owner: "ada" }, client } as unknown as Call;
  const operation: Operation = operations[name];
  const reply = await router.run(name, operation, call, params).catch((error: unknown) => error);
  expect(forwarded).toBe(asked.length);
  return { reply, asked, sent };
}

const lost = new PeerLost("the connection ended", true);
const unsent = new PeerLost("connect ECONNREFUSED", false);
const draining = GymError.ofState("EPISODE_ELSEWHERE", "The server is shutting down.");
const full = GymError.ofState("LIMIT_EPISODES", "The gym has as many episodes as it may have.");
const invalid = GymError.ofState("TASK_OUT_OF_RANGE", "There is no such task.");
const one = { environment: "textcraft" };
const many = { episodes: [one, one] };

describe("a request for new episodes", () => {
  test.each([
    ["could not be reached", "create", one, unsent],
    ["could not be reached", "createMany", many, unsent],
    ["is about to end", "create", one, draining],
    ["has no room", "create", one, full],
    ["was lost after it got a request with an idempotency key", "create", { ...one, idempotencyKey: "a" }, lost],
    ["was lost after it got a request with an idempotency key", "createMany", { ...many, idempotencyKey: "a" }, lost],
  ] as const)("asks the next gym if one %s: %s %j", async (_case, name, params, error) => {
    const { reply, asked } = await run(name, params, [error, "opened"]);
    expect([reply, asked]).toEqual(["opened", [`${name} at gym 2`, `${name} at gym 3`]]);
  });

  test.each([
    ["create", one],
    ["createMany", many],
  ] as const)("without an idempotency key is not sent again after its gym was lost: %s", async (name, params) => {
    const { reply, asked } = await run(name, params, [lost, "opened"]);
    expect(reply).toMatchObject({ code: "EPISODE_ELSEWHERE", details: { mayBeTaken: true } });
    expect(asked).toEqual([`${name} at gym 2`]);
  });

  test("ends with an error that every gym has", async () => {
    const { reply, asked } = await run("create", one, [invalid, "opened"]);
    expect([reply, asked]).toEqual([invalid, ["create at gym 2"]]);
  });

  test("gets the episode that another gym has opened for the same idempotency key", async () => {
    const opened = elsewhere(createEpisodeId(5));
    const { reply, asked } = await run("create", { ...one, idempotencyKey: "a" }, [opened, "its state"]);
    expect([reply, asked]).toEqual(["its state", ["create at gym 2", "get at gym 3"]]);
  });

  test("gets the episodes of a batch that another gym has opened before", async () => {
    const id = createEpisodeId(5);
    const results = [{ episodeId: "new" }, { error: elsewhere(id).toBody() }];
    const { reply, asked } = await run("createMany", many, [JSON.stringify({ results }), `{"episodeId":"${id}"}`]);
    expect(JSON.parse(reply as string)).toEqual({ results: [{ episodeId: "new" }, { episodeId: id }] });
    expect(asked).toEqual(["createMany at gym 2", "get at gym 3"]);
  });
});

test.each([
  ["is about to end", draining],
  ["could not be reached", unsent],
  ["was lost", lost],
])("answers are scored by the next gym if one %s", async (_case, error) => {
  const { reply, asked } = await run("score", one, [error, "scored"]);
  expect([reply, asked]).toEqual(["scored", ["score at gym 2", "score at gym 3"]]);
});

describe("a call that waits for a seat's turn", () => {
  const episodeId = createEpisodeId(5);
  const seat = { episodeId, seat: "left" };
  const client: Client = { isGone: false, onGone: () => () => {} };

  test.each([
    ["seat", { ...seat, waitMs: 30_000 }],
    ["seatStep", { ...seat, index: 0, action: "accept", waitMs: 30_000 }],
  ] as const)("waits for the rest of its time at the next gym if one was lost: %s", async (name, params) => {
    const { reply, asked, sent } = await run(name, params, [lost, "view"], client);
    expect([reply, asked]).toEqual(["view", [`${name} at gym 3`, `${name} at gym 3`]]);
    const [first, second] = sent.map((each) => (each.params as { waitMs: number }).waitMs) as [number, number];
    expect(first).toBeLessThanOrEqual(30_000);
    expect(second).toBeLessThan(first);
    expect(second).toBeGreaterThan(0);
    expect(sent.map((each) => ({ ...each.params, waitMs: 0 }))).toEqual([1, 2].map(() => ({ ...params, waitMs: 0 })));
  });

  test("ends with its client at the other gym, and a call that does not wait goes on without it", async () => {
    const waiting = await run("seat", { ...seat, waitMs: 30_000 }, ["view"], client);
    expect(waiting.sent.map((each) => each.client)).toEqual([client]);
    const step = { ...seat, index: 0, action: "accept", waitMs: 0 };
    const taken = await run("seatStep", step, ["view"], client);
    expect(taken.sent).toEqual([{ params: step, client: lasting }]);
  });
});
