/** Actions on devices: activate, deactivate, flush, use. */
import type { Thing } from "../engine/thing.js";
import { type Action, slot, unknownCase } from "./action.js";

const activate: Action = {
  name: "activate",
  id: 6,
  pattern: [["activate", "turn on"], slot("device")],
  refuse: ([thing]) => refuseTo(thing as Thing, true),
  perform: ([thing]) => set(thing as Thing, true),
};

const deactivate: Action = {
  name: "deactivate",
  id: 7,
  pattern: [["deactivate", "turn off"], slot("device")],
  refuse: ([thing]) => refuseTo(thing as Thing, false),
  perform: ([thing]) => set(thing as Thing, false),
};

const flush: Action = {
  name: "flush",
  id: 15,
  pattern: [["flush"], slot("device")],
  refuse([thing]) {
    if (!thing?.is("toilet")) return "It's not clear how to flush that.";
    return thing.device?.isActive ? "That is already flushing." : undefined;
  },
  perform([thing]) {
    if (!thing?.device) return unknownCase;
    thing.device.isActive = true;
    return `The ${thing.name} is now flushing.`;
  },
};

const use: Action = {
  name: "use object",
  id: 13,
  pattern: [["use"], slot("device"), ["on", "with"], slot("patient")],
  refuse: ([tool]) => (tool?.device?.isTool ? undefined : `I'm not sure how to use the ${tool?.name}. `),
  perform([tool, patient], { world }) {
    const told = tool && patient && tool.kind.use?.(tool, patient, world);
    return told ?? "I'm not sure how to use those two things together.";
  },
};

export const deviceActions = [activate, deactivate, flush, use];

function refuseTo({ name, device }: Thing, isActive: boolean): string | undefined {
  if (!device?.canActivate) return `The ${name} is not something that can be activated.`;
  return device.isActive === isActive ? `The ${name} is already ${isActive ? "activated" : "deactivated"}.` : undefined;
}

function set({ name, device }: Thing, isActive: boolean): string {
  if (!device) return unknownCase;
  if (device.isBroken) return `The ${name} appears broken, and can't be activated or deactivated.`;
  device.isActive = isActive;
  return `The ${name} is now ${isActive ? "activated" : "deactivated"}.`;
}
