/** The words by which things are meant, as a parser compares them. */
import { byCodeUnits } from "../engine/description.js";
import { wordsFor } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";

const stopWords = new Set(["a", "an", "the"]);

/** Without articles, and with single spaces. */
export function normalised(text: string): string {
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => !stopWords.has(word))
    .join(" ");
}

/** All that it may be called from a place, also by what it is in: water, water in pot, water on pot. Sorted. */
export function referentsOf(thing: Thing, place: Thing): string[] {
  return [...fullReferents(thing, place)].map(normalised).sort(byCodeUnits);
}

/** As they are written, each once. */
export function fullReferents(thing: Thing, place: Thing): Set<string> {
  const containerWords = thing.container?.kind.words(thing.container) ?? [];
  const all = new Set<string>();
  for (const word of wordsFor(thing, place)) {
    if (word.trim().length === 0) continue;
    for (const text of [word, ...containerWords.flatMap((other) => [`${word} in ${other}`, `${word} on ${other}`])]) {
      if (text.length > 1) all.add(text.toLowerCase());
    }
  }
  return all;
}
