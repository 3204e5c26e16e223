import type { Tool, ToolParameters } from "../env.js";

type Properties = ToolParameters["properties"];

function parameters(properties: Properties): ToolParameters {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

export const tools: readonly Tool[] = [
  {
    name: "search",
    description:
      "Searches the pages, and shows the five passages that fit the words best, with the ids of their pages.",
    parameters: parameters({ query: { type: "string", description: "Words to look for." } }),
    action: "<search>{query}</search>",
  },
  {
    name: "open",
    description: "Shows a part of a page's text, and its links.",
    parameters: parameters({
      page: { type: "string", description: "Id of the page, as searches and links show it." },
      offset: { type: "integer", description: "Character of the text at which to begin: 0 for the beginning." },
    }),
    action: "<open>{page} from {offset}</open>",
  },
  {
    name: "answer",
    description: "Gives the answer, which ends the task, and cites the pages that prove it.",
    parameters: parameters({
      answer: { type: "string", description: "The answer alone, in as few words as it takes." },
      pages: { type: "array", items: { type: "string" }, description: "Ids of the pages that prove it." },
    }),
    action: "<answer>{answer}</answer><cite>{pages}</cite>",
  },
];
