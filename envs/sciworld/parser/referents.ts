/** The words by which things are meant, as a parser compares them. */
import { byCodeUnits } from "../engine/description.js";
import { wordsFor } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";

const stopWords = new Set(["a", "an", "the"]);

/** What normalising may change. */
const abnormal = /[A-Z]|^\s|\s$|\s\s|[\t\n\v\f\r]|\b(?:a|an|the)\b|[^\x20-\x7e]/;

/** In lower case, without articles, and with single spaces. */
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
 * All referents of a thing that an input begins with, as they are compared. Sorted.
 *
 * Every input asks it of everything within reach, and hardly anything is meant: so a word is put together with what the
 * thing is in only where the input goes on like that.
 */
export function referentsBeginning(input: string, thing: Thing, place: Thing): readonly string[] {
  if (!isKnownBy(input, thing, place)) return none;
  const found = new Set<string>();
  for (const word of wordsFor(thing, place)) {
    if (!begins(input, word)) continue;
    const goesOn = /^ ?(?:in|on) /.test(input.slice(normalised(word).length));
    const others = goesOn ? thing.container?.kind.words(thing.container) : [];
    for (const referent of combined(word, others ?? [])) {
      const compared = normalised(referent);
      if (input.startsWith(compared)) found.add(compared);
    }
  }
  return [...found].sort(byCodeUnits);
}

const none: readonly string[] = [];

/** Whether it begins with anything that the thing may be called. */
function isKnownBy(input: string, thing: Thing, place: Thing): boolean {
  const { passage, life, bloom, contact } = thing;
  if (passage || life || bloom || contact) return wordsFor(thing, place).some((word) => begins(input, word));
  for (const stem of stemsOf(thing))
    if (input.charCodeAt(0) === stem.charCodeAt(0) && input.startsWith(stem)) return true;
  return false;
}

/** Of what neither lives nor leads anywhere: kept until its name changes, or fire changes it. */
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

/** Told by the first two letters where it can be: most words are others. */
export function begins(input: string, word: string): boolean {
  if ((!isAlike(input, word, 0) || !isAlike(input, word, 1)) && !mayHaveArticle(word)) return false;
  return input.startsWith(normalised(word));
}

const capital = 0x20;

/** But for capitals. */
function isAlike(input: string, word: string, at: number): boolean {
  return (input.charCodeAt(at) | capital) === (word.charCodeAt(at) | capital);
}

/** Or a blank, at its beginning. */
function mayHaveArticle(word: string): boolean {
  const first = word.charCodeAt(0) | capital;
  return (first === 0x61 || first === 0x74 || first === capital) && /^(?:an?|the)?\s/i.test(word);
}

/** All that it may be called from a place, also by what it is in: water, water in pot, water on pot. Each once. */
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
  // The original has no words of one letter.
  const texts = word.length > 1 ? [word] : [];
  for (const other of others) texts.push(`${word} in ${other}`, `${word} on ${other}`);
  return texts;
}
