/** The expert: takes the golden actions of the task, and then tells what the user is to be told. */
import type { Tau2 } from "./env.js";
import type { Message } from "./episode/message.js";
import type { GoldenAction, Tau2Task } from "./episode/task.js";
import { isEqual } from "./python/operations.js";
import { jsonText } from "./python/text.js";

/** Returns null if the user has to act, too: only the user's own script knows whether that happens. */
export function nextAction({ task, messages, ending }: Tau2): string | null {
  if (!task || ending) return null;
  const golden = task.criteria?.actions ?? [];
  if (golden.some(({ requestor }) => requestor === "user") || needsMore(task)) return null;
  if (!messages.some(({ role }) => role === "user")) return "say Hello.";
  const next = remaining(golden, messages)[0];
  if (next) return `${next.name} ${jsonText(next.arguments)}`;
  return `say ${(task.criteria?.told ?? []).join(". ") || "That is done."}`;
}

/** Whether the task asks for a state of the databases and names no actions that lead there. */
function needsMore({ criteria }: Tau2Task): boolean {
  return criteria !== undefined && !criteria.actions && (criteria.assertions ?? []).length > 0;
}

/** Returns the golden actions that have not been taken yet, in their order. */
function remaining(golden: readonly GoldenAction[], messages: readonly Message[]): GoldenAction[] {
  const rest = [...golden];
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const { name, arguments: args } of message.calls ?? [])
      if (rest[0]?.name === name && isEqual(rest[0].arguments, args)) rest.shift();
  }
  return rest;
}
