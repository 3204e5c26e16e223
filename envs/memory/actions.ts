/** Parses the actions of memory: an action is the first complete tag in the model's text. */
import { stripped } from "../shared/questions/squad.js";
import { firstTag } from "../shared/questions/tags.js";

export type MemoryAction =
  | { kind: "search"; query: string }
  /** `offset` is the position in the session's text, in characters. */
  | { kind: "open"; session: string; offset: number }
  | { kind: "answer"; answer: string }
  | { kind: "invalid" };

const kinds = ["search", "open", "answer"];

export function readAction(text: string): MemoryAction {
  const { kind, content: raw = "" } = firstTag(text, kinds) ?? {};
  const content = stripped(raw);
  if (kind === "search") return { kind, query: content };
  if (kind === "answer") return { kind, answer: content };
  if (kind !== "open") return { kind: "invalid" };
  const [session = "", from, offset = "", ...rest] = content.split(/\s+/);
  if (from !== "from" || !/^\d{1,9}$/.test(offset) || rest.length > 0) return { kind, session: content, offset: 0 };
  return { kind, session, offset: Number(offset) };
}
