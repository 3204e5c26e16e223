/** Normalizes texts to lower-case ASCII with single spaces, like the public evaluators. */
import type { SiteAddresses } from "../site-addresses.js";

/**
 * Regular expression for a hyphen or dash next to a letter, which counts as a space: `Buffalo-Niagara`, but not
 * `555-1234`.
 */
const hyphen = /(?<=[a-zA-Z])[-\u2010-\u2015\u2212\xad]|[-\u2010-\u2015\u2212\xad](?=[a-zA-Z])/g;

/**
 * ASCII spellings of characters that Unicode does not decompose. Each entry is a character, followed by its spelling.
 * The table covers Western texts, whereas Unidecode in the public evaluators covers all scripts.
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

/**
 * Maximum length in characters of a text that is normalized. Longer texts stay unchanged, because no task expects one.
 */
const longestText = 65_536;

/** @param sites sites whose URLs are replaced by placeholders. If undefined, URLs stay unchanged. */
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

/**
 * Converts the characters of a text to ASCII. Letters of non-Latin scripts stay unchanged, and signs without a spelling
 * are removed.
 */
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

/** Returns the value of a digit in any script. Unicode gives the ten digits of each script consecutive code points. */
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
