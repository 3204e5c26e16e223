/** Helpers for the tools of environments that use a browser. */
import type { Tool, ToolParameter } from "../../env.js";

/**
 * Creates a tool in which all parameters are required.
 *
 * @param action template of the action's text, with `{name}` for each parameter
 */
export function tool(
  name: string,
  description: string,
  action: string,
  properties: Record<string, ToolParameter> = {},
): Tool {
  return {
    name,
    description,
    parameters: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
    action,
  };
}

export const text = (description: string): ToolParameter => ({ type: "string", description });

export const integer = (description: string): ToolParameter => ({ type: "integer", description });
