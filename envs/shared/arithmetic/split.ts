/** Splits a text at separators outside brackets. */

/** Whether the comma at index `at` separates thousands, as in `1,234`. */
export function isThousands(text: string, at: number): boolean {
  return /(?:^|[^\d.])[1-9]\d{0,2}(?:,\d{3})*$/.test(text.slice(0, at)) && /^,\d{3}(?!\d)/.test(text.slice(at));
}

/** Splits a text at the separators that are outside all brackets. Empty parts are left out. */
export function splitAtTop(text: string, separator: RegExp, isPart = (_text: string, _at: number) => false): string[] {
  return (parted(text, separator, isPart, false) as string[]).filter((part) => part.trim() !== "");
}

/**
 * Splits the text inside brackets. Returns null if brackets close before they open, because the brackets around the text
 * are not a pair then.
 */
export function splitInside(
  text: string,
  separator: RegExp,
  isPart: (text: string, at: number) => boolean,
): string[] | null {
  return parted(text, separator, isPart, true);
}

function parted(
  text: string,
  separator: RegExp,
  isPart: (text: string, at: number) => boolean,
  isInside: boolean,
): string[] | null {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if ("([{".includes(text[at] as string)) depth++;
    if (")]}".includes(text[at] as string)) depth--;
    if (depth < 0 && isInside) return null;
    const [found] = depth === 0 ? (separator.exec(text.slice(at, at + 20)) ?? []) : [];
    if (found === undefined || isPart(text, at)) continue;
    parts.push(text.slice(start, at));
    start = at + found.length;
    at = start - 1;
  }
  parts.push(text.slice(start));
  return parts;
}
