/** The parts of what a model wrote: its thought, and the action. */
import type { Step } from "../../../api.js";

export interface Written {
  thought: string;
  action: string;
  /** False if the gym found no action in the text. */
  isRead: boolean;
}

/** Marks at which an action begins in the forms that the gym reads. */
const beginnings = /(?:^|\n)\s*\**Action:\**\s*|<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>|<function=|```/;
const actionLabel = /(?:^|\n)\s*\**Action:\**[ \t]*\n?/;
const reasoning = /^\s*<think>([\s\S]*?)<\/think>\s*/;

export function writtenIn({ action: text, read }: Pick<Step, "action" | "read">): Written {
  if (read === null) return { thought: "", action: text, isRead: false };
  const reasoned = reasoning.exec(text);
  const rest = reasoned ? text.slice(reasoned[0].length) : text;
  const before = reasoned?.[1] ?? "";
  if (read !== undefined) return { thought: joined(before, thoughtBefore(rest, read)), action: read, isRead: true };
  const label = actionLabel.exec(rest);
  if (!label) return { thought: before.trim(), action: rest, isRead: true };
  const action = rest.slice(label.index + label[0].length).trim();
  return { thought: joined(before, rest.slice(0, label.index)), action, isRead: true };
}

function thoughtBefore(text: string, read: string): string {
  const begins = beginnings.exec(text)?.index ?? text.lastIndexOf(read);
  return begins > 0 ? text.slice(0, begins) : "";
}

function joined(...parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/^\s*\**Thought:\**\s*/, "").trim())
    .filter(Boolean)
    .join("\n");
}
