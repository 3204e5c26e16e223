/** The linearizability check of an append-only list, on hand-made histories and against a search over all orders. */
import { describe, expect, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { type Call, contradictionIn, type Entry } from "../support/chaos/append-history.js";

const list = (...actions: string[]): Entry[] => actions.map((action) => ({ action, reply: `did ${action}` }));
const during = (from: number, to: number, client = "a") => ({ client, from, to });
const append = (from: number, to: number, index: number, action: string, reply: string | null = `did ${action}`) =>
  ({ ...during(from, to), kind: "append", index, action, reply }) as const;
const lost = (from: number, index: number, action: string) =>
  append(from, Number.POSITIVE_INFINITY, index, action, null);
const read = (from: number, to: number, ...actions: string[]) =>
  ({ ...during(from, to, "reader"), kind: "read", entries: list(...actions) }) as const;
const count = (from: number, to: number, number: number) =>
  ({ ...during(from, to, "reader"), kind: "count", count: number }) as const;
const conflict = (from: number, to: number, index: number, action: string) =>
  ({ ...during(from, to, "b"), kind: "conflict", index, action }) as const;

describe("a history is linearizable", () => {
  const good: Record<string, [Call[], Entry[]]> = {
    "without calls": [[], []],
    "if steps follow each other": [[append(0, 1, 0, "x"), append(2, 3, 1, "y"), read(4, 5, "x", "y")], list("x", "y")],
    "if a repeated step returns the stored reply": [[append(0, 1, 0, "x"), append(2, 3, 0, "x")], list("x")],
    "if an unanswered step has no effect": [[append(0, 1, 0, "x"), lost(2, 1, "y")], list("x")],
    "if an unanswered step has an effect": [[lost(0, 0, "x"), append(5, 6, 1, "y")], list("x", "y")],
    "if an unanswered step takes effect late": [[lost(0, 0, "x"), count(5, 6, 0), count(7, 8, 1)], list("x")],
    "if a read overlaps a step that it sees": [[append(0, 9, 0, "x"), read(1, 2, "x")], list("x")],
    "if a read overlaps a step that it does not see": [[append(0, 9, 0, "x"), read(1, 2)], list("x")],
    "if one of two rivals wins": [[append(0, 5, 0, "x"), conflict(1, 4, 0, "y")], list("x")],
    "if a step after the lost one of another client wins": [[lost(0, 0, "x"), append(1, 2, 0, "y")], list("y")],
  };
  test.each(Object.entries(good))("%s", (_, [calls, last]) => expect(contradictionIn(calls, last)).toBeNull());
});

describe("a history is refused", () => {
  const bad: Record<string, [Call[], Entry[], RegExp]> = {
    "if an acknowledged step is lost": [[append(0, 1, 0, "x")], [], /the list has no entry 0/],
    "if an acknowledged step is replaced": [[append(0, 1, 0, "x")], list("y"), /entry 0 has the action "y"/],
    "if a step is doubled": [[append(0, 1, 0, "x")], list("x", "x"), /entry 1 was appended, but no client has sent it/],
    "if two gyms acknowledge one index": [
      [append(0, 1, 0, "x"), append(0, 1, 0, "y")],
      list("x"),
      /append of "y" at 0 .* entry 0 has the action "x"/,
    ],
    "if a repeated step has another reply": [
      [append(0, 1, 0, "x"), append(2, 3, 0, "x", "did z")],
      list("x"),
      /instead of did z/,
    ],
    "if a read is stale": [
      [append(0, 1, 0, "x"), read(2, 3)],
      list("x"),
      /entry 0 was there for the append of "x".*, but not yet for the read of 0 entries/,
    ],
    "if a count goes back": [
      [lost(0, 0, "x"), count(1, 2, 1), count(3, 4, 0)],
      list("x"),
      /was there for the count of 1 entries .*, but not yet for the count of 0/,
    ],
    "if a read sees a step before it is sent": [
      [read(0, 1, "x"), append(2, 3, 0, "x")],
      list("x"),
      /was there for the read .*, but not yet for the append/,
    ],
    "if a step is refused for a step that is sent later": [
      [conflict(0, 1, 0, "y"), append(2, 3, 0, "x")],
      list("x"),
      /was there for the refused append of "y" .*, but not yet for the append/,
    ],
    "if a step is refused for its own action": [
      [append(0, 1, 0, "x"), conflict(2, 3, 0, "x")],
      list("x"),
      /same action/,
    ],
    "if a step is refused for a step that is never taken": [[conflict(0, 1, 0, "x")], [], /has no entry 0/],
    "if a later step is acknowledged before the earlier one is sent": [
      [append(0, 1, 1, "y"), append(2, 3, 0, "x")],
      list("x", "y"),
      /entry 1 was there for the append of "y" .*, but not yet for the append of "x"/,
    ],
    "if a read has steps that no other call has": [
      [append(0, 1, 0, "x"), read(2, 3, "x", "y")],
      list("x"),
      /has no entry 1/,
    ],
    "if nobody has sent a step": [[], list("x"), /no client has sent it/],
  };
  test.each(Object.entries(bad))("%s", (_, [calls, last, reason]) =>
    expect(contradictionIn(calls, last)).toMatch(reason),
  );
});

test("for random histories, the check agrees with a search over all orders", () => {
  const random = new MersenneTwister(26);
  const verdicts = { accepted: 0, refused: 0 };
  for (let round = 0; round < 20_000; round++) {
    const { calls, last } = randomHistory(random);
    const isAccepted = contradictionIn(calls, last) === null;
    expect(isAccepted, JSON.stringify({ calls, last }, null, 1)).toBe(hasOrder(calls, last));
    verdicts[isAccepted ? "accepted" : "refused"] += 1;
  }
  expect(verdicts.accepted).toBeGreaterThan(3_000);
  expect(verdicts.refused).toBeGreaterThan(3_000);
});

/** Makes calls whose times and results are right in some histories and wrong in others. All times differ. */
function randomHistory(random: MersenneTwister): { calls: Call[]; last: Entry[] } {
  const size = 1 + random.randbelow(6);
  const times = Array.from({ length: 2 * size }, (_, i) => i);
  if (random.randbelow(4) === 0) random.shuffle(times);
  const taken: string[] = [];
  const calls = Array.from({ length: size }, (_, i): Call => {
    const [one, other] = [times[2 * i] as number, times[2 * i + 1] as number];
    const reach = random.randbelow(5);
    const [from, to] = [Math.min(one, other) - reach + 0.1, Math.max(one, other) + random.randbelow(5) + 0.2];
    const kind = random.randbelow(6);
    const action = "xy"[random.randbelow(2)] as string;
    const index = random.randbelow(3) === 0 ? random.randbelow(3) : taken.length;
    if (kind < 3) {
      const isLost = random.randbelow(4) === 0;
      if (index === taken.length && (!isLost || random.randbelow(2) === 0)) taken.push(action);
      const shown = index < taken.length ? (taken[index] as string) : action;
      return isLost ? lost(from, index, shown) : append(from, to, index, shown);
    }
    if (kind === 3) return conflict(from, to, index, action);
    const length = Math.max(0, taken.length - random.randbelow(2));
    return kind === 4 ? read(from, to, ...taken.slice(0, length)) : count(from, to, length);
  });
  return { calls, last: list(...taken) };
}

/** Returns whether the calls can take effect one after another, each between its start and its reply. */
function hasOrder(calls: readonly Call[], last: readonly Entry[]): boolean {
  const search = (rest: readonly Call[], done: readonly Entry[]): boolean => {
    const isOver = rest.every((call) => call.kind === "append" && call.reply === null);
    if (isOver && JSON.stringify(done) === JSON.stringify(last)) return true;
    const firstReply = Math.min(...rest.map(({ to }) => to));
    return rest.some((call) => {
      if (call.from > firstReply) return false;
      const after = carryOut(call, done);
      return (
        after !== null &&
        search(
          rest.filter((each) => each !== call),
          after,
        )
      );
    });
  };
  return search(calls, []);
}

/** Returns the list after a call, or null if the call has another result. */
function carryOut(call: Call, done: readonly Entry[]): readonly Entry[] | null {
  if (call.kind === "count") return done.length === call.count ? done : null;
  if (call.kind === "read") return JSON.stringify(done) === JSON.stringify(call.entries) ? done : null;
  const entry = done[call.index];
  if (call.kind === "conflict") return entry && entry.action !== call.action ? done : null;
  if (call.reply === null && !(call.index === done.length)) return done;
  if (call.index === done.length) return [...done, { action: call.action, reply: call.reply ?? `did ${call.action}` }];
  return entry?.action === call.action && entry.reply === call.reply ? done : null;
}
