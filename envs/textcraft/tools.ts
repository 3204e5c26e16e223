/** The three commands of TextCraft as tools. */
import type { Tool } from "../env.js";

const item = { type: "string", description: "Its name, in spaces: oak planks." } as const;

export const tools: readonly Tool[] = [
  {
    name: "get",
    description: "Take items that nobody has to craft out of the environment.",
    parameters: {
      type: "object",
      properties: { count: { type: "integer", description: "How many." }, item },
      required: ["count", "item"],
      additionalProperties: false,
    },
    action: "get {count} {item}",
  },
  {
    name: "craft",
    description: "Craft an item from what you have, by one of the crafting commands that you were given.",
    parameters: {
      type: "object",
      properties: {
        count: { type: "integer", description: "How many the command makes." },
        item,
        ingredients: {
          type: "array",
          items: { type: "string" },
          description: "What it uses up, each with its count: 1 oak log.",
        },
      },
      required: ["count", "item", "ingredients"],
      additionalProperties: false,
    },
    action: "craft {count} {item} using {ingredients}",
  },
  {
    name: "inventory",
    description: "Look at what you have.",
    parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    action: "inventory",
  },
];
