/** Extracts the final answer from a text. */

/** Only the last 65,536 UTF-16 units of a text are searched for the answer. */
const mostRead = 65_536;
const boxes = /\\(?:boxed|fbox)\s*\{/g;
const told = /\banswer\b\**\s*(?:is|:|=)\s*\**:?[ \t]*(\S[^\n]*)/gi;

/**
 * Returns the answer in a text. The answer is the content of the last `\boxed{}`, or else the text after the last
 * `####`. If a text has neither, the answer follows the last "the answer is". Otherwise the whole text is the answer.
 */
export function finalAnswer(text: string): string {
  return markedAnswer(text) ?? text.slice(-mostRead).trim();
}

/** Returns the answer that `\boxed{}`, `####` or "the answer is" marks in a text, or null if none of them is there. */
export function markedAnswer(text: string): string | null {
  const read = text.slice(-mostRead);
  return (boxed(read) ?? lastOf(read, /####[ \t]*([^\n]*)/g) ?? lastOf(read, told))?.trim() ?? null;
}

function boxed(text: string): string | null {
  const last = [...text.matchAll(boxes)].at(-1);
  if (!last) return null;
  const start = last.index + last[0].length;
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    const isEscaped = text[at - 1] === "\\" && text[at - 2] !== "\\";
    if (text[at] === "{" && !isEscaped) depth++;
    if (text[at] === "}" && !isEscaped && --depth === 0) return text.slice(start, at);
  }
  return "";
}

function lastOf(text: string, pattern: RegExp): string | null {
  return [...text.matchAll(pattern)].at(-1)?.[1] ?? null;
}
