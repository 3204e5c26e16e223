/** Actions that move the agent: through a door, to the destination of a door, and by teleport. */
import { destinationOf, wordsFor } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";
import { type Action, place, type Scene, slot, unknownCase } from "./action.js";

const wordings = [
  "go",
  "go through",
  "walk through",
  "move through",
  "go to",
  "walk to",
  "move to",
  "go into",
  "move into",
];

const go: Action = {
  name: "move through door",
  id: 2,
  pattern: [wordings, slot("doorOrLocation")],
  offeredAs: ["go to"],
  refuse: ([thing], scene) => refuse(thing as Thing, scene),
  perform([goal], { agent, ...scene }) {
    const thing = goal as Thing;
    if (thing.is("location")) {
      thing.add(agent);
      return `You move to the ${thing.name}.`;
    }
    const destination = destinationOf(thing, place({ agent, ...scene } as Scene));
    if (!destination) return unknownCase;
    destination.add(agent);
    return `You move through the ${thing.name} to the ${destination.name}.`;
  },
};

const teleport: Action = {
  name: "teleport to location",
  id: 2,
  isOracle: true,
  offeredAs: ["teleport to"],
  pattern: [["teleport", "teleport to", "teleport into"], slot("location")],
  refuse([goal]) {
    const thing = goal as Thing;
    return thing.is("location") && thing.container ? undefined : `Its not clear how to go to ${thing.name}.`;
  },
  perform([goal], { agent }) {
    goal?.add(agent);
    return `You teleport to the ${goal?.name}.`;
  },
};

export const goingActions = [go];
export const oracleActions = [teleport];

function refuse(thing: Thing, scene: Scene): string | undefined {
  if (thing.is("door")) return thing.passage?.isOpen ? refuseDoor(thing, scene) : `The ${thing.name} is not open.`;
  if (thing.is("location")) return refuseLocation(thing, scene);
  return `Its not clear how to go to/through a ${thing.name}.`;
}

function refuseDoor(door: Thing, scene: Scene): string | undefined {
  return destinationOf(door, place(scene)) ? undefined : "The door doesn't appear to go anywhere.";
}

function refuseLocation(location: Thing, scene: Scene): string | undefined {
  const here = place(scene);
  for (const passage of here.passages) {
    const destination = destinationOf(passage, here);
    if (!destination || !wordsFor(destination, here).includes(location.name)) continue;
    return passage.passage?.isOpen ? undefined : `The ${passage.name} is not open.`;
  }
  return "It's not clear how to get there from here.";
}
