/** Actions that open and close doors, drains and containers. */
import type { Thing } from "../engine/thing.js";
import { type Action, slot, unknownCase } from "./action.js";

const opens: Action = {
  name: "open door",
  id: 0,
  pattern: [["open"], slot("door")],
  refuse: ([thing]) => refuseTo(thing as Thing, true),
  perform: ([thing]) => set(thing as Thing, true),
};

const closes: Action = {
  name: "close door",
  id: 1,
  pattern: [["close"], slot("door")],
  refuse: ([thing]) => refuseTo(thing as Thing, false),
  perform: ([thing]) => set(thing as Thing, false),
};

export const openingActions = [opens, closes];

function refuseTo({ name, passage, opening }: Thing, open: boolean): string | undefined {
  const already = `The ${name} is already ${open ? "open" : "closed"}.`;
  const cannot = `The ${name} is not ${open ? "openable" : "closeable"}.`;
  if (passage?.isOpen === open) return already;
  if (opening && !opening.canClose) return cannot;
  if (opening?.isOpen === open) return already;
  return passage || opening ? undefined : cannot;
}

function set({ name, passage, opening }: Thing, open: boolean): string {
  const door = passage ?? opening;
  if (!door) return unknownCase;
  door.isOpen = open;
  return `The ${name} is now ${open ? "open" : "closed"}.`;
}
