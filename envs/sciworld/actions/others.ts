/** Other actions: eat, read, mix, focus, reset the task, wait. */
import { mix } from "../engine/chemistry.js";
import { nameOf } from "../engine/naming.js";
import { type Action, slot, unknownCase } from "./action.js";

const eat: Action = {
  name: "eat",
  id: 8,
  pattern: [["eat", "consume"], slot("food")],
  refuse: ([thing]) => (thing?.isEdible ? undefined : `The ${thing?.name} is not edible.`),
  perform([thing]) {
    thing?.leave();
    return `The ${thing?.name} was delicious.`;
  },
};

const read: Action = {
  name: "read",
  id: 14,
  pattern: [["read"], slot("document")],
  refuse: ([thing]) => (thing?.is("document") ? undefined : "It's not clear how to read that."),
  perform: ([thing]) => thing?.readable?.text ?? unknownCase,
};

const mixing: Action = {
  name: "mix",
  id: 23,
  pattern: [["mix", "stir"], slot("container")],
  refuse: ([thing]) => (thing && thing.contents.length > 1 ? undefined : ""),
  perform: ([thing], { world }) => (thing ? mix(thing, world) : unknownCase),
};

const focus: Action = {
  name: "focus on",
  id: 11,
  pattern: [["focus on", "focus"], slot("obj")],
  perform([thing], scene) {
    scene.focus = thing;
    return `You focus on the ${thing && nameOf(thing)}.`;
  },
};

const resetTask: Action = {
  name: "reset task",
  id: 12,
  pattern: [["reset task"]],
  perform(_, scene) {
    scene.resetGoals();
    scene.focus = undefined;
    return "You reset the goal progress and focus.";
  },
};

function wait(name: string, wording: string, id: number, ticks: number): Action {
  return {
    name,
    id,
    pattern: [[wording]],
    perform(_, scene) {
      scene.waits = ticks;
      return `You decide to wait for ${ticks} iterations.`;
    },
  };
}

export const otherActions = [
  eat,
  read,
  mixing,
  focus,
  resetTask,
  wait("wait1", "wait1", 18, 1),
  wait("wait10", "wait", 19, 10),
];
