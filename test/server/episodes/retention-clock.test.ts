import { expect, test } from "vitest";
import { RetentionClock } from "#palestra/server/episodes/retention/retention-clock.js";

const [second, hour, day, year] = [1_000, 3_600_000, 86_400_000, 365 * 86_400_000];
const now = Date.UTC(2026, 0, 1);

/** A machine whose wall clock can be set. */
class Machine {
  private elapsed = 0;
  private shift = 0;

  readonly clocks = { wall: () => now + this.elapsed + this.shift, monotonic: () => 5_000 + this.elapsed };

  pass(ms: number): void {
    this.elapsed += ms;
  }

  /** @param ms milliseconds by which the wall clock is wrong from now on */
  set(ms: number): void {
    this.shift = ms;
  }

  get right(): number {
    return now + this.elapsed;
  }
}

test("a clock that does not jump is trusted, also while it drifts and is corrected", () => {
  const machine = new Machine();
  const clock = new RetentionClock(now - second, machine.clocks);
  for (let hours = 0; hours < 2_000; hours++) {
    machine.set(hours % 2 === 0 ? 0 : 500);
    expect(Math.abs(clock.now() - machine.right)).toBeLessThanOrEqual(500);
    machine.pass(hour);
  }
});

test("a jump of ten years ahead is ignored for a day, and then trusted", () => {
  const machine = new Machine();
  const clock = new RetentionClock(now, machine.clocks);
  machine.set(10 * year);
  for (let hours = 0; hours < 24; hours++) {
    expect(clock.now()).toBe(machine.right);
    machine.pass(hour);
  }
  expect(clock.now()).toBe(machine.right + 10 * year);
});

test("a jump ahead that is corrected has no effect, even many times", () => {
  const machine = new Machine();
  const clock = new RetentionClock(now, machine.clocks);
  for (let hours = 0; hours < 200; hours++) {
    machine.set(hours % 20 === 0 ? 0 : 10 * year);
    expect(clock.now()).toBe(machine.right);
    machine.pass(hour);
  }
});

test("a jump back takes effect at once, and its correction never makes an episode look older than it is", () => {
  const machine = new Machine();
  const clock = new RetentionClock(now, machine.clocks);
  machine.set(-10 * year);
  expect(clock.now()).toBe(machine.right - 10 * year);
  machine.set(0);
  expect(clock.now()).toBe(machine.right - 10 * year);
  clock.now();
  machine.pass(day);
  expect(clock.now()).toBe(machine.right);
});

test("a gym that starts with a wall clock far ahead of the newest episode does not trust the clock for a day", () => {
  const machine = new Machine();
  const clock = new RetentionClock(now - year, machine.clocks);
  expect(clock.now()).toBe(now - year);
  machine.pass(day);
  expect(clock.now()).toBe(machine.right);
  expect(new RetentionClock(null, machine.clocks).now()).toBe(machine.right);
  expect(new RetentionClock(now + 10 * year, machine.clocks).now()).toBe(machine.right);
});
