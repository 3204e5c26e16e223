import type { Tool } from "../env.js";

const nothing = { type: "object", properties: {}, required: [], additionalProperties: false } as const;
const text = (name: string, description: string) =>
  ({
    type: "object",
    properties: { [name]: { type: "string", description } },
    required: [name],
    additionalProperties: false,
  }) as const;

export const tools: readonly Tool[] = [
  {
    name: "say",
    description: "Talks to the other player.",
    parameters: text("words", "What to say."),
    action: "say {words}",
  },
  {
    name: "keep",
    description: "Proposes that you keep some goods, and the other player gets the rest.",
    parameters: text("goods", "Such as 2 books, 1 hat; or nothing."),
    action: "keep {goods}",
  },
  { name: "accept", description: "Accepts the newest proposal.", parameters: nothing, action: "accept" },
  { name: "walk_away", description: "Ends without a deal.", parameters: nothing, action: "walk away" },
].map((tool) => ({ ...tool, parameters: { ...tool.parameters, required: [...tool.parameters.required] } }));
