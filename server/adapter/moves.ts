/**
 * Conversion of the moves of outside protocols to actions. A move is the text of an action, or the call of a tool. An
 * environment whose actions are text only has one tool, `act`, so that a client that only calls tools can play it.
 */
import type { AnyEnvironmentSpec, Options, Tool } from "../../envs/env.js";
import { toolsOf } from "../../envs/registry.js";
import { shortened, shown } from "../errors.js";
import { offered, writtenAction } from "../formats/actions/tool-call.js";

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

/** Returns the tools for an agent that plays with these options: at least one. @throws {UnknownOption} */
export function offeredTools(spec: AnyEnvironmentSpec, options: Options): readonly Tool[] {
  return offered(toolsOf(spec, options));
}

/** Returns the action of a move. @throws {MoveError} */
export async function actionOf(move: Move, tools: readonly Tool[]): Promise<string> {
  if (typeof move === "string") return move;
  const tool = tools.find(({ name }) => name === move.name);
  if (!tool) throw new MoveError("tool_unknown", `one of the tools ${namesOf(tools)}`, shown(move.name));
  await check(tool, move.arguments);
  return writtenAction(tool, move.arguments);
}

const longestNames = 500;

function namesOf(tools: readonly Tool[]): string {
  return shortened(tools.map(({ name }) => name).join(", "), longestNames);
}

async function check(tool: Tool, given: unknown): Promise<void> {
  // The validator of JSON Schemas is loaded on first use, since it is large.
  const { faultIn } = await import("./tool-arguments.js");
  const fault = faultIn(tool, given);
  if (fault === null) return;
  const expected = `arguments of ${tool.name} that fit its schema: ${fault}`;
  throw new MoveError("arguments_invalid", expected, shown(JSON.stringify(given)));
}
