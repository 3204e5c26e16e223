/** Reachability of all objects without moving any. */
import { expect, test } from "vitest";
import { Reachability } from "#palestra/envs/babyai/engine/reachability.js";
import { draw } from "./drawing.js";

const allReachable = (...rows: string[]) => new Reachability(draw(rows)).ofAll();

test("objects in the open are reachable", () => {
  expect(allReachable("#####", "#>.K#", "#..b#", "#####")).toBe(true);
  expect(allReachable("#####", "#>..#", "#####")).toBe(true);
});

test("an object behind another is not reachable", () => {
  expect(allReachable("#######", "#>.KB.#", "#######")).toBe(false);
  expect(allReachable("#######", "#>.K.B#", "#.....#", "#######")).toBe(true);
});

test("an object behind an open, closed or locked door is reachable", () => {
  for (const door of "odl") expect(allReachable("######", `#>${door}.K#`, "######")).toBe(true);
});

test("a door behind an object is not reachable", () => {
  expect(allReachable("#######", "#>.Kd.#", "#######")).toBe(false);
});

test("an object in a room without doors is not reachable, and an empty room without doors is ignored", () => {
  expect(allReachable("######", "#>#.K#", "######")).toBe(false);
  expect(allReachable("######", "#>#..#", "######")).toBe(true);
});

test("a carried object is ignored", () => {
  const world = draw(["#####", "#>#K#", "#####"]);
  world.carried = world.objectAt(3, 1);
  world.take(world.carried);
  expect(new Reachability(world).ofAll()).toBe(true);
});
