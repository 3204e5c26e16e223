/** Requests that look for the gym of their episode or session. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { usualTimes } from "#palestra/server/config/times.js";
import { elsewhere } from "#palestra/server/episodes/episode/refusals.js";
import { GymError } from "#palestra/server/errors.js";
import type { FleetOwnership } from "#palestra/server/fleet/fleet-ownership.js";
import { type Errand, Owners } from "#palestra/server/fleet/owners.js";
import { PeerLost } from "#palestra/server/fleet/peer-errors.js";
import { StepOrder } from "#palestra/server/fleet/step-order.js";
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import type { FleetMember } from "#palestra/server/log/records/protocol.js";

const other = { incarnation: 2, address: "http://127.0.0.1:2" } as FleetMember;
const third = { incarnation: 3, address: "http://127.0.0.1:3" } as FleetMember;

/** The fleet of a test, as one gym sees it. Keys that it does not name are of this gym. */
class Fleet {
  readonly owners = new Map<number, FleetMember | null>();
  shards = [0];
  anyKey: number | null = null;
  expectLog = () => {};
  /** Gyms that were asked, and the keys for which. */
  readonly asked: [gym: string, key: number | null][] = [];

  ownerOf(key: number): FleetMember | "here" | null {
    const owner = this.owners.get(key);
    return owner === undefined ? "here" : owner;
  }

  /** Runs an errand whose attempts have these outcomes: errors, and then a reply. */
  run(outcomes: readonly unknown[], errand: Partial<Errand<unknown>> & Pick<Errand<unknown>, "key">) {
    const left = [...outcomes];
    const attempt = async (gym: string, key: number | null) => {
      this.asked.push([gym, key]);
      const outcome = left.length > 1 ? left.shift() : left[0];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    const owners = new Owners(this as unknown as FleetOwnership, usualTimes.fleet.giveUpMs);
    return owners.at({
      mayRepeat: true,
      here: (key) => attempt("here", key),
      there: ({ address }, key) => attempt(address, key),
      ...errand,
    });
  }
}

const unsent = new PeerLost("connect ECONNREFUSED", false);
const lost = new PeerLost("the connection ended", true);
const refused = elsewhere("ep-5-0123456789abcdef0123");
const taken = GymError.ofState("EPISODE_ELSEWHERE", "The gym has lost its episodes.", { mayBeTaken: true });
const unreachable = {
  code: "EPISODE_ELSEWHERE",
  message: expect.stringMatching(/^No gym of the fleet could carry out/),
};
const interrupted = {
  code: "EPISODE_ELSEWHERE",
  message: expect.stringMatching(/may have been carried out/),
  details: { mayBeTaken: true },
};

describe("a request for an episode", () => {
  test.each([
    ["this gym has it", undefined, "here"],
    ["another gym has it", other, other.address],
  ])("is carried out once where %s", async (_case, owner, expected) => {
    const fleet = new Fleet();
    if (owner) fleet.owners.set(5, owner);
    expect(await fleet.run(["done"], { key: 5 })).toBe("done");
    expect(fleet.asked).toEqual([[expected, 5]]);
  });

  test("waits until a gym has the episode", async () => {
    const fleet = new Fleet();
    fleet.owners.set(5, null);
    const done = fleet.run(["done"], { key: 5 });
    setTimeout(() => fleet.owners.set(5, third), 50);
    expect(await done).toBe("done");
    expect(fleet.asked).toEqual([[third.address, 5]]);
  });

  const failures = {
    "could not be reached": unsent,
    "was lost after it got the request": lost,
    "has refused it": refused,
    "has lost its episodes meanwhile": taken,
  };
  test.each([
    ["could not be reached", true, 2],
    ["could not be reached", false, 2],
    ["was lost after it got the request", true, 2],
    ["was lost after it got the request", false, 1],
    ["has refused it", true, 2],
    ["has refused it", false, 2],
    ["has lost its episodes meanwhile", true, 2],
    ["has lost its episodes meanwhile", false, 1],
  ] as const)("whose gym %s, and that may be repeated: %s, is sent %i times", async (failure, mayRepeat, times) => {
    const error = failures[failure];
    const fleet = new Fleet();
    fleet.owners.set(5, other);
    const done = fleet.run([error, "done"], { key: 5, mayRepeat });
    if (times === 1) await expect(done).rejects.toMatchObject(interrupted);
    else expect(await done).toBe("done");
    expect(fleet.asked).toHaveLength(times);
  });

  test("ends with any other error at once", async () => {
    const fleet = new Fleet();
    const error = GymError.ofState("EPISODE_CLOSED", "The episode was deleted.");
    await expect(fleet.run([error, "done"], { key: 5 })).rejects.toBe(error);
    expect(fleet.asked).toHaveLength(1);
  });

  test("does not wait for a gym when this gym is about to end", async () => {
    const fleet = new Fleet();
    fleet.owners.set(5, null);
    const failed = new Error("the log has failed");
    fleet.expectLog = () => {
      throw failed;
    };
    await expect(fleet.run(["done"], { key: 5 })).rejects.toBe(failed);
    expect(fleet.asked).toEqual([]);
  });

  test("is not begun after its client has gone while no gym had the episode", async () => {
    const fleet = new Fleet();
    fleet.owners.set(5, null);
    const client = { isGone: false };
    const waiting = fleet.run(["done"], { key: 5, client });
    client.isGone = true;
    fleet.owners.delete(5);
    await expect(waiting).rejects.toMatchObject({ code: "CALLER_GONE" });
    expect(fleet.asked).toEqual([]);
  });
});

describe("a request for a session", () => {
  test("follows the episode that a refusal names, and a second refusal leads back to the session", async () => {
    const fleet = new Fleet();
    const episode = elsewhere(createEpisodeId(7));
    fleet.owners.set(5, other);
    fleet.owners.set(7, third);
    expect(await fleet.run([episode, episode, "done"], { key: 5 })).toBe("done");
    expect(fleet.asked).toEqual([
      [other.address, 5],
      [third.address, 7],
      [other.address, 5],
    ]);
  });

  test("that is new goes to another gym if this gym has no shard", async () => {
    const fleet = new Fleet();
    expect(await fleet.run(["done"], { key: null })).toBe("done");
    Object.assign(fleet, { shards: [], anyKey: 9 });
    fleet.owners.set(9, other);
    expect(await fleet.run(["done"], { key: null })).toBe("done");
    expect(fleet.asked).toEqual([
      ["here", null],
      [other.address, 9],
    ]);
  });
});

describe("a step that was sent ahead", () => {
  const early = GymError.ofState("STEP_INDEX", "expected the index 0, but received 1");

  test("is sent again after the steps before it, if it came to the gym before them", async () => {
    const fleet = new Fleet();
    const order = new StepOrder();
    const [first, second] = [order.enter(5), order.enter(5)];
    const waits = vi.spyOn(second, "wait");
    const done = fleet.run([early, "done"], { key: 5, turn: second });
    await expect.poll(() => waits).toHaveBeenCalled();
    expect(fleet.asked).toHaveLength(1);
    order.leave(5, first, false);
    expect(await done).toBe("done");
  });

  test("is lost with the steps before it", async () => {
    const fleet = new Fleet();
    const order = new StepOrder();
    const [first, second] = [order.enter(5), order.enter(5)];
    const waits = vi.spyOn(second, "wait");
    const done = fleet.run([early, "done"], { key: 5, turn: second });
    await expect.poll(() => waits).toHaveBeenCalled();
    order.leave(5, first, true);
    await expect(done).rejects.toMatchObject(unreachable);
    expect(fleet.asked).toHaveLength(1);
  });

  test("is refused for its index if no step is before it", async () => {
    const fleet = new Fleet();
    await expect(fleet.run([early, "done"], { key: 5, turn: new StepOrder().enter(5) })).rejects.toBe(early);
  });
});

describe("the deadline", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("ends a request that no gym has carried out", async () => {
    const fleet = new Fleet();
    let looks = 0;
    fleet.ownerOf = () => {
      looks += 1;
      vi.advanceTimersByTime(5_000);
      return null;
    };
    await expect(fleet.run(["done"], { key: 5 })).rejects.toMatchObject(unreachable);
    expect([looks, fleet.asked]).toEqual([5, []]);
  });

  test("does not count the time in which a gym carried the request out before it was lost", async () => {
    const fleet = new Fleet();
    fleet.owners.set(5, other);
    let attempts = 0;
    const there = async () => {
      attempts += 1;
      if (attempts > 1) return "done";
      vi.advanceTimersByTime(3_600_000);
      throw lost;
    };
    expect(await fleet.run([], { key: 5, there })).toBe("done");
  });
});
