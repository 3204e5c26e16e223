/** Splits a written date into words, numbers and signs like the package python-dateutil. */

/** @param text ASCII text */
export function dateTokens(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const [run = "", kind] = runAt(text, at);
    at += run.length;
    // A number with one decimal point stays whole. Other runs with points or commas are split at these signs.
    const isParted = kind !== "plain" && (/[a-z]/i.test(run) || run.split(".").length > 2 || /[.,]$/.test(run));
    const parts = isParted ? run.split(/([.,])/).filter((part, index) => index === 0 || part !== "") : [run];
    if (kind === "number" && !parts[0]?.includes(".")) parts[0] = (parts[0] as string).replaceAll(",", ".");
    tokens.push(...parts);
  }
  return tokens;
}

type Kind = "plain" | "number" | "words";

/** Returns the longest run of letters or digits from a position. Points, and commas after digits, belong to the run. */
function runAt(text: string, start: number): [run: string, kind: Kind] {
  const first = text[start] as string;
  if (/\s/.test(first)) return [" ", "plain"];
  let isLetters = /[a-z]/i.test(first);
  if (!isLetters && !/\d/.test(first)) return [first, "plain"];
  let hasPoint = false;
  let at = start + 1;
  for (; at < text.length; at++) {
    const next = text[at] as string;
    const isSame = (isLetters ? /[a-z]/i : /\d/).test(next);
    if (isSame) continue;
    if (next === "." || (next === "," && !isLetters && !hasPoint && at - start >= 2)) hasPoint = true;
    else if (hasPoint && text[at - 1] === "." && /[a-z\d]/i.test(next)) isLetters = !isLetters;
    else break;
  }
  return [text.slice(start, at), !hasPoint ? "plain" : isLetters ? "words" : "number"];
}
