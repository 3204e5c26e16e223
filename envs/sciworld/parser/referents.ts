/** Referents: the words for things, in the normalized form in which the parser compares them. */
import { byCodeUnits } from "../engine/description.js";
import { passageStems, wordsFor } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";

const stopWords = new Set(["a", "an", "the"]);

/** Matches texts that normalization may change. */
const abnormal = /[A-Z]|^\s|\s$|\s\s|[\t\n\v\f\r]|\b(?:a|an|the)\b|[^\x20-\x7e]/;

/** Normalizes a text: lower case, no articles, single spaces. */
export function normalised(text: string): string {
  if (!abnormal.test(text)) return text;
  return text
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .filter((word) => !stopWords.has(word))
    .join(" ");
}

/**
 * Returns the referents of a thing with which an input starts, normalized and sorted.
 *
 * The function must be fast, since it is called for every reachable thing with every input. Referents with the thing's
 * container are therefore built only if the input continues with "in" or "on".
 */
export function referentsBeginning(input: string, thing: Thing, place: Thing): readonly string[] {
  if (!isKnownBy(input, thing, place)) return none;
  const found = new Set<string>();
  for (const word of wordsFor(thing, place)) {
    if (!mayBegin(input, word)) continue;
    const plain = normalised(word);
    if (!input.startsWith(plain)) continue;
    for (const referent of combined(word, containersNamed(input.slice(plain.length), thing))) {
      const compared = referent === word ? plain : normalised(referent);
      if (input.startsWith(compared)) found.add(compared);
    }
  }
  return [...found].sort(byCodeUnits);
}

/** Returns the words for the container of a thing that a text starts with, after "in" or "on". */
function containersNamed(text: string, { container }: Thing): readonly string[] {
  const link = container && /^ ?(?:in|on) /.exec(text)?.[0];
  return link ? container.kind.words(container).filter((word) => begins(text.slice(link.length), word)) : none;
}

const none: readonly string[] = [];

/** Whether an input starts with a word for a thing. May be true for a prefix of a word. */
function isKnownBy(input: string, thing: Thing, place: Thing): boolean {
  const { passage, life, bloom, contact } = thing;
  if (passage) return passageStems(thing, place).some((stem) => begins(input, stem));
  if (life || bloom || contact) return thing.kind.words(thing).some((word) => begins(input, word));
  for (const stem of stemsOf(thing))
    if (input.charCodeAt(0) === stem.charCodeAt(0) && input.startsWith(stem)) return true;
  return false;
}

/**
 * Returns the prefixes of a thing's words. They are cached until the thing's name changes or the thing starts or stops
 * burning.
 */
function stemsOf(thing: Thing): readonly string[] {
  const { name, known, material, kind } = thing;
  const isBurning = material?.isBurning ?? false;
  const hasBurned = material?.hasBurned ?? false;
  if (known && known.name === name && known.isBurning === isBurning && known.hasBurned === hasBurned)
    return known.stems;
  const stems = [...new Set((kind.stems?.(thing) ?? kind.words(thing)).map(normalised))];
  thing.known = { name, isBurning, hasBurned, stems };
  return stems;
}

/** Whether an input starts with a word. */
export function begins(input: string, word: string): boolean {
  return mayBegin(input, word) && input.startsWith(normalised(word));
}

/** Whether the first two letters permit that an input starts with a word, which is slower to compute. */
function mayBegin(input: string, word: string): boolean {
  return (isAlike(input, word, 0) && isAlike(input, word, 1)) || mayHaveArticle(word);
}

const capital = 0x20;

/** Whether two letters are equal, ignoring case. */
function isAlike(input: string, word: string, at: number): boolean {
  return (input.charCodeAt(at) | capital) === (word.charCodeAt(at) | capital);
}

/** Whether a word may start with an article or a space, which normalization removes. */
function mayHaveArticle(word: string): boolean {
  const first = word.charCodeAt(0) | capital;
  return (first === 0x61 || first === 0x74 || first === capital) && /^(?:an?|the)?\s/i.test(word);
}

/**
 * Returns all referents of a thing from a place, including referents with the container: "water", "water in pot",
 * "water on pot".
 */
export function fullReferents(thing: Thing, place: Thing): Set<string> {
  const all = new Set<string>();
  const others = thing.container ? inLowerCase(thing.container.kind.words(thing.container)) : [];
  for (const word of inLowerCase(wordsFor(thing, place))) for (const text of combined(word, others)) all.add(text);
  return all;
}

function inLowerCase(words: readonly string[]): Iterable<string> {
  return new Set(words.map((word) => word.toLowerCase()));
}

function combined(word: string, others: Iterable<string>): string[] {
  if (word.trim().length === 0) return [];
  // ScienceWorld ignores words of one letter.
  const texts = word.length > 1 ? [word] : [];
  for (const other of others) texts.push(`${word} in ${other}`, `${word} on ${other}`);
  return texts;
}
