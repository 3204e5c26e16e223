/** JSON Schemas of parameters, for the descriptions of tools. */
import type { ParameterSchema } from "./toolkit.js";

export function textParameter(description: string, values?: readonly string[]): ParameterSchema {
  return { type: "string", description, ...(values && { enum: values }) };
}

export function intParameter(description: string): ParameterSchema {
  return { type: "integer", description };
}

export function textsParameter(description: string): ParameterSchema {
  return { type: "array", items: { type: "string" }, description };
}

/** @param properties fields of each object: the JSON type of a value, by name */
export function objectsParameter(description: string, properties: Readonly<Record<string, string>>): ParameterSchema {
  const fields = Object.entries(properties).map(([name, type]) => [name, { type }]);
  const items = { type: "object", properties: Object.fromEntries(fields), required: Object.keys(properties) };
  return { type: "array", items, description };
}
