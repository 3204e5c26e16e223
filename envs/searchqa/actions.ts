/**
 * Actions of Search-R1 and of AgentGym's SearchQA: the text of the model. The first complete tag in the text is the
 * action.
 */
import { stripped } from "../questions/squad.js";
import { firstTag, tagsOf } from "../questions/tags.js";

export type SearchAction =
  | { kind: "search"; query: string }
  /** The last answer in the text, which is scored. */
  | { kind: "answer"; answer: string }
  | { kind: "invalid" };

export function readAction(text: string): SearchAction {
  const { kind, content = "" } = firstTag(text, ["search", "answer"]) ?? {};
  if (kind === "search") return { kind, query: stripped(content) };
  if (kind !== "answer") return { kind: "invalid" };
  return { kind, answer: stripped(tagsOf(text, "answer").at(-1)?.content ?? "") };
}
