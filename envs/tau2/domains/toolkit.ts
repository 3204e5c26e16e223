/** The tools of a domain, and the calls of tools with the answers of tau2-bench. */
import { jsonText, textOf } from "../python/text.js";
import { type Dict, ToolFailed, type Value } from "../python/value.js";
import type { Database } from "./table.js";

export type Arguments = Readonly<Record<string, Value>>;

/** JSON Schema of a parameter. */
export type ParameterSchema = Readonly<Record<string, unknown>>;

export interface DomainTool {
  /** Whether the tool changes the database (`write`), only reads it, or neither. */
  kind: "read" | "write" | "generic";
  /** Description for the agent. */
  description: string;
  /** Parameters in the order of tau2-bench's signature. */
  parameters: Readonly<Record<string, ParameterSchema>>;
  /** Values of the parameters that a call may leave out. */
  fallbacks?: Arguments;
  /** @throws {ToolFailed} */
  run(database: Database, args: Arguments): Value;
}

/** The tools of one side, the agent's or the user's. */
export interface Toolkit {
  /** Name of tau2-bench's class, which errors name. */
  className: string;
  tools: Readonly<Record<string, DomainTool>>;
  /** Functions that are no tools: checks, and changes before an episode. */
  functions: Readonly<Record<string, Omit<DomainTool, "kind" | "description">>>;
}

export interface ToolAnswer {
  content: string;
  isError: boolean;
}

/** Calls a tool. The answer to a wrong call is an error, after which the database may have changed in part, as in tau2-bench. */
export function answerTo(
  toolkit: Toolkit | undefined,
  database: Database | undefined,
  name: string,
  args: Dict,
): ToolAnswer {
  try {
    if (!toolkit || !database) throw new ToolFailed("User tools not available");
    const tool = Object.hasOwn(toolkit.tools, name) ? toolkit.tools[name] : undefined;
    if (!tool) throw new ToolFailed(`Tool '${name}' not found.`);
    const result = tool.run(database, bound(`${toolkit.className}.${name}()`, tool, args));
    return { content: typeof result === "string" ? result : jsonText(result), isError: false };
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    return { content: `Error: ${error.message}`, isError: true };
  }
}

/**
 * Returns the arguments of a call by name.
 *
 * @throws {ToolFailed} with the text of Python's TypeError
 */
export function bound(
  caller: string,
  { parameters, fallbacks = {} }: Pick<DomainTool, "parameters" | "fallbacks">,
  args: ReadonlyMap<string, Value>,
): Arguments {
  if (args.has("self")) throw new ToolFailed(`${caller} got multiple values for argument 'self'`);
  const extra = [...args.keys()].find((key) => !Object.hasOwn(parameters, key));
  if (extra !== undefined) throw new ToolFailed(`${caller} got an unexpected keyword argument '${extra}'`);
  const missing = Object.keys(parameters).filter((key) => !args.has(key) && !Object.hasOwn(fallbacks, key));
  if (missing.length > 0) {
    const count =
      missing.length === 1 ? "1 required positional argument" : `${missing.length} required positional arguments`;
    throw new ToolFailed(`${caller} missing ${count}: ${listed(missing)}`);
  }
  return { ...fallbacks, ...Object.fromEntries(args) };
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 3) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}

/** Returns a text with a value in it, as an f-string of Python writes it. */
export function filled(strings: TemplateStringsArray, ...values: readonly Value[]): string {
  return strings.map((part, at) => (at === 0 ? part : textOf(values[at - 1] as Value) + part)).join("");
}
