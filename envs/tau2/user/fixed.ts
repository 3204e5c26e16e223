/** Users who write the same in each episode of a task. */
import { readFileSync } from "node:fs";
import type { DomainName } from "../domains/domain.js";
import { Reader } from "../episode/reader.js";
import type { Tau2Task } from "../episode/task.js";
import { readJson } from "../python/read.js";
import type { Value } from "../python/value.js";
import { stops } from "../words.js";
import type { User, UserTurn } from "./user.js";

const stop: UserTurn = { content: stops[0] };

/** Returns a user who writes the messages one after the other, and then ends the conversation. */
export function fixedUser(turns: readonly UserTurn[]): User {
  let at = 0;
  return { opens: true, next: async () => turns[at++] ?? stop };
}

/** Returns a user who writes the whole scenario of a task in one message. */
export function letterUser(task: Tau2Task): User {
  return fixedUser([{ content: letterOf(task) }]);
}

function letterOf({ instructions }: Tau2Task): string {
  if (typeof instructions === "string") return instructions;
  const parts = ["known_info", "unknown_info", "reason_for_call", "task_instructions"];
  return parts
    .map((part) => instructions.get(part))
    .filter((part) => typeof part === "string" && part !== "")
    .join("\n");
}

/** Name of the variable with the path of the file of messages. */
export const scriptsVariable = "PALESTRA_TAU2_SCRIPTS";

/**
 * Returns the messages of a task in the file of messages, or undefined if it has none. A message is a text, or a call of one of
 * the user's tools: `{"name": …, "arguments": {…}}`.
 *
 * @throws {Error} the file is missing or has another form
 */
export function scriptOf(domain: DomainName, id: string, path = process.env[scriptsVariable]): UserTurn[] | undefined {
  if (!path) return undefined;
  const file = new Reader(readJson(readFileSync(path, "utf8")), path);
  return file.optional(domain)?.optional(id)?.list().map(turnIn);
}

function turnIn(reader: Reader): UserTurn {
  const value: Value = reader.value;
  if (typeof value === "string") return { content: value };
  return { content: null, calls: [{ name: reader.get("name").text(), arguments: reader.get("arguments").dict() }] };
}
