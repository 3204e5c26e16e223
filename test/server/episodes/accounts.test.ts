/** Counts of steps per day, under a clock that the test sets, and the share of each caller. */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EnvironmentFacts } from "#palestra/envs/env.js";
import { usualTimes } from "#palestra/server/config/times.js";
import type { Account } from "#palestra/server/episodes/quotas/account.js";
import { Accounts, type AccountsOptions } from "#palestra/server/episodes/quotas/accounts.js";
import { Places } from "#palestra/server/episodes/quotas/places.js";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { eventually, scratchDir } from "../../support/gym.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const noon = Date.parse("2030-05-05T12:00:00Z");

function open(options: Partial<AccountsOptions> = {}) {
  const clock = { now: noon };
  const accounts = new Accounts({
    maxEpisodes: 100,
    maxInFlightSteps: 100,
    quotasOf: (owner) => ({ own: { kind: "token", name: owner, quota: { maxStepsPerDay: 2 } }, group: null }),
    usage: null,
    onRefusal() {},
    yieldOne: () => false,
    now: () => clock.now,
    times: usualTimes.fleet,
    ...options,
  });
  const passTo = (now: number) => {
    clock.now = now;
    accounts.refresh();
  };
  return { accounts, passTo };
}

/** Takes steps until one is refused, and returns their number, which is at most 100. */
function takeAll(account: Account): number {
  let taken = 0;
  for (; taken < 100 && account.stepRefusal() === null; taken++) {
    account.stepBegun();
    account.stepLogged();
  }
  return taken;
}

describe("the steps of a day", () => {
  test("are counted from zero again at midnight in UTC", () => {
    const { accounts, passTo } = open();
    const account = accounts.of("ada");
    expect(takeAll(account)).toBe(2);
    expect(account.stepRefusal()?.details).toMatchObject({ freesAt: "2030-05-06T00:00:00.000Z" });
    passTo(noon + 12 * hourMs - 1);
    expect(takeAll(account)).toBe(0);
    passTo(noon + 12 * hourMs);
    expect(takeAll(account)).toBe(2);
    expect(accounts.usage).toEqual({ day: "2030-05-06", callers: { ada: 2 }, groups: {} });
  });

  test("stay counted when the clock is set back over midnight", () => {
    const { accounts, passTo } = open();
    const account = accounts.of("ada");
    passTo(noon + 12 * hourMs);
    expect(takeAll(account)).toBe(2);
    passTo(noon + 12 * hourMs - 1);
    expect(takeAll(account)).toBe(0);
    passTo(noon + 12 * hourMs + 1);
    expect(takeAll(account)).toBe(0);
  });

  test("are counted again after a clock that was years ahead is corrected", () => {
    const { accounts, passTo } = open();
    const account = accounts.of("ada");
    passTo(noon + 4_000 * dayMs);
    takeAll(account);
    passTo(noon);
    expect(takeAll(account)).toBe(2);
    expect(account.stepRefusal()?.details).toMatchObject({ freesAt: "2030-05-06T00:00:00.000Z" });
  });

  test("include steps in flight, until these are dropped", () => {
    const account = open().accounts.of("ada");
    account.stepBegun();
    account.stepBegun();
    expect(account.stepRefusal()).toMatchObject({ code: "LIMIT_TOKEN_STEPS", details: { limit: 2, used: 2 } });
    account.stepsDropped(2);
    expect(takeAll(account)).toBe(2);
  });

  test("start at the stored usage of the same day, also for callers who have not called yet", () => {
    const usage = { day: "2030-05-05", callers: { ada: 1, bob: 2 }, groups: { "lab-a": 7 } };
    const { accounts } = open({ usage });
    expect(takeAll(accounts.of("ada"))).toBe(1);
    expect(accounts.usage).toEqual({ ...usage, callers: { ada: 2, bob: 2 } });
    const old = open({ usage: { ...usage, day: "2030-05-04" } }).accounts;
    expect(takeAll(old.of("ada"))).toBe(2);
    expect(old.usage).toEqual({ day: "2030-05-05", callers: { ada: 2 }, groups: {} });
  });
});

describe("a group that is unknown at the first call of its token", () => {
  const spec = { requirements: [] } as unknown as EnvironmentFacts;
  const group = { kind: "group", name: "lab-a", quota: { maxEpisodes: 2, maxStepsPerDay: 3 } } as const;

  function openWithoutGroup() {
    const known: { group: typeof group | null } = { group: null };
    const { accounts } = open({ quotasOf: (name) => ({ own: { kind: "token", name, quota: {} }, ...known }) });
    const account = accounts.of("ada");
    const learnGroup = () => {
      known.group = group;
      accounts.refresh();
    };
    return { accounts, account, learnGroup };
  }

  test("limits the token once a missing `tokens.json` has appeared", async () => {
    const dataDir = scratchDir();
    const file = join(dataDir, "tokens.json");
    const editor = new TokenStore(dataDir);
    editor.setGroup({ name: "lab-a", maxStepsPerDay: 3 });
    const { token } = editor.create({ name: "ada", rights: [], maxEpisodes: 5, group: "lab-a" });
    renameSync(file, `${file}.away`);
    const store = new TokenStore(dataDir);
    const { accounts } = open({ quotasOf: (owner) => store.quotasOf(owner) });
    const account = accounts.of(token.id);
    expect(() => account.admit(spec)).toThrow("The token has reached its limit of 0 live episodes");
    renameSync(`${file}.away`, file);
    await eventually(async () => {
      accounts.refresh();
      return store.findById(token.id) !== undefined;
    });
    account.admit(spec);
    expect(takeAll(account)).toBe(3);
    expect(account.stepRefusal()).toMatchObject({ code: "LIMIT_TOKEN_STEPS", details: { limit: 3, of: "group" } });
  });

  test("limits other tokens of the group together with this one", () => {
    const { accounts, account, learnGroup } = openWithoutGroup();
    learnGroup();
    expect(takeAll(account)).toBe(3);
    expect(accounts.of("bob").stepRefusal()).toMatchObject({ code: "LIMIT_TOKEN_STEPS", details: { of: "group" } });
    expect(accounts.usage.groups).toEqual({ "lab-a": 3 });
  });

  test("counts episodes and steps in progress until they end", () => {
    const { accounts, account, learnGroup } = openWithoutGroup();
    account.admit(spec);
    account.stepBegun();
    learnGroup();
    accounts.of("bob").admit(spec);
    expect(() => account.admit(spec)).toThrow("The group lab-a has reached its limit of 2 live episodes (2 in use)");
    account.release(spec);
    account.stepsDropped(1);
    account.admit(spec);
    expect(takeAll(account)).toBe(3);
  });
});

describe("places", () => {
  /** Lets callers take places in turns until all are refused, and returns the number of places of each. */
  function share(count: number, callers: number): number[] {
    const places = new Places(count);
    const held = new Array<number>(callers).fill(0);
    for (let isFull = false; !isFull; ) {
      isFull = true;
      for (let i = 0; i < callers; i++) {
        if (!places.hasRoom(held[i] as number)) continue;
        held[i] = (held[i] as number) + 1;
        places.taken += 1;
        isFull = false;
      }
    }
    return held;
  }

  test.each([
    [1, 1, [1]],
    [2, 1, [1]],
    [100, 1, [50]],
    [100, 2, [34, 33]],
    [100, 4, [20, 20, 20, 20]],
  ])("%d are shared by %d busy callers as %j", (count, callers, expected) => {
    expect(share(count, callers)).toEqual(expected);
  });

  test.each([1, 2, 5, 9])("have room for one more caller beside %d busy callers", (callers) => {
    const places = new Places(100);
    places.taken = share(100, callers).reduce((sum, each) => sum + each, 0);
    expect(places.hasRoom(0)).toBe(true);
  });

  test("are given to a large request at once, if they are free", () => {
    const places = new Places(100);
    expect([places.hasRoom(0, 100), places.hasRoom(0, 101)]).toEqual([true, false]);
    places.taken = 60;
    expect([places.hasRoom(60, 1), places.hasRoom(0, 40), places.hasRoom(0, 41)]).toEqual([false, true, false]);
  });
});

describe("the use of other gyms", () => {
  const spec = { requirements: [{ isSandbox: true }] } as unknown as EnvironmentFacts;
  const group = { kind: "group", name: "lab-a", quota: { maxEpisodes: 6, maxStepsPerDay: 9 } } as const;
  const quota = { maxEpisodes: 4, maxSandboxEpisodes: 3, maxStepsPerDay: 5 };

  function openShared() {
    const opened = open({ quotasOf: (name) => ({ own: { kind: "token", name, quota }, group }) });
    const useOf = (day: string, callers: object, groups: object, isLive = true) => ({
      isLive,
      day,
      counts: JSON.stringify({ callers, groups }),
    });
    return { ...opened, useOf };
  }

  test("counts for the token and its group, even if the token makes its first call later", () => {
    const { accounts, useOf } = openShared();
    const ada = accounts.of("ada");
    ada.admit(spec);
    accounts.learn([
      useOf("2030-05-05", { ada: [1, 1, 2], bob: [2, 0, 1] }, { "lab-a": [3, 1, 3] }),
      useOf("2030-05-05", { ada: [1, 1, 1] }, { "lab-a": [1, 1, 1] }),
    ]);
    expect(ada.own.use).toEqual({
      episodes: { used: 3, limit: 4 },
      sandboxEpisodes: { used: 3, limit: 3 },
      stepsToday: { used: 3, limit: 5 },
    });
    expect(() => ada.admit(spec)).toThrow("3 live episodes that hold a sandbox (3 in use)");
    expect(takeAll(ada)).toBe(2);
    const bob = accounts.of("bob");
    expect(bob.own.use.episodes.used).toBe(2);
    bob.admit(spec);
    expect(() => bob.admit(spec)).toThrow("The group lab-a has reached its limit of 6 live episodes (6 in use)");
  });

  test("counts live episodes of live gyms, and today's steps of live and ended gyms", () => {
    const { accounts, passTo, useOf } = openShared();
    const ada = accounts.of("ada");
    accounts.learn([useOf("2030-05-05", { ada: [2, 0, 2] }, {}, false), useOf("2030-05-04", { ada: [1, 0, 4] }, {})]);
    expect(ada.own.use).toMatchObject({ episodes: { used: 1 }, stepsToday: { used: 2 } });
    passTo(noon + dayMs);
    expect(ada.own.use).toMatchObject({ episodes: { used: 1 }, stepsToday: { used: 0 } });
    accounts.learn([]);
    expect(ada.own.use.episodes.used).toBe(0);
  });

  test("is published without callers who have no token, and without the episodes of a gym that ends", () => {
    const own = { kind: "local", name: "local", quota: {} } as const;
    const { accounts } = open({
      quotasOf: (name) => (name === "local" ? { own, group: null } : { own: { kind: "token", name, quota }, group }),
    });
    for (const owner of ["ada", "local"]) {
      accounts.of(owner).admit(spec);
      accounts.of(owner).stepBegun();
    }
    accounts.of("bob");
    const counts = (isEnding: boolean) => JSON.parse(accounts.published(isEnding).counts);
    expect(counts(false)).toEqual({ callers: { ada: [1, 1, 1] }, groups: { "lab-a": [1, 1, 1] } });
    expect(counts(true)).toEqual({ callers: { ada: [0, 0, 1] }, groups: { "lab-a": [0, 0, 1] } });
    expect(accounts.published().day).toBe("2030-05-05");
  });

  test("does not refuse episodes that this gym takes over while their old gym still counts them", () => {
    const { accounts, useOf } = openShared();
    const ada = accounts.of("ada");
    accounts.onMap(1);
    accounts.learn([useOf("2030-05-05", { ada: [4, 3, 0] }, { "lab-a": [6, 0, 0] })]);
    accounts.onMap(1);
    expect(() => ada.admit(spec, true)).toThrow("4 live episodes (4 in use)");
    accounts.onMap(2);
    expect(() => ada.admit(spec)).toThrow("4 live episodes (4 in use)");
    for (let i = 0; i < 3; i++) ada.admit(spec, true);
    expect(() => ada.admit(spec, true)).toThrow("3 live episodes that hold a sandbox (3 in use)");
  });
});
