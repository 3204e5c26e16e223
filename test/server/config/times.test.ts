/**
 * Checks that the intervals and timeouts of the gym fit together, so that no gym or process that still runs counts as
 * dead.
 */
import { describe, expect, test } from "vitest";
import { timesScaledBy, usualTimes } from "#palestra/server/config/times.js";
import { signOfLifeMs } from "#palestra/server/hosts/process/process-protocol.js";
import { pace } from "../../support/hurry.js";

describe.each([1, pace, 0.1])("the times multiplied by %d", (factor) => {
  const { fleet, clients, hosts, stop } = timesScaledBy(factor);

  test("let a gym renew its membership several times before it doubts it", () => {
    expect(fleet.trustedMs).toBeGreaterThanOrEqual(4 * fleet.renewalMs);
    expect(fleet.frozenMs).toBeGreaterThanOrEqual(4 * fleet.pulseMs);
  });

  test("let a gym doubt its own membership before another gym fences it", () => {
    expect(fleet.trustedMs).toBeLessThan(fleet.lateMs);
    expect(fleet.lateMs).toBeLessThan(fleet.silentMs);
    expect(fleet.frozenMs + fleet.renewalMs).toBeLessThan(fleet.silentMs);
  });

  test("let a gym retry a renewal before it is fenced as silent", () => {
    expect(fleet.answerMs).toBeLessThan(fleet.interruptedMs);
    expect(fleet.interruptedMs).toBeLessThan(fleet.silentMs);
    expect(fleet.answerMs + fleet.connectMs, "to the next host of the database").toBeLessThan(fleet.silentMs);
  });

  test("let a request wait until another gym has taken over the episodes of a silent gym", () => {
    expect(fleet.giveUpMs).toBeGreaterThanOrEqual(2 * fleet.silentMs);
  });

  test("let a stopping gym finish waiting for clients and calls within the time of its stop", () => {
    expect(Math.max(clients.graceMs, clients.closeMs, hosts.drainingMs)).toBeLessThan(stop.drainMs);
  });

  test("let the process of async environments send several heartbeats before it counts as silent", () => {
    expect(hosts.silentMs).toBeGreaterThanOrEqual(2 * signOfLifeMs);
  });

  test("let gyms publish and read new counts before they trust the old gym's counts of moved episodes", () => {
    expect(fleet.takeOverMs).toBeGreaterThanOrEqual(3 * fleet.shareUseMs);
  });
});

test("a factor of 1 gives the usual times", () => {
  expect(timesScaledBy(1)).toEqual(usualTimes);
});

test.each([0, 0.05, 1.5, Number.NaN])("a factor of %d is refused", (factor) => {
  expect(() => timesScaledBy(factor)).toThrow("expected a factor from 0.1 to 1");
});
