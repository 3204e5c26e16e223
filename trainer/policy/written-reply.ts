/** Writes the replies of policies without a model in the action format. */
import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import type { Tool } from "../gym/gym.js";
import { PolicyError, type Reply } from "./policy.js";

/**
 * Writes a reply.
 *
 * @param action action to write; empty for no action
 * @throws {PolicyError} ACTION_UNSAYABLE: no tool corresponds to the action
 */
export function writtenReply(format: ActionFormat, action: string, tools: readonly Tool[]): Reply {
  const text = format.write(action, tools) ?? (action === "" ? "" : undefined);
  if (text !== undefined) return { text, finish: "stop", first: 0, end: 0 };
  const message = `expected a tool for the action ${JSON.stringify(action)}, but the environment has none`;
  throw new PolicyError("ACTION_UNSAYABLE", message, false);
}
