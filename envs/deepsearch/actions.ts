/** Actions of deep search: the text of the model. The first complete tag in the text is the action. */
import { stripped } from "../questions/squad.js";
import { firstTag, type Tag, tagsOf, withoutTags } from "../questions/tags.js";

export type DeepAction =
  | { kind: "search"; query: string }
  /** `offset` counts characters of the text of the page. */
  | { kind: "open"; page: string; offset: number }
  /** `cited` has ids of pages. */
  | { kind: "answer"; answer: string; cited: string[] }
  | { kind: "invalid" };

/** Tags. `access` is ASearcher's name for `open`. */
const kinds = ["search", "open", "access", "answer"];

/** Largest number of citations of an answer that are read. */
export const mostCited = 20;

export function readAction(text: string): DeepAction {
  const tag = firstTag(text, kinds);
  if (tag === undefined) return { kind: "invalid" };
  if (tag.kind === "search") return { kind: "search", query: stripped(tag.content) };
  return tag.kind === "answer" ? answerOf(text, tag) : openOf(stripped(tag.content));
}

/** Parses `page` or `page from 4000`. */
function openOf(content: string): DeepAction {
  const at = content.lastIndexOf("from");
  const [page, offset] = [content.slice(0, at), content.slice(at + "from".length)];
  if (at < 0 || !/\s$/.test(page) || !/^\s+\d{1,9}$/.test(offset)) return { kind: "open", page: content, offset: 0 };
  return { kind: "open", page: page.trimEnd(), offset: Number(offset) };
}

/** Returns the citations, within the tag of the answer or after it. */
function answerOf(text: string, { content, from }: Tag): DeepAction {
  const pages = tagsOf(text.slice(from), "cite").flatMap(({ content: list }) => list.split(","));
  const cited = [...new Set(pages.map((page) => stripped(page)).filter((page) => page !== ""))].slice(0, mostCited);
  return { kind: "answer", answer: stripped(withoutTags(content, tagsOf(content, "cite"))), cited };
}
