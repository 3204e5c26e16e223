/** Conversion of calls of an environment's tools to actions and back. */

import { createRequire } from "node:module";
import type { Ajv, ValidateFunction } from "ajv";
import { isDeeperThan } from "../nesting.js";
import { FormatError, type Reading, type Tool } from "./action-format.js";

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type { Tool } from "./action-format.js";

/** Tool of an environment whose actions are only text, so that a client that only calls tools can play it. */
export const act = {
  name: "act",
  description: "Takes an action, and returns what is observed after it. The instructions describe the actions.",
  parameters: {
    type: "object" as const,
    properties: { action: { type: "string" as const, description: "Text of the action." } },
    required: ["action"],
    additionalProperties: false as const,
  },
  action: "{action}",
};

/** Returns the tools with which an environment can be played: at least one. */
export function offered<T>(tools: readonly T[]): readonly (T | typeof act)[] {
  return tools.length > 0 ? tools : [act];
}

/** Placeholder of a parameter in a template. Quotation marks around it mean that the value is written as JSON. */
const placeholder = /("\{\w+\}"|\{\w+\})/g;
const jsonText = '("(?:[^"\\\\]|\\\\.)*")';
const listSeparator = ", ";

/**
 * Converts a call to an action. A call that does not match its tool is refused, and the refusal states the expected
 * form.
 */
export function actionOf({ name, arguments: given }: ToolCall, tools: readonly Tool[]): Reading {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return refusal(`a call of ${oneOf(tools.map((each) => each.name))}`, JSON.stringify(name));
  if (isDeeperThan(deepest, given))
    return refusal(`arguments of ${name} with at most ${deepest} levels of nesting`, "more levels");
  const fits = validatorOf(tool);
  if (!fits(given)) {
    const [{ instancePath, message } = { instancePath: "", message: "they do not fit" }] = fits.errors ?? [];
    const what = instancePath ? instancePath.slice(1) : "arguments";
    return refusal(`arguments of ${name} that fit, where ${what} ${message}`, JSON.stringify(given));
  }
  return { action: writtenAction(tool, given) };
}

/** Writes the action of a call whose arguments match the tool. */
export function writtenAction(tool: Pick<Tool, "action">, given: ToolCall["arguments"]): string {
  const opening = beforeObject(tool);
  if (opening !== undefined) return `${opening}${JSON.stringify(given)}`;
  return tool.action.replace(placeholder, (place) => {
    const value = given[nameIn(place)];
    if (isJson(place)) return JSON.stringify(value);
    return Array.isArray(value) ? value.join(listSeparator) : String(value);
  });
}

/** Limit on the actions of one tool, whose parameters can have many combinations of values. */
const mostActions = 10_000;

/**
 * Returns the action of each possible call of a tool whose parameters all have a list of values (`enum`, `const` or
 * `type: "boolean"`). Undefined for any other tool, and for one with too many calls.
 */
export function enumeratedActions(tool: Tool): string[] | undefined {
  let calls: Record<string, unknown>[] = [{}];
  for (const [name, parameter] of Object.entries(tool.parameters.properties ?? {})) {
    const values = valuesOf(parameter);
    if (values === undefined || calls.length * values.length > mostActions) return undefined;
    calls = calls.flatMap((call) => values.map((value) => ({ ...call, [name]: value })));
  }
  const readings = calls.map((call) => actionOf({ name: tool.name, arguments: call }, [tool]));
  return readings.flatMap((reading) => ("action" in reading ? [reading.action] : []));
}

function valuesOf(parameter: unknown): readonly unknown[] | undefined {
  const {
    enum: values,
    const: value,
    type,
  } = (parameter ?? {}) as { enum?: unknown[]; const?: unknown; type?: string };
  if (Array.isArray(values)) return values;
  if (value !== undefined) return [value];
  return type === "boolean" ? [true, false] : undefined;
}

/** Converts an action to a call; undefined if no tool corresponds to the action. */
export function callOf(action: string, tools: readonly Tool[]): ToolCall | undefined {
  for (const tool of tools) {
    const call = callOfTool(action, tool);
    if (call && isDeeperThan(deepest, call.arguments)) continue;
    // The spaces in the JSON object may differ.
    if (call && beforeObject(tool) !== undefined) return call;
    const said = call && actionOf(call, tools);
    if (said && "action" in said && said.action === action) return call;
  }
  return undefined;
}

/** Checks the schemas of tools. @throws {FormatError} a tool's schema is invalid */
export function checkTools(tools: readonly Tool[]): void {
  for (const tool of tools) {
    try {
      validatorOf(tool);
    } catch (error) {
      throw new FormatError(
        `expected the parameters of ${tool.name} as a valid JSON Schema, but received: ${(error as Error).message}`,
      );
    }
  }
}

/** Writes a tool in the form of OpenAI's API and of chat templates. */
export function functionOf({ name, description, parameters }: Tool) {
  return { type: "function", function: { name, description, parameters } } as const;
}

export function refusal(expected: string, received: string): { refusal: string } {
  const shown = received.length > 200 ? `${received.slice(0, 200)}...` : received;
  return { refusal: `Error: expected ${expected}, but received ${shown}.` };
}

/**
 * Returns the text before the arguments if the tool's action ends with all arguments as one JSON object; else
 * undefined.
 */
function beforeObject({ action }: Pick<Tool, "action">): string | undefined {
  const end = " {arguments}";
  return action.endsWith(end) ? action.slice(0, 1 - end.length) : undefined;
}

function callOfTool(action: string, tool: Tool): ToolCall | undefined {
  const { name, action: template, parameters } = tool;
  const opening = beforeObject(tool);
  if (opening !== undefined) {
    const given = action.startsWith(opening) ? parsed(action.slice(opening.length)) : undefined;
    return isObject(given) && validatorOf(tool)(given) ? { name, arguments: given } : undefined;
  }
  const parts = template.split(placeholder);
  const places = parts.filter((_, at) => at % 2 === 1);
  const typeOf = (place: string) => parameters.properties?.[nameIn(place)]?.type;
  const pattern = parts.map((part, at) => {
    if (at % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (isJson(part)) return jsonText;
    if (typeOf(part) === "integer") return "(0|-?[1-9][0-9]*)";
    // The last placeholder matches the rest of the action, such as a program of many lines or an empty file.
    return at === parts.length - 2 && parts.at(-1) === "" ? "([^]*)" : "(.+)";
  });
  const match = new RegExp(`^${pattern.join("")}$`).exec(action);
  if (!match) return undefined;
  const given = places.map((place, at) => [nameIn(place), argumentOf(match[at + 1] as string, place, typeOf(place))]);
  return { name, arguments: Object.fromEntries(given) };
}

function argumentOf(text: string, place: string, type: unknown): unknown {
  if (isJson(place)) return parsed(text);
  if (type === "integer") return Number(text);
  return type === "array" ? text.split(listSeparator) : text;
}

function nameIn(place: string): string {
  return place.replace(/["{}]/g, "");
}

function isJson(place: string): boolean {
  return place.startsWith('"');
}

/** Limit on the nesting of arguments. Functions that write JSON fail on values that are nested too deeply. */
const deepest = 64;

/** Parses JSON. Returns undefined if it is invalid, for example because of an unescaped line feed. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const require = createRequire(import.meta.url);
let ajv: Ajv | undefined;
const validators = new WeakMap<Tool, ValidateFunction>();

function validatorOf(tool: Tool): ValidateFunction {
  let validator = validators.get(tool);
  if (!validator) {
    // The validator is large, and most programs that load this file never check a call.
    ajv ??= new (require("ajv") as typeof import("ajv")).Ajv({ strict: false, validateFormats: false });
    validator = ajv.compile(tool.parameters);
    validators.set(tool, validator);
  }
  return validator;
}

function oneOf(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : String(names[0]);
}
