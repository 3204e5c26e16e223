/**
 * Parses the actions of a task. The first word names a tool, and the rest of the text holds the tool's argument or a JSON
 * object of arguments.
 */
import { Ajv, type ValidateFunction } from "ajv";
import type { Tool } from "../env.js";
import type { Arguments } from "../shared/tools/tool-kit.js";

export type CustomAction =
  | { kind: "submit"; answer: string }
  | { kind: "call"; tool: Tool; given: Arguments }
  /** Observation that reports the invalid action to the agent. */
  | { kind: "refused"; observation: string };

export const submit: Tool = {
  name: "submit",
  description: "Gives the answer, and ends the task.",
  parameters: {
    type: "object",
    properties: { answer: { type: "string", description: "The answer alone." } },
    required: ["answer"],
    additionalProperties: false,
  },
  action: "submit {answer}",
};

// Ajv does not check formats here, because a schema may name any format. Schemas are not registered, because two tools may
// share one `$id`.
const ajv = new Ajv({ strict: false, validateFormats: false, addUsedSchema: false });
/** Maximum nesting depth of a call's arguments. */
const deepest = 100;
/**
 * Matches the code fence that models often put around JSON. White space without line breaks follows the language, so
 * the pattern does not backtrack quadratically over blank lines.
 */
const fence = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```\s*$/;

/** Reads the actions of an environment. If the environment has no tools, the agent's whole text is the answer. */
export class ActionReader {
  private readonly tools: ReadonlyMap<string, { tool: Tool; fits: ValidateFunction }>;

  /** @throws {RangeError} the parameters of a tool are not a valid JSON Schema */
  constructor(tools: readonly Tool[]) {
    this.tools = new Map(tools.map((tool) => [tool.name, { tool, fits: validatorOf(tool) }]));
  }

  read(text: string): CustomAction {
    const trimmed = text.trim();
    const [, name = "", rest = ""] = /^(\w+)(?:\s+([\s\S]*))?$/.exec(trimmed) ?? [];
    if (name === submit.name && rest !== "") return { kind: "submit", answer: rest };
    if (this.tools.size === 0) return { kind: "submit", answer: trimmed };
    const known = this.tools.get(name);
    if (!known)
      return this.refuse(`an action that begins with ${[...this.tools.keys(), submit.name].join(", ")}`, text);
    const { tool, fits } = known;
    const given = argumentsOf(tool, rest);
    if (given === undefined) return this.refuse(formOf(tool), text);
    if (fits(given)) return { kind: "call", tool, given };
    const [{ instancePath, message } = { instancePath: "", message: "" }] = fits.errors ?? [];
    return this.refuse(
      `arguments of ${name} that match its schema (${instancePath.slice(1) || "they"} ${message})`,
      text,
    );
  }

  private refuse(expected: string, received: string): CustomAction {
    const shown = received.length > 200 ? `${received.slice(0, 200).toWellFormed()}...` : received;
    return { kind: "refused", observation: `Error: expected ${expected}, but received ${JSON.stringify(shown)}.` };
  }
}

/** Returns the answer in a text that is scored without an episode: `submit` at its start is removed. */
export function answerIn(text: string): string {
  const [, rest] = /^submit\s+([\s\S]+)$/.exec(text.trim()) ?? [];
  return rest ?? text.trim();
}

/** Describes how an action of a tool is written, for errors. */
function formOf({ name, action }: Tool): string {
  if (takesJson(action)) return `${name} with its arguments as a JSON object, nested at most ${deepest} deep`;
  return action === name ? `${name} alone` : action;
}

/** Whether an action template ends with all arguments as one JSON object. */
export function takesJson(action: string): boolean {
  return action.endsWith(" {arguments}");
}

function argumentsOf({ parameters, action }: Tool, rest: string): Arguments | undefined {
  if (!takesJson(action)) {
    const [name] = Object.keys(parameters.properties ?? {});
    if (name === undefined && rest === "") return {};
    return rest === "" || name === undefined ? undefined : { [name]: rest };
  }
  try {
    const value: unknown = JSON.parse(fence.exec(rest)?.[1] ?? (rest || "{}"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return isWithin(value, deepest) ? (value as Arguments) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a value is nested at most `depth` levels deep. `JSON.stringify` of a deeper value could overflow the stack.
 */
function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((entry) => isWithin(entry, depth - 1));
}

function validatorOf({ name, parameters }: Tool): ValidateFunction {
  const refuse = (received: string) =>
    new RangeError(`expected a valid JSON Schema as the parameters of ${name}, but received: ${received}`);
  // Ajv validates a schema with "$async" asynchronously, and a promise would always count as true.
  if ("$async" in parameters) throw refuse("a schema with $async");
  try {
    return ajv.compile(parameters);
  } catch (error) {
    throw refuse((error as Error).message);
  }
}
