/** AgentGym's text actions and MiniGrid's moves as tools. */
import type { Tool, ToolParameters } from "../env.js";

const none: ToolParameters = { type: "object", properties: {}, required: [], additionalProperties: false };

const thing = numbered("object", "What it is called: red ball.");
const door = numbered("door", "What it is called, with its state: blue closed door.");

export const textTools: readonly Tool[] = [
  { name: "turn_left", description: "Turn left on the spot.", parameters: none, action: "turn left" },
  { name: "turn_right", description: "Turn right on the spot.", parameters: none, action: "turn right" },
  { name: "move_forward", description: "Go one cell ahead.", parameters: none, action: "move forward" },
  {
    name: "go_to",
    description: "Walk until a thing or door that you see is right ahead.",
    parameters: thing,
    action: "go to {object} {number}",
  },
  {
    name: "pickup",
    description: "Walk to a thing that you see and take it up; you can carry one.",
    parameters: thing,
    action: "pickup {object} {number}",
  },
  { name: "drop", description: "Put down what you carry in the cell ahead.", parameters: none, action: "drop" },
  {
    name: "toggle",
    description: "Open the closed door right ahead, or the locked one whose key you carry.",
    parameters: none,
    action: "toggle",
  },
  {
    name: "go_through",
    description: "Walk into the doorway of an open door.",
    parameters: door,
    action: "go through {door} {number}",
  },
  {
    name: "toggle_and_go_through",
    description: "Walk to a closed door, or to a locked one whose key you carry, open it and go in.",
    parameters: door,
    action: "toggle and go through {door} {number}",
  },
  {
    name: "check_available_actions",
    description: "List what can be done now.",
    parameters: none,
    action: "check available actions",
  },
];

export const moveTools: readonly Tool[] = [
  { name: "left", description: "Turn left on the spot.", parameters: none, action: "left" },
  { name: "right", description: "Turn right on the spot.", parameters: none, action: "right" },
  { name: "forward", description: "Move one cell ahead.", parameters: none, action: "forward" },
  { name: "pickup", description: "Take up the object in the cell ahead.", parameters: none, action: "pickup" },
  { name: "drop", description: "Put down what you carry in the cell ahead.", parameters: none, action: "drop" },
  { name: "toggle", description: "Open or close what is in the cell ahead.", parameters: none, action: "toggle" },
  { name: "done", description: "Do nothing.", parameters: none, action: "done" },
];

/** Returns tool parameters for an object: its name, and its number among the objects with that name. */
function numbered(name: string, description: string): ToolParameters {
  return {
    type: "object",
    properties: {
      [name]: { type: "string", description },
      number: { type: "integer", description: "Which of those with this name, from 1 on: the nearest is 1." },
    },
    required: [name, "number"],
    additionalProperties: false,
  };
}
