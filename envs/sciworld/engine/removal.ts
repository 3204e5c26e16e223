/** Removal of things that are used up, burned or felled. */
import { disconnect } from "./electricity.js";
import type { Thing } from "./thing.js";

/** Removes a thing from the world. @param leavesContents true to move its contents into its container first */
export function remove(thing: Thing, { leavesContents = false } = {}): void {
  if (leavesContents && thing.container) for (const one of [...thing.contents]) thing.container.add(one);
  disconnect(thing);
  thing.leave();
  thing.name += " (deleted)";
  thing.isDeleted = true;
}
