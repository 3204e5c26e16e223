import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunnable, statOf, ThreadClock } from "#palestra/server/hosts/thread-clock.js";
import { scratchDir } from "../../support/gym.js";

/** A clock that reads a stat file of this test, in the format of proc(5). */
function clockOf(name = "node") {
  const path = join(scratchDir(), "stat");
  const write = (state: string, userTicks: number, systemTicks = 0) =>
    writeFileSync(
      path,
      `7 (${name}) ${state} 1 7 7 0 -1 4194560 ${userTicks + 900} 0 0 0 ${userTicks} ${systemTicks} 0 0`,
    );
  return { clock: new ThreadClock(() => path), write };
}

test("a thread that waits for a free processor is neither busy nor blocked", () => {
  const { clock, write } = clockOf();
  write("R", 50);
  clock.start();
  for (let look = 0; look < 100; look++) expect(clock.look(1_000)).toEqual({ busyMs: 0, blockedMs: 0 });
});

test.each(["S", "D"])("a thread in the state %s is blocked for the time in which it used no processor", (state) => {
  const { clock, write } = clockOf();
  write("R", 50);
  clock.start();
  write(state, 50);
  expect(clock.look(1_000)).toEqual({ busyMs: 0, blockedMs: 1_000 });
  write(state, 90);
  expect(clock.look(1_000)).toEqual({ busyMs: 400, blockedMs: 1_600 });
});

test("a thread that runs is busy for its ticks of user and system time, counted from the start", () => {
  const { clock, write } = clockOf();
  write("R", 50, 50);
  clock.start();
  write("R", 80, 70);
  expect(clock.look(1_000)).toEqual({ busyMs: 500, blockedMs: 0 });
  write("R", 100, 100);
  expect(clock.look(1_000)).toEqual({ busyMs: 1_000, blockedMs: 0 });
  clock.start();
  expect(clock.look(1_000)).toEqual({ busyMs: 0, blockedMs: 0 });
});

test("spaces and parentheses in a thread's name shift no field", () => {
  const { clock, write } = clockOf("a) S (b) R 1");
  write("S", 0);
  clock.start();
  write("S", 30);
  expect(clock.look(1_000)).toEqual({ busyMs: 300, blockedMs: 700 });
});

test("on a system without /proc, elapsed time counts as busy time", () => {
  for (const path of [null, join(scratchDir(), "none")]) {
    const clock = new ThreadClock(() => path);
    clock.start();
    expect([clock.look(1_000).blockedMs, clock.look(500)]).toEqual([0, { busyMs: 1_500, blockedMs: 0 }]);
  }
});

test.runIf(process.platform === "linux")("a process that computes is runnable, and an unknown process is not", () => {
  expect([isRunnable(process.pid), isRunnable(2 ** 30), isRunnable(undefined)]).toEqual([true, false, false]);
  const clock = new ThreadClock(() => statOf("self", process.pid));
  clock.start();
  const before = process.cpuUsage();
  const usedMs = () => process.cpuUsage(before).user / 1_000;
  while (usedMs() < 200);
  expect(clock.look(0).busyMs).toBeGreaterThan(0);
});
