/**
 * Parses the actions of Search-R1 and of AgentGym's SearchQA. The action is the first complete tag in the model's text.
 */
import { stripped } from "../shared/questions/squad.js";
import { firstTag, tagsOf } from "../shared/questions/tags.js";

export type SearchAction =
  | { kind: "search"; query: string }
  /** `answer` is the last answer in the text. */
  | { kind: "answer"; answer: string }
  | { kind: "invalid" };

export function readAction(text: string): SearchAction {
  const { kind, content = "" } = firstTag(text, ["search", "answer"]) ?? {};
  if (kind === "search") return { kind, query: stripped(content) };
  if (kind !== "answer") return { kind: "invalid" };
  return { kind, answer: stripped(tagsOf(text, "answer").at(-1)?.content ?? "") };
}
