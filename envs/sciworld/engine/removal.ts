/** What is used up, burned down or felled is out of the world. */
import { disconnect } from "./electricity.js";
import type { Thing } from "./thing.js";

/** @param leavesContents to what the thing was in */
export function remove(thing: Thing, { leavesContents = false } = {}): void {
  if (leavesContents && thing.container) for (const one of [...thing.contents]) thing.container.add(one);
  disconnect(thing);
  thing.leave();
  thing.name += " (deleted)";
  thing.isDeleted = true;
}
