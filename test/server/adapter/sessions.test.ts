import { expect, onTestFinished, test } from "vitest";
import { SessionError } from "#palestra/server/adapter/session-error.js";
import { Sessions } from "#palestra/server/adapter/sessions.js";
import { lasting } from "#palestra/server/episodes/episode/client.js";
import type { Gym } from "#palestra/server/episodes/gym.js";
import { openFaultyGym } from "../faulty-gym.js";

const owner = "ada";
const requestOf = (index: number) => () => ({ environment: "faulty", task: { split: "play", index }, seed: 0 });

async function start(gym: Gym, namespace = "test"): Promise<Sessions> {
  const sessions = await Sessions.start(gym, { namespace, ids: "counted", idleMs: 60_000 });
  onTestFinished(() => sessions.stop());
  return sessions;
}

const failure = (call: Promise<unknown>) => call.catch((error: Error) => error);

test("concurrent calls to a session run one at a time, in order", async () => {
  const sessions = await start(await openFaultyGym(1));
  const { id } = await sessions.open(owner, requestOf(3), lasting);
  const acts = ["a", "b", "c"].map((action) => sessions.act(owner, id, action));
  const reset = sessions.reset(owner, id, requestOf(5), lasting);
  const after = sessions.act(owner, id, "d");
  const observations = (await Promise.all([...acts, reset, after])).map(({ newest }) => newest.observation);
  expect(observations).toEqual(["1: a", "2: b", "3: c", "task play:5", "1: d"]);
});

test("a failed session refuses every call with its failure", async () => {
  const gym = await openFaultyGym(3);
  const sessions = await start(gym);
  const empty = await sessions.openEmpty(owner);
  const { id: ended } = await sessions.open(owner, requestOf(3), lasting);
  await sessions.act(owner, ended, "end");
  const { id: closed } = await sessions.open(owner, requestOf(3), lasting);
  expect(await sessions.close(owner, closed)).toBe(true);
  expect(await sessions.close(owner, closed)).toBe(false);
  for (const standing of [sessions, await start(gym)]) {
    expect(await failure(standing.act(owner, empty, "a"))).toEqual(new SessionError("empty", empty));
    expect(await failure(standing.act(owner, ended, "a"))).toEqual(new SessionError("finished", ended));
    expect(await failure(standing.act(owner, closed, "a"))).toEqual(new SessionError("closed", closed));
    expect(await failure(standing.act("bob", ended, "a"))).toEqual(new SessionError("unknown", ended));
    expect(await failure(standing.act(owner, 99, "a"))).toEqual(new SessionError("unknown", 99));
  }
});

test("two namespaces can use the same id", async () => {
  const gym = await openFaultyGym(2);
  const [one, other] = [await start(gym, "one"), await start(gym, "other")];
  expect([await one.openEmpty(owner), await one.openEmpty(owner), await other.openEmpty(owner)]).toEqual([0, 1, 0]);
});

test("a new session without an episode replaces the oldest one of its owner, and none of another owner", async () => {
  const gym = await openFaultyGym(2);
  const sessions = await Sessions.start(gym, { namespace: "many", ids: "random", idleMs: 60_000 });
  onTestFinished(() => sessions.stop());
  const quiet = await sessions.openUnstored("bob");
  const flood = await Promise.all(Array.from({ length: 1_500 }, () => sessions.openUnstored(owner)));
  const open = await Promise.all(flood.map((id) => sessions.has(owner, id)));
  expect(open.indexOf(true)).toBe(500);
  expect(open.slice(500)).not.toContain(false);
  expect(await sessions.has("bob", quiet)).toBe(true);
  expect(await sessions.has(owner, quiet)).toBe(false);
  expect((await sessions.reset("bob", quiet, requestOf(1), lasting)).newest.observation).toBe("task play:1");
  const later = await Sessions.start(gym, { namespace: "many", ids: "random", idleMs: 60_000 });
  onTestFinished(() => later.stop());
  expect([await later.has("bob", quiet), await later.has(owner, flood.at(-1) as number)]).toEqual([true, false]);
});
