/** Text with marks, such as those around the calls in a reply. */

/**
 * Returns the texts between an opening and a closing mark, and the text outside them. The last one may lack its closing
 * mark. Its opening mark then counts as text outside, unless the closing mark is optional.
 */
export function sections(
  text: string,
  opening: string,
  closing: string,
  last: "closed" | "optional" = "closed",
): { readonly texts: string[]; readonly outside: string } {
  const texts: string[] = [];
  const others: string[] = [];
  let rest = 0;
  for (let at = text.indexOf(opening); at >= 0; ) {
    const start = at + opening.length;
    const end = text.indexOf(closing, start);
    const isOpen = end < 0;
    texts.push(text.slice(start, isOpen ? undefined : end));
    others.push(text.slice(rest, isOpen && last === "closed" ? start : at));
    rest = isOpen ? text.length : end + closing.length;
    at = isOpen ? -1 : text.indexOf(opening, rest);
  }
  return { texts, outside: [...others, text.slice(rest)].join("") };
}

/** Returns the text without any of the marks. */
export function withoutAll(text: string, marks: readonly string[]): string {
  return marks.reduce((rest, mark) => rest.split(mark).join(""), text);
}

/** Splits a text at the first place of a separator. */
export function split(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
