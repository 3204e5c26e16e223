import { describe, expect, test } from "vitest";
import { Admission } from "#palestra/trainer/rollout/admission.js";

function admission(maxConcurrentGroups: number, maxHeadOffpolicyness: number, batchSize: number): Admission {
  return new Admission({ maxConcurrentGroups, maxHeadOffpolicyness, batchSize });
}

describe("AReaL's admission rule", () => {
  test("at the start, (eta + 1) B rollouts may begin, or at most as many as may run at once", () => {
    expect(admission(100, 0, 8).capacity).toBe(8);
    expect(admission(100, 2, 8).capacity).toBe(24);
    expect(admission(10, 2, 8).capacity).toBe(10);
  });

  test("at least one rollout may run, whatever the settings", () => {
    expect(admission(0, 0, 8).capacity).toBe(1);
  });

  test("accepted rollouts use up the version's share, and rejected ones return their place", () => {
    const rule = admission(100, 0, 2);
    rule.begin();
    rule.begin();
    expect(rule.capacity).toBe(0);
    rule.accept();
    expect(rule.capacity).toBe(0);
    rule.reject();
    expect(rule.capacity).toBe(1);
  });

  test("each version admits another batch", () => {
    const rule = admission(100, 1, 3);
    for (let i = 0; i < 6; i++) rule.begin();
    expect(rule.capacity).toBe(0);
    rule.advance(1);
    expect(rule.capacity).toBe(3);
  });

  test("a resume at version v counts v batches as consumed, so that no burst begins", () => {
    const rule = admission(1000, 2, 8);
    rule.resume(50);
    expect(rule.accepted).toBe(400);
    expect(rule.capacity).toBe(24);
  });

  test("calls in an impossible order are refused", () => {
    const rule = admission(1, 0, 1);
    expect(() => rule.accept()).toThrow("No group is running.");
    rule.begin();
    expect(() => rule.begin()).toThrow("expected a capacity of at least 1 group, but received 0");
    expect(() => rule.resume(1)).toThrow("expected no running groups at a resume, but received 1");
    rule.advance(2);
    expect(() => rule.advance(1)).toThrow("expected version to be an integer of at least 2, but received 1");
    expect(() => admission(1, -1, 1)).toThrow(/maxHeadOffpolicyness .+ received -1/);
    expect(() => admission(1, 0, 0)).toThrow(/batchSize .+ received 0/);
  });
});
