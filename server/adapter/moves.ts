/**
 * Conversion of the moves of outside protocols to actions. A move is the text of an action, or the call of a tool. An
 * environment whose actions are text only has one tool, `act`, so that a client that only calls tools can play it.
 */
import { Ajv, type ValidateFunction } from "ajv";
import type { AnyEnvironmentSpec, Options, Tool } from "../../envs/env.js";
import { toolsOf } from "../../envs/registry.js";
import { shortened, shown } from "../errors.js";

export interface ToolCall {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

export type Move = string | ToolCall;

/** A call that no tool of the environment takes. The environment does not see it, and the episode is as before. */
export class MoveError extends Error {
  override readonly name = "MoveError";

  constructor(
    readonly fault: "tool_unknown" | "arguments_invalid",
    expected: string,
    received: string,
  ) {
    super(`expected ${expected}, but received ${received}`);
  }
}

const act: Tool = {
  name: "act",
  description: "Takes an action, and returns what is observed after it. The instructions describe the actions.",
  parameters: {
    type: "object",
    properties: { action: { type: "string", description: "Text of the action." } },
    required: ["action"],
    additionalProperties: false,
  },
  action: "{action}",
};

/** Returns the tools for an agent that plays with these options: at least one. @throws {UnknownOption} */
export function offeredTools(spec: AnyEnvironmentSpec, options: Options): readonly Tool[] {
  const tools = toolsOf(spec, options);
  return tools.length > 0 ? tools : [act];
}

/** Placeholder of a parameter in a template. Quotation marks around it mean that the value is written as JSON. */
const placeholder = /"\{\w+\}"|\{\w+\}/g;
const objectAtTheEnd = "{arguments}";

/** Returns the action of a move. @throws {MoveError} */
export function actionOf(move: Move, tools: readonly Tool[]): string {
  if (typeof move === "string") return move;
  const tool = tools.find(({ name }) => name === move.name);
  if (!tool) throw new MoveError("tool_unknown", `one of the tools ${namesOf(tools)}`, shown(move.name));
  check(tool, move.arguments);
  if (tool.action.endsWith(` ${objectAtTheEnd}`))
    return tool.action.slice(0, -objectAtTheEnd.length) + JSON.stringify(move.arguments);
  return tool.action.replace(placeholder, (place) => {
    const value = move.arguments[place.replace(/["{}]/g, "")];
    if (place.startsWith('"')) return JSON.stringify(value);
    return Array.isArray(value) ? value.join(", ") : String(value);
  });
}

const longestNames = 500;

function namesOf(tools: readonly Tool[]): string {
  return shortened(tools.map(({ name }) => name).join(", "), longestNames);
}

function check(tool: Tool, given: unknown): void {
  const fits = validatorOf(tool);
  if (fits(given)) return;
  const { instancePath = "", message = "do not fit" } = fits.errors?.[0] ?? {};
  const what = instancePath === "" ? "the arguments" : shortened(instancePath.slice(1), 100);
  throw new MoveError(
    "arguments_invalid",
    `arguments of ${tool.name} that fit its schema: ${what} ${message}`,
    shown(JSON.stringify(given)),
  );
}

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
const validators = new WeakMap<Tool, ValidateFunction>();

/** The conformance suite has checked that the schemas of tools are valid. */
function validatorOf(tool: Tool): ValidateFunction {
  let validator = validators.get(tool);
  if (!validator) {
    validator = ajv.compile(tool.parameters);
    validators.set(tool, validator);
  }
  return validator;
}
