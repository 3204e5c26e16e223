/** The forms of OpenEnv's actions and observations, between the text that a model writes or reads and JSON. */
import { Ajv, type ValidateFunction } from "ajv";
import type { JsonValue, ObjectSchema, ObservationPart, Tool } from "../env.js";
import { isObject, type JsonObject } from "./calls.js";

/** How the text of an action becomes an action of the server. */
export interface ActionForm {
  /** Field that takes the whole text, if the action has one required field and it is a string. */
  field?: string;
  /** JSON Schema of the action, if the text is a JSON object. */
  schema?: JsonObject;
  /** The server's names of its tools by ours, if actions are calls of tools. */
  toolNames?: Record<string, string>;
  tools: Tool[];
}

/** Prefix of an action that is a JSON object. */
const actName = "act";

/** @param mcpTools tools of the server, if its actions are calls of tools */
export function actionForm(schema: JsonObject, mcpTools: readonly JsonObject[]): ActionForm {
  if (mcpTools.length > 0) return toolForm(mcpTools);
  const { properties, required } = schema;
  const fields = Array.isArray(required) ? required : [];
  const [field] = fields;
  const declared = isObject(properties) && typeof field === "string" ? properties[field] : undefined;
  if (fields.length === 1 && isObject(declared) && declared.type === "string")
    return { field: field as string, tools: [] };
  const parameters = { ...withoutMetadata(schema), type: "object" } as ObjectSchema;
  const description = "Performs the action that the arguments describe.";
  return {
    schema: parameters as JsonObject,
    tools: [{ name: actName, description, parameters, action: `${actName} {arguments}` }],
  };
}

function toolForm(mcpTools: readonly JsonObject[]): ActionForm {
  const toolNames: Record<string, string> = {};
  const tools = mcpTools.flatMap((tool) => {
    const name = String(tool.name);
    const own = slug(name);
    if (Object.hasOwn(toolNames, own)) return [];
    toolNames[own] = name;
    const schema = [tool.inputSchema, tool.input_schema].find(isObject) ?? {};
    const parameters = { ...schema, type: "object" } as ObjectSchema;
    const description =
      typeof tool.description === "string" && tool.description.trim() !== "" ? tool.description : name;
    return [{ name: own, description, parameters, action: `${own} {arguments}` }];
  });
  return { toolNames, tools };
}

function slug(name: string): string {
  const text = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(text) ? text : `tool_${text}`;
}

/** Every action of OpenEnv may have a field `metadata`, which agents do not need. */
function withoutMetadata(schema: JsonObject): JsonObject {
  const { metadata, ...properties } = isObject(schema.properties) ? schema.properties : {};
  return { ...schema, properties };
}

export function promptFor({ field, schema, tools }: ActionForm, description: string): string {
  const intro = description === "" ? [] : [description];
  if (field !== undefined) return [...intro, `Your whole reply is the action's field \`${field}\`.`].join("\n\n");
  const lines = tools.map(
    ({ action, description: what, parameters }) =>
      `- ${action}: ${what}\n  JSON Schema of {arguments}: ${JSON.stringify(parameters)}`,
  );
  const how = schema === undefined ? "a call of a tool" : "an action";
  return [...intro, `Reply with ${how}, where {arguments} is a JSON object:\n${lines.join("\n")}`].join("\n\n");
}

/** Returns the action for the server, or what is wrong with the text. */
export function messageOf(form: ActionForm, action: string): { data: JsonObject } | { wrong: string } {
  if (form.field !== undefined) return { data: { [form.field]: action } };
  const [, name, rest = ""] = /^\s*([\w-]*)\s*(.*)$/s.exec(action) as unknown as [string, string, string?];
  const given = jsonObject(rest);
  if (form.toolNames) {
    const tool = Object.hasOwn(form.toolNames, name) ? form.toolNames[name] : undefined;
    if (tool === undefined) return { wrong: `expected one of the tools ${Object.keys(form.toolNames).join(", ")}.` };
    if (given === undefined) return { wrong: `expected a JSON object after ${name}.` };
    return { data: { type: "call_tool", tool_name: tool, arguments: given } };
  }
  if (given === undefined || (name !== "" && name !== actName))
    return { wrong: `expected ${actName} and a JSON object, such as ${actName} {}.` };
  const complaint = form.schema && complaintAbout(given, form.schema);
  return complaint === undefined ? { data: given } : { wrong: complaint };
}

function jsonObject(text: string): JsonObject | undefined {
  try {
    const value = text.trim() === "" ? {} : (JSON.parse(text) as JsonValue);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const ajv = new Ajv({ strict: false, validateFormats: false, addUsedSchema: false });
// The server's patterns are not run here, since a pattern may need exponential time for the text of an agent.
ajv.removeKeyword("pattern");
const validators = new WeakMap<JsonObject, ValidateFunction | null>();

/** Checks an action before it is sent, so that a wrong action costs no call. The server has the last word. */
function complaintAbout(action: JsonObject, schema: JsonObject): string | undefined {
  let validate = validators.get(schema);
  if (validate === undefined) {
    try {
      validate = ajv.compile(schema);
    } catch {
      // Only the server understands its schema.
      validate = null;
    }
    validators.set(schema, validate);
  }
  if (validate === null || validate(action)) return undefined;
  const [first] = validate.errors ?? [];
  return `expected an action that fits its schema, but ${first?.instancePath || "it"} ${first?.message}.`;
}

/**
 * Returns the text of an observation: the field that the operator names, else its only string, else the field `text`, else
 * the whole observation as JSON. An observation with more than the text is also a part of the result.
 */
export function observationText(
  observation: JsonValue,
  field: string | undefined,
): { observation: string; parts?: ObservationPart[] } {
  if (typeof observation === "string") return { observation };
  if (!isObject(observation)) return { observation: JSON.stringify(observation) };
  const { metadata, ...shown } = observation;
  const called = toolResult(shown);
  if (called !== undefined) return { observation: called };
  const filled = Object.entries(shown).filter(([, value]) => value !== null);
  const [only] = filled;
  const chosen = field === undefined ? (filled.length === 1 ? only?.[1] : shown.text) : shown[field];
  if (typeof chosen !== "string") return { observation: JSON.stringify(Object.fromEntries(filled)) };
  return { observation: chosen, ...(filled.length > 1 && { parts: [{ type: "json", data: shown }] }) };
}

/** Returns the text of a tool's result, or undefined for any other observation. */
function toolResult({ tool_name: name, result = null, error }: JsonObject): string | undefined {
  if (typeof name !== "string" || (result === null && !error)) return undefined;
  if (isObject(error)) return `Error: ${String(error.message ?? error.error_type)}`;
  if (typeof result === "string") return result;
  if (!isObject(result)) return JSON.stringify(result);
  if (typeof result.data === "string") return result.data;
  const { content } = result;
  const texts = Array.isArray(content) ? content.filter(isObject).map(({ text }) => text) : [];
  const isText = texts.length > 0 && texts.every((text) => typeof text === "string");
  return isText ? texts.join("\n") : JSON.stringify(result.data ?? result);
}
