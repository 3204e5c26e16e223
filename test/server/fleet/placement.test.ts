import { describe, expect, test } from "vitest";
import { GymError } from "#palestra/server/errors.js";
import type { FleetOwnership } from "#palestra/server/fleet/fleet-ownership.js";
import { type Place, Placement } from "#palestra/server/fleet/placement.js";
import type { FleetMember, GymFacts } from "#palestra/server/log/records/protocol.js";

type Member = Partial<GymFacts> & { isDraining?: boolean; isSilent?: boolean };

/** A gym that plays the environments `boxed`, which needs a sandbox, and `plain`. */
function memberOf(name: string, { isDraining = false, isSilent = false, ...facts }: Member): FleetMember {
  const usual = { environments: ["boxed@1", "plain@2"], episodes: 0, freeSandboxes: 0 };
  return { address: name, isDraining, facts: isSilent ? null : { ...usual, ...facts } } as unknown as FleetMember;
}

/** Returns the gyms at which the gym `here` tries to open an episode, the best first. */
function order(here: Member, others: Readonly<Record<string, Member>>, environment = "boxed", shards = [0]): string[] {
  const members = {
    self: memberOf("here", here),
    others: Object.entries(others).map(([name, facts]) => memberOf(name, facts)),
  };
  const holdsSandbox = (name: string) => name.startsWith("boxed");
  // The random choice takes the gyms in the order of their names.
  let drawn = 0;
  const placement = new Placement(
    { members, shards } as unknown as FleetOwnership,
    holdsSandbox,
    () => drawn++ / 1_000,
  );
  return placement.order([environment]).map((place: Place) => (place === "here" ? place : place.address));
}

describe("a gym without a free sandbox", () => {
  test.each([
    ["none has a free one", { a: {}, b: {} }, ["here", "a", "b"]],
    ["one has a free one", { a: {}, b: { freeSandboxes: 1 } }, ["b", "here", "a"]],
    ["all have free ones", { a: { freeSandboxes: 1 }, b: { freeSandboxes: 9 } }, ["a", "b", "here"]],
    ["the one with a free one drains", { a: { freeSandboxes: 1, isDraining: true }, b: {} }, ["here", "b"]],
    ["the one with a free one lacks the environment", { a: { freeSandboxes: 1, environments: ["plain@2"] } }, ["here"]],
    ["the one with a free one has another version", { a: { freeSandboxes: 1, environments: ["boxed@2"] } }, ["here"]],
    ["no other has described itself", { a: { isSilent: true } }, ["here"]],
  ])("tries the gyms in the expected order, case %#: %s", (_case, others, expected) => {
    expect(order({}, others, "boxed@1")).toEqual(expected);
  });

  test("opens an episode that needs no sandbox", () => {
    expect(order({}, { a: { freeSandboxes: 9 } }, "plain")).toEqual(["here", "a"]);
  });
});

test("a gym with a free sandbox opens the episode itself, even if others have more", () => {
  expect(order({ freeSandboxes: 1 }, { a: { freeSandboxes: 9 } })).toEqual(["here", "a"]);
});

test.each([
  [{ isDraining: true }, [0]],
  [{ environments: ["plain@2"] }, [0]],
  [{}, []],
])("a gym that drains, lacks the environment or has no shard tries itself last: %j, shards %j", (here, shards) => {
  expect(order({ freeSandboxes: 9, ...here }, { a: {}, b: {} }, "boxed", shards)).toEqual(["a", "b", "here"]);
});

test("a gym that has not described itself tries itself first", () => {
  expect(order({ isSilent: true }, { a: { freeSandboxes: 9 } })).toEqual(["here", "a"]);
});

test("a gym tries another first only if it has 1.5 times as many episodes as the other, and 32 more", () => {
  const others = { a: { episodes: 100 }, b: { episodes: 40 } };
  expect(order({ episodes: 92 }, others, "plain")).toEqual(["here", "b", "a"]);
  expect(order({ episodes: 93 }, others, "plain")).toEqual(["b", "here", "a"]);
  expect(order({ episodes: 183 }, others, "plain")).toEqual(["b", "a", "here"]);
});

test("a gym compares itself with two random others", () => {
  expect(order({}, { a: {}, b: {}, c: {}, d: {} }, "plain")).toEqual(["here", "a", "b"]);
});

test("another gym is asked after an error that it may not have, and not after others", () => {
  const placement = new Placement({} as FleetOwnership, () => false);
  expect(placement.isWorthAnother(GymError.ofState("SANDBOX_MISSING", "No Docker."))).toBe(true);
  expect(placement.isWorthAnother(GymError.ofState("TASK_OUT_OF_RANGE", "No such task."))).toBe(false);
  expect(placement.isWorthAnother(new Error("SANDBOX_MISSING"))).toBe(false);
});
