/**
 * Makes untrusted text safe to read: terminal codes are left out, and characters that hide, reorder or control text are
 * replaced by a symbol.
 */

/** A piece of text. `symbol` names a character that cannot be seen, and whose stand-in is `text`. */
export interface Piece {
  text: string;
  symbol?: string;
  /** Whether the piece matches the words that are searched for. */
  isMatch?: boolean;
}

const bidi: Readonly<Record<number, string>> = {
  1564: "ALM",
  8206: "LRM",
  8207: "RLM",
  8234: "LRE",
  8235: "RLE",
  8236: "PDF",
  8237: "LRO",
  8238: "RLO",
  8294: "LRI",
  8295: "RLI",
  8296: "FSI",
  8297: "PDI",
};

/** Unicode has pictures of control characters, such as ␀, but many fonts lack them. */
const controls: Readonly<Record<number, string>> = {
  0: "NUL",
  7: "BEL",
  8: "BS",
  11: "VT",
  12: "FF",
  13: "CR",
  27: "ESC",
  127: "DEL",
};

const hidden: Readonly<Record<number, string>> = {
  173: "soft hyphen",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8232: "line separator",
  8233: "paragraph separator",
  8288: "word joiner",
  65279: "byte order mark",
};

/** Colours, cursor movements and titles of a terminal: CSI, OSC and DCS sequences, and two-character escapes. */
const terminalCode =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with a control character.
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|\u001b[ -/]*[0-Z\\^-~]/gu;

const unreadable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** Returns the text without terminal codes, and with line feeds alone at the ends of lines. */
export function withoutTerminalCodes(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(terminalCode, "");
}

/** Splits a text into pieces that can be read. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(unreadable)) {
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push(symbolOf(character.codePointAt(0) as number));
    end = index + character.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** Returns one line of readable text, for a list, a heading or a title. */
export function readableLine(text: string, longest = 300): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  const pieces = piecesOf(withoutTerminalCodes(cut).replace(/[\n\t]+/g, " "));
  return pieces.map((piece) => piece.text).join("");
}

/** Splits the pieces so that each match of `pattern` is a piece of its own. */
export function markMatches(pieces: readonly Piece[], pattern: RegExp | null): Piece[] {
  if (!pattern) return [...pieces];
  return pieces.flatMap((piece) => {
    if (piece.symbol !== undefined) return [piece];
    const marked: Piece[] = [];
    let end = 0;
    for (const { 0: match, index } of piece.text.matchAll(pattern)) {
      if (index > end) marked.push({ text: piece.text.slice(end, index) });
      marked.push({ text: match, isMatch: true });
      end = index + match.length;
    }
    if (end < piece.text.length) marked.push({ text: piece.text.slice(end) });
    return marked;
  });
}

/**
 * Returns a pattern for what a person searches for, or null for nothing. Upper and lower case match.
 *
 * @param words a phrase, or several words of which each matches
 */
export function patternOf(words: string | readonly string[]): RegExp | null {
  const phrases = [words].flat().filter((phrase) => phrase !== "");
  if (phrases.length === 0) return null;
  return new RegExp(phrases.map((phrase) => phrase.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "giu");
}

function symbolOf(code: number): Piece {
  const name = bidi[code] ?? hidden[code] ?? controls[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return { text: `⟨${name}⟩`, symbol: name };
}
