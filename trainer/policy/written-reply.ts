/** Replies of policies without a model, written in the action format. */
import type { ActionFormat } from "../actions/action-format.js";
import type { Tool } from "../gym/gym.js";
import { PolicyError, type Reply } from "./policy.js";

/**
 * Writes a reply.
 *
 * @param action action; empty to do nothing
 * @throws {PolicyError} ACTION_UNSAYABLE: no tool stands for it
 */
export function writtenReply(format: ActionFormat, action: string, tools: readonly Tool[]): Reply {
  const text = format.write(action, tools) ?? (action === "" ? "" : undefined);
  if (text !== undefined) return { text, finish: "stop", first: 0, end: 0 };
  const message = `expected a tool that stands for ${JSON.stringify(action)}, but received none`;
  throw new PolicyError("ACTION_UNSAYABLE", message, false);
}
