/** The tools of each domain, for agents that call functions. */
import type { JsonValue, ObjectSchema, Tool } from "../env.js";
import { type DomainName, domains } from "./domains/domain.js";
import type { DomainTool } from "./domains/toolkit.js";

const say: Tool = {
  name: "say",
  description: "Writes a message to the user, and shows the answer.",
  parameters: {
    type: "object",
    properties: { message: { type: "string", description: "The message." } },
    required: ["message"],
    additionalProperties: false,
  },
  action: "say {message}",
};

export function toolsOf(domain: DomainName): Tool[] {
  return [...Object.entries(domains[domain].agent.tools.tools).map(([name, tool]) => toolOf(name, tool)), say];
}

function toolOf(name: string, tool: DomainTool): Tool {
  return { name, description: tool.description, parameters: schemaOf(tool), action: `${name} {arguments}` };
}

/** JSON Schema of a tool's arguments. */
export function schemaOf({ parameters, fallbacks = {} }: DomainTool): ObjectSchema {
  const required = Object.keys(parameters).filter((name) => !Object.hasOwn(fallbacks, name));
  return { type: "object", properties: parameters as Record<string, Record<string, JsonValue>>, required };
}
