/** The kinds of the agent and its inventory. */
import type { Kind } from "../../engine/thing.js";
import { withContents } from "../matter/containers.js";
import { orange } from "../matter/foods.js";

export const inventory: Kind = {
  name: "inventory",
  opening: "open",
  isMovable: false,
  words: (thing) => ["inventory", thing.name],
  describe: withContents,
};

export const agent: Kind = {
  name: "agent",
  families: ["agent"],
  isMovable: false,
  words: () => ["agent", "self"],
  describe: () => "the agent",
  furnish(thing, world) {
    const carried = world.make(inventory);
    thing.add(carried);
    carried.add(world.make(orange));
  },
};
