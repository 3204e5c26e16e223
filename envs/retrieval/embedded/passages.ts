/** The splitting of the text of a page into passages. */

export interface Span {
  /** Position in the text of the page, in UTF-16 code units. */
  start: number;
  length: number;
}

/** Largest text in characters that is a single passage. wiki-18's passages of 100 words have about 600. */
const mostCharacters = 1_500;
/** Approximate length in characters of the passages of a longer text. */
const wantedCharacters = 1_000;

/** Points at which a text is split, in order of preference: ends of paragraphs, lines, sentences and words. */
const ends = [/\n\s*\n/g, /\n/g, /[.!?。！？]["'”’)\]]*\s+/g, /\s+/g];

/** Returns spans that cover the text, each of at most `mostCharacters`. */
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
