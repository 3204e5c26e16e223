/** The actions of ScienceWorld as tools. */
import type { Tool } from "../env.js";

const thing = (description: string) => ({ type: "string", description }) as const;

/** Returns a tool. @param action template of the action, which contains each parameter once, in braces */
function tool(name: string, description: string, action: string, parameters: Record<string, string> = {}): Tool {
  const properties = Object.fromEntries(Object.entries(parameters).map(([key, text]) => [key, thing(text)]));
  const required = Object.keys(properties);
  return {
    name,
    description,
    parameters: { type: "object", properties, required, additionalProperties: false },
    action,
  };
}

const choose: Tool = {
  name: "choose",
  description: "Answer the question which of several actions is meant.",
  parameters: {
    type: "object",
    properties: { number: { type: "integer", description: "The number of the action." } },
    required: ["number"],
    additionalProperties: false,
  },
  action: "{number}",
};

const named = "What it is called, with what it is in where that is not clear: water in metal pot.";

const teleport = tool("teleport_to", "Go to any place at once.", "teleport to {place}", { place: "The place." });

export const tools: readonly Tool[] = [
  tool("open", "Open a door or a container.", "open {object}", { object: named }),
  tool("close", "Close a door or a container.", "close {object}", { object: named }),
  tool("activate", "Turn a device on.", "activate {device}", { device: named }),
  tool("deactivate", "Turn a device off.", "deactivate {device}", { device: named }),
  tool("connect", "Fasten two contacts to each other.", "connect {one} to {other}", {
    one: "A contact: anode in battery, red wire terminal 1.",
    other: "The other contact.",
  }),
  tool("disconnect", "Loosen all that is fastened to a thing.", "disconnect {object}", { object: named }),
  tool("use", "Use a tool on a thing.", "use {tool} on {object}", { tool: "What is used.", object: named }),
  tool("look_around", "See where you are, what is there, and where doors lead.", "look around"),
  tool("look_at", "See a thing in detail.", "look at {object}", { object: named }),
  tool("look_in", "See what is in a container.", "look in {container}", { container: named }),
  tool("read", "Read a document.", "read {document}", { document: named }),
  tool("move", "Put a thing into or onto another.", "move {object} to {container}", {
    object: named,
    container: "Where it is put.",
  }),
  tool("pick_up", "Take a thing along.", "pick up {object}", { object: named }),
  tool("put_down", "Leave a thing that you carry where you are.", "put down {object}", { object: named }),
  tool("pour", "Pour a liquid, or all that is in a container, into another.", "pour {liquid} into {container}", {
    liquid: named,
    container: "Into what.",
  }),
  tool("dunk", "Fill a container by dunking it into what holds a liquid.", "dunk {container} into {liquid}", {
    container: named,
    liquid: "What holds the liquid.",
  }),
  tool("mix", "Mix all that is in a container.", "mix {container}", { container: named }),
  tool("go_to", "Go to a place that an open door leads to.", "go to {place}", { place: "The place." }),
  tool("eat", "Eat a thing.", "eat {food}", { food: named }),
  tool("flush", "Flush a toilet.", "flush {object}", { object: named }),
  tool("focus_on", "Say that a thing is what the task is about: the wrong one fails the task.", "focus on {object}", {
    object: named,
  }),
  tool("wait", "Let ten ticks pass.", "wait"),
  tool("wait_one", "Let one tick pass.", "wait1"),
  tool("inventory", "See what you carry.", "inventory"),
  tool("task", "Be told the task again.", "task"),
  choose,
];

/** Tools of episodes with the simplification teleport. */
export const toolsWithTeleport: readonly Tool[] = [...tools, teleport];
