import { expect, test } from "vitest";
import { RolloutBuffer } from "#palestra/trainer/rollout/buffer.js";
import { group, trajectory } from "../support/trajectories.js";

test("the staleness of a group is the version at which it is taken minus that of its oldest token", async () => {
  const buffer = new RolloutBuffer({ capacity: 4, isHeld: () => false });
  buffer.advance(5);
  buffer.put(group(0, [trajectory([5, 5]), trajectory([4, 5])]), 4);
  buffer.put(group(1, [trajectory([3, 4]), trajectory([5])]), 3);
  buffer.put(group(2, [trajectory([5])]), 5);
  buffer.advance(6);
  await buffer.take(2);
  expect([...buffer.statistics.staleness].sort()).toEqual([
    [2, 1],
    [3, 1],
  ]);
  await buffer.take(1);
  expect(buffer.statistics.staleness.get(1)).toBe(1);
});
