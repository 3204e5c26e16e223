/**
 * Format of Markdown texts. The comparison ignores trailing spaces, differences between list markers, and line breaks
 * inside links.
 */
import { pyStrip } from "../python/value.js";
import { type Format, haveCommon } from "./format.js";

export const markdown: Format<string> = {
  read(value) {
    const content = typeof value === "string" ? pyStrip(value) : "";
    return content === "" ? undefined : pyStrip(withOneForm(content));
  },
  isMatch: haveCommon,
};

function withOneForm(content: string): string {
  const lines = content
    .replace(/\r\n?/g, "\n")
    .replace(/(?<![ \t])[ \t]+(?=\n|$)/g, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/(?<![^\n])([^\S\n]*#{1,6})[ \t]+/g, "$1 ")
    .replace(/(?<![^\n])([^\S\n]*)[*+][ \t]+/g, "$1- ")
    .replace(/(?<![^\n])[ \t]+-/g, "  -");
  const withTexts = eachBracket(joinedLinks(lines), "[", "]", (text) => pyStrip(text).split(/\s+/).join(" "));
  return eachBracket(withTexts, "(", ")", (url) => pyStrip(url) || url.slice(-1));
}

// WebArena-Verified uses regular expressions here, which would take minutes for many brackets.

/** Applies `rewrite` to each non-empty text in brackets. */
function eachBracket(content: string, open: string, close: string, rewrite: (inside: string) => string): string {
  const parts = content.split(close);
  const last = parts.pop() as string;
  const rewritten = parts.map((part) => {
    const at = part.indexOf(open);
    const inside = part.slice(at + 1);
    return at === -1 || inside === "" ? part : `${part.slice(0, at + 1)}${rewrite(inside)}`;
  });
  return [...rewritten, last].join(close);
}

/** Replaces the first line break in the text of each link `[text](url)` with a space. */
function joinedLinks(content: string): string {
  let joined = "";
  let done = 0;
  for (let search = 0; ; ) {
    const end = content.indexOf("](", search);
    const close = end === -1 ? -1 : content.indexOf(")", end + 2);
    if (close === -1) return joined + content.slice(done);
    const open = content.indexOf("[", Math.max(done, content.lastIndexOf("]", end - 1) + 1));
    const line = open === -1 ? -1 : content.indexOf("\n", open);
    search = end + 1;
    if (open === -1 || open > end || line === -1 || line > end || close === end + 2) continue;
    joined += `${content.slice(done, line)} ${content.slice(line, end).replace(/^\s+/, "")}${content.slice(end, close + 1)}`;
    done = close + 1;
    search = done;
  }
}
