/** Splits the text of a page into passages. */

export interface Span {
  /** Position in the text of the page, in UTF-16 code units. */
  start: number;
  length: number;
}

/**
 * Maximum length of a passage in characters. A text up to this length is one passage. wiki-18's passages of 100 words
 * have about 600 characters.
 */
const mostCharacters = 1_500;
/** Approximate length of the passages of a longer text, in characters. */
const wantedCharacters = 1_000;

/** Points at which a text may be split, in order of preference: ends of paragraphs, lines, sentences and words. */
const ends = [/\n\s*\n/g, /\n/g, /[.!?。！？]["'”’)\]]*\s+/g, /\s+/g];

/** Returns consecutive spans of at most `mostCharacters` that cover the text. */
export function passagesOf(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  while (text.length - start > mostCharacters) {
    const length = lengthOfNext(text.slice(start, start + mostCharacters));
    spans.push({ start, length });
    start += length;
  }
  if (text.length > start) spans.push({ start, length: text.length - start });
  return spans;
}

function lengthOfNext(text: string): number {
  for (const end of ends) {
    const places = [...text.matchAll(end)].map(({ index, 0: match }) => index + match.length);
    const place = places.findLast((at) => at >= wantedCharacters / 2 && at <= wantedCharacters);
    if (place !== undefined) return place;
  }
  // The text is never cut between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[wantedCharacters - 1] as string) ? wantedCharacters - 1 : wantedCharacters;
}
