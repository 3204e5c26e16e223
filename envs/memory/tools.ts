import type { Tool, ToolParameters } from "../env.js";

type Properties = ToolParameters["properties"];

function parameters(properties: Properties): ToolParameters {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

export const tools: readonly Tool[] = [
  {
    name: "search",
    description:
      "Searches the earlier sessions, and shows the five passages that fit the words best, with the ids and dates of their sessions.",
    parameters: parameters({ query: { type: "string", description: "Words to look for." } }),
    action: "<search>{query}</search>",
  },
  {
    name: "open",
    description: "Shows a part of an earlier session.",
    parameters: parameters({
      session: { type: "string", description: "Id of the session, such as session-7." },
      offset: {
        type: "integer",
        description: "Character of the session's text at which to begin: 0 for the beginning.",
      },
    }),
    action: "<open>{session} from {offset}</open>",
  },
  {
    name: "answer",
    description: "Gives the answer, which ends the task.",
    parameters: parameters({
      answer: {
        type: "string",
        description: "The answer alone, in as few words as possible; unknown where the sessions do not tell.",
      },
    }),
    action: "<answer>{answer}</answer>",
  },
];
