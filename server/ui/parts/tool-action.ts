import type { Tool } from "../api.js";
import { type ArgumentSchema, argumentValue } from "./tool-field.js";

export function argumentsOf({ parameters }: Tool): [name: string, schema: ArgumentSchema][] {
  return Object.entries((parameters.properties ?? {}) as Record<string, ArgumentSchema>);
}

/**
 * Returns the action of a tool call, by the template of the tool (see the schema `Tool`).
 *
 * @param fields text of each argument
 * @throws {Error} a text does not fit the type of its argument
 */
export function actionOf(tool: Tool, fields: Readonly<Record<string, string>>): string {
  const { action } = tool;
  const given = argumentsOf(tool).filter(([name]) => (fields[name] ?? "") !== "");
  const values = Object.fromEntries(given.map(([name, schema]) => [name, checkedValue(name, schema, fields)]));
  if (action.endsWith("{arguments}")) return action.replace("{arguments}", () => JSON.stringify(values));
  return action.replace(/"\{(\w+)\}"|\{(\w+)\}/g, (_, quoted?: string, plain?: string) => {
    const value = values[quoted ?? (plain as string)];
    const text = Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : value;
    return quoted === undefined ? String(text ?? "").trim() : JSON.stringify(String(text ?? ""));
  });
}

function checkedValue(name: string, schema: ArgumentSchema, fields: Readonly<Record<string, string>>): unknown {
  try {
    return argumentValue(schema, fields[name] ?? "");
  } catch {
    throw new Error(`The argument ${name} is no ${schema.type}. Expected JSON, such as ${exampleOf(schema)}.`);
  }
}

function exampleOf({ type }: ArgumentSchema): string {
  return type === "array" ? "[1, 2]" : type === "object" ? '{"name": "value"}' : "3";
}
