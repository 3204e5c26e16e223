/** Actions that only look: around, at a thing, into a thing, at the inventory, or at the task. */
import { inLines, look } from "../engine/description.js";
import { type Action, place, slot } from "./action.js";

export const lookAround: Action = {
  name: "look around",
  id: 3,
  isFree: true,
  pattern: [["look around", "look"]],
  perform: (_, scene) => look(place(scene), "full", place(scene)) ?? "<ERROR: attempting to view hidden object>",
};

const lookAt: Action = {
  name: "look at",
  id: 4,
  pattern: [["look at", "look on", "examine"], slot("obj")],
  perform([thing], scene) {
    return (thing && look(thing, "full", place(scene))) ?? "<ERROR: Could not retrieve object description>";
  },
};

const lookIn: Action = {
  name: "look in",
  id: 5,
  pattern: [["look in"], slot("obj")],
  refuse([thing]) {
    if (!thing?.opening) return "It's not clear how to look inside of that.";
    return thing.isOpen ? undefined : `The ${thing.name} isn't open, so you can't see inside.`;
  },
  perform([thing], { agent }) {
    if (!thing) return "";
    const { name, contents, passages } = thing;
    const inside = `Inside the ${name} is: \n${inLines(contents, { place: agent })}`;
    const text = `${contents.length > 0 ? inside : `There is nothing in the ${name}.`}\n`;
    const seen = passages.flatMap((passage) => look(passage, "brief", thing) ?? []);
    return passages.length > 0 ? `${text} You also see: ${seen.join(", ")}.` : text;
  },
};

export const viewInventory: Action = {
  name: "view inventory",
  id: 20,
  isFree: true,
  pattern: [["inventory"]],
  perform: (_, { inventory }) =>
    `In your inventory, you see:\n${inLines(inventory.visibleContents(), { place: inventory, detail: "full" })}`,
};

const taskDescription: Action = {
  name: "task description",
  id: 24,
  isFree: true,
  pattern: [["task"]],
  perform: (_, scene) => `Task Description:\n${scene.taskDescription}`,
};

export const lookingActions = [lookAround, lookAt, lookIn, viewInventory, taskDescription];
