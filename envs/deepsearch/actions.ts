/** Parses the actions of deep search. The action is the first complete tag in the model's text. */
import { stripped } from "../shared/questions/squad.js";
import { firstTag, type Tag, tagsOf, withoutTags } from "../shared/questions/tags.js";

export type DeepAction =
  | { kind: "search"; query: string }
  /** `offset` is a position in the page's text, in characters. */
  | { kind: "open"; page: string; offset: number }
  /** `cited` contains the ids of the cited pages. */
  | { kind: "answer"; answer: string; cited: string[] }
  | { kind: "invalid" };

/** Names of the tags. `access` is ASearcher's name for `open`. */
const kinds = ["search", "open", "access", "answer"];

/** Maximum number of citations that are read from one answer. */
export const mostCited = 20;

export function readAction(text: string): DeepAction {
  const tag = firstTag(text, kinds);
  if (tag === undefined) return { kind: "invalid" };
  if (tag.kind === "search") return { kind: "search", query: stripped(tag.content) };
  return tag.kind === "answer" ? answerOf(text, tag) : openOf(stripped(tag.content));
}

/** Parses the content of an `open` tag: `page` or `page from 4000`. */
function openOf(content: string): DeepAction {
  const at = content.lastIndexOf("from");
  const [page, offset] = [content.slice(0, at), content.slice(at + "from".length)];
  if (at < 0 || !/\s$/.test(page) || !/^\s+\d{1,9}$/.test(offset)) return { kind: "open", page: content, offset: 0 };
  return { kind: "open", page: page.trimEnd(), offset: Number(offset) };
}

/** Returns the answer with its citations, which are inside the answer's tag or after it. */
function answerOf(text: string, { content, from }: Tag): DeepAction {
  const pages = tagsOf(text.slice(from), "cite").flatMap(({ content: list }) => list.split(","));
  const cited = [...new Set(pages.map((page) => stripped(page)).filter((page) => page !== ""))].slice(0, mostCited);
  return { kind: "answer", answer: stripped(withoutTags(content, tagsOf(content, "cite"))), cited };
}
