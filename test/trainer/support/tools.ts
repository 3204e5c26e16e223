import type { Tool } from "#palestra/trainer/gym/gym.js";

const count = { type: "integer", description: "How many." };
const item = { type: "string", description: "Its name." };

function tool(
  name: string,
  description: string,
  properties: NonNullable<Tool["parameters"]["properties"]>,
  action: string,
): Tool {
  const parameters = {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  } as const;
  return { name, description, parameters, action };
}

const ingredients = { type: "array", items: { type: "string" }, description: "What it uses up." };

/** The tools of TextCraft. */
export const tools: readonly Tool[] = [
  tool("get", "Take items.", { count, item }, "get {count} {item}"),
  tool("craft", "Craft an item.", { count, item, ingredients }, "craft {count} {item} using {ingredients}"),
  tool("inventory", "Look at what you have.", {}, "inventory"),
];
