import type { Tool } from "../env.js";

export const tools: readonly Tool[] = [
  {
    name: "ask",
    description: "Sends a request to a helper, which answers it at its price.",
    parameters: {
      type: "object",
      properties: {
        helper: { type: "string", description: "Name of the helper." },
        request: {
          type: "string",
          description: "One part and the material that it needs, such as #2 #staff.1, or a text of your own.",
        },
      },
      required: ["helper", "request"],
      additionalProperties: false,
    },
    action: "ask {helper} {request}",
  },
  {
    name: "submit",
    description: "Submits the answers to all parts, which ends the job.",
    parameters: {
      type: "object",
      properties: {
        answers: {
          type: "string",
          description: "Each answer after the number of its part, such as 1: 59; 2: fig, pear.",
        },
      },
      required: ["answers"],
      additionalProperties: false,
    },
    action: "submit {answers}",
  },
];
