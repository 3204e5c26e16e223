import type { Tool } from "../api.js";

/**
 * Returns the action of a tool call, by the template of the tool (see the schema `Tool`).
 *
 * @param fields text of each argument. A list is given with one entry per comma
 */
export function actionOf({ action, parameters }: Tool, fields: Readonly<Record<string, string>>): string {
  const schemas = (parameters.properties ?? {}) as Record<string, { type?: string }>;
  const given = Object.entries(fields).filter(([, text]) => text !== "");
  if (action.endsWith("{arguments}")) {
    const values = given.map(([name, text]) => [name, argumentOf(text, schemas[name]?.type)]);
    return action.replace("{arguments}", () => JSON.stringify(Object.fromEntries(values)));
  }
  return action.replace(/"\{(\w+)\}"|\{(\w+)\}/g, (_, quoted?: string, plain?: string) =>
    quoted === undefined ? (fields[plain as string] ?? "").trim() : JSON.stringify(fields[quoted] ?? ""),
  );
}

function argumentOf(text: string, type: string | undefined): unknown {
  if (type === "string" || type === undefined) return text;
  if (type === "array") return text.split(",").map((entry) => entry.trim());
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
