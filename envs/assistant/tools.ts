import type { Tool, ToolParameter } from "../env.js";
import { topicNames } from "./world/topics.js";

function tool(name: string, description: string, properties: Record<string, ToolParameter>): Tool {
  const names = Object.keys(properties);
  return {
    name,
    description,
    parameters: { type: "object", properties, required: names, additionalProperties: false },
    action: [name, ...names.map((each) => `{${each}}`)].join(" "),
  };
}

const entry: ToolParameter = { type: "string", description: "Id of an entry of the calendar, such as e1." };
const mail: ToolParameter = { type: "string", description: "Id of a mail, such as m1." };

export const tools: readonly Tool[] = [
  tool("wait", "Goes on to the next moment of the day.", {}),
  tool("look", "Shows what the user did in earlier cases, or the calendar or the mails of the day.", {
    table: { type: "string", description: "Name of the table.", enum: [...topicNames, "pauses", "calendar", "mails"] },
  }),
  tool("remind", "Proposes to remind the user before an entry of the calendar.", {
    entry,
    minutes: { type: "integer", description: "Minutes before the entry." },
  }),
  tool("reply", "Proposes to answer an invitation.", {
    mail,
    answer: { type: "string", description: "The answer.", enum: ["yes", "no"] },
  }),
  tool("move", "Proposes to move an entry that collides with a call.", {
    entry,
    time: { type: "string", description: "The new time, such as 18:30." },
  }),
  tool("book", "Proposes to book a ride to the start of a trip.", {
    mail,
    vehicle: { type: "string", description: "The ride.", enum: ["taxi", "bus"] },
  }),
  tool("warn", "Proposes to tell the user that a bill is too high.", { mail }),
];
