/** Whether the agent can get to everything without moving anything. */
import { expect, test } from "vitest";
import { Reachability } from "#palestra/envs/babyai/engine/reachability.js";
import { draw } from "./drawing.js";

const allReachable = (...rows: string[]) => new Reachability(draw(rows)).ofAll();

test("objects in the open are within reach", () => {
  expect(allReachable("#####", "#>.K#", "#..b#", "#####")).toBe(true);
  expect(allReachable("#####", "#>..#", "#####")).toBe(true);
});

test("an object behind another is not", () => {
  expect(allReachable("#######", "#>.KB.#", "#######")).toBe(false);
  expect(allReachable("#######", "#>.K.B#", "#.....#", "#######")).toBe(true);
});

test("an object behind a door is, whether open, closed or locked", () => {
  for (const door of "odl") expect(allReachable("######", `#>${door}.K#`, "######")).toBe(true);
});

test("a door behind an object is not", () => {
  expect(allReachable("#######", "#>.Kd.#", "#######")).toBe(false);
});

test("an object in a closed room is not, an empty closed room does not matter", () => {
  expect(allReachable("######", "#>#.K#", "######")).toBe(false);
  expect(allReachable("######", "#>#..#", "######")).toBe(true);
});

test("what is carried does not matter", () => {
  const world = draw(["#####", "#>#K#", "#####"]);
  world.carried = world.objectAt(3, 1);
  world.take(world.carried);
  expect(new Reachability(world).ofAll()).toBe(true);
});
