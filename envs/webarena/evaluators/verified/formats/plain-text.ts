/** Normalises texts like the public evaluators do: lower-case ASCII with single spaces. */
import type { SiteAddresses } from "../site-addresses.js";

/** Matches a hyphen or a dash next to a letter. A matched hyphen separates words: `Buffalo-Niagara`, but not `555-1234`. */
const hyphen = /(?<=[a-zA-Z])[-\u2010-\u2015\u2212\xad]|[-\u2010-\u2015\u2212\xad](?=[a-zA-Z])/g;

/**
 * ASCII spellings of characters that Unicode does not decompose. Each character is followed by the ASCII spelling. The
 * public evaluators use the package Unidecode, which covers all scripts; this table covers Western texts.
 */
const spelled = new Map(
  [
    "¡! ¢C/ £PS ¤$? ¥Y= ¦| §SS «<< ¬! °deg ±+- ¶P ·* »>> ¿? ×x ÷/ μm €EUR ₹Rs ₽R ₩W ₿BTC №No ‐- ‒- –- —-- ―-- −- ‖||",
    "‘' ’' ‚, ‛' “\" ”\" „,, ‟\" †+ ‡++ •* ‣*> ‧. ‰%0 ‱%00 ′' ″'' ‴''' ‵` ‶`` ‹< ›> ※* ‽!? ⁃-- ⁄/ ⁓~ ∕/ ∼~ ‸^ ‿_ ⁁^ ⁂*** →- ←-",
    "ÆAE æae ÐD ðd ØO øo ÞTh þth ßss ẞSS ĐD đd ĦH ħh ıi ĸk ŁL łl ŊNG ŋng ŒOE œoe ŦT ŧt ẜ ẝ ẟ ʼ' ʾ`",
  ]
    .join(" ")
    .split(" ")
    .map((entry): [string, string] => [entry.charAt(0), entry.slice(1)]),
);

/** Maximum length of a text that is normalised. No task expects a longer text, so a longer text is kept unchanged. */
const longestText = 65_536;

/** @param sites site addresses that are replaced by placeholders. If undefined, addresses are kept. */
export function plainText(text: string, sites?: SiteAddresses): string {
  if (text.length > longestText) return text;
  const derendered = sites && text.includes("http") ? (sites.emptied(text) ?? text) : text;
  const simple = isAscii(derendered) ? derendered : compatible(derendered);
  if (simple.length > longestText) return text;
  const spaced = simple
    .replace(hyphen, " ")
    .replace(/[\t\n\r]+/g, " ")
    .replace(/\p{C}+/gu, "");
  return (isAscii(spaced) ? spaced : asciiOf(spaced)).trim().replace(/\s+/g, " ").toLowerCase();
}

function compatible(text: string): string {
  return text.replace(/[™®℠©]/g, "").normalize("NFKC");
}

/** Converts a character to ASCII. Letters of non-Latin scripts are kept, and signs without a spelling are dropped. */
function asciiOf(text: string): string {
  const met = new Map<string, string>();
  return text.replace(/\P{ASCII}/gu, (character) => {
    const spelling = met.get(character) ?? spellingOf(character);
    met.set(character, spelling);
    return spelling;
  });
}

function spellingOf(character: string): string {
  if (/\p{Z}/u.test(character)) return " ";
  if (isDigit(character)) return `${digitOf(character)}`;
  const base = spelled.get(character) ?? character.normalize("NFD").replace(/\p{M}/gu, "");
  return isAscii(base) || /^[\p{L}\p{N}]*$/u.test(base) ? base : "";
}

/** Returns the value of a digit of any script. In Unicode, the ten digits of a script have consecutive code points. */
function digitOf(character: string): number {
  const code = character.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && isDigit(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

function isDigit(character: string): boolean {
  return /\p{Nd}/u.test(character);
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
