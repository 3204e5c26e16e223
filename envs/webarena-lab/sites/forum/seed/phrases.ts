/** Generates sentences from patterns. */
import type { Random } from "../../../seed/random.js";
import { type Part, type Pattern, patternOf } from "./pattern.js";

type Words = Readonly<Record<string, readonly string[]>>;

/**
 * Words that were drawn for a thread, by word list. All texts of the thread use the same words, so that they have the
 * same subject.
 */
export type Bound = Map<string, string>;

/** Maximum number of draws to find an unused sentence. */
const mostDraws = 6;

/**
 * Fills patterns with words. `{name}` is a word from the list `name`, and stays the same within a thread. `{~name}` is
 * a different word from this list. `{name_bare}` is the word without its article. `{2-9}` is a number. `[a|b]` and
 * `{a|b}` are choices.
 */
export class Phrases {
  private readonly decks = new Map<readonly string[], string[]>();
  private readonly said = new Set<string>();

  constructor(
    private readonly random: Random,
    private readonly words: Words,
  ) {}

  /** Draws a pattern from a list. No pattern is drawn again before all patterns of the list have been drawn. */
  draw(patterns: readonly string[]): string {
    let deck = this.decks.get(patterns);
    if (!deck || deck.length === 0) {
      deck = this.random.sample(patterns, patterns.length);
      this.decks.set(patterns, deck);
    }
    return deck.pop() as string;
  }

  /** @param bound words of the thread, to which new words are added. If omitted, each word is drawn again. */
  fill(pattern: string, bound?: Bound): string {
    return polished(this.join(patternOf(pattern), bound));
  }

  /** Generates an unused sentence, or a used sentence if several draws find no unused one. */
  say(patterns: readonly string[], bound?: Bound): string {
    let sentence = "";
    for (let draw = 0; draw < mostDraws; draw++) {
      const pattern = this.draw(patterns);
      sentence = this.fill(pattern, bound);
      if (!this.said.has(sentence) || sentence === pattern) break;
    }
    this.said.add(sentence);
    return sentence;
  }

  private join(pattern: Pattern, bound: Bound | undefined): string {
    let text = "";
    for (const part of pattern) text += typeof part === "string" ? part : this.drawn(part, bound);
    return text;
  }

  private drawn(part: Exclude<Part, string>, bound: Bound | undefined): string {
    if ("choices" in part) return this.join(this.random.choice(part.choices), bound);
    if ("low" in part) return `${this.random.between(part.low, part.high)}`;
    const word = this.word(part.name, part.isOther, bound);
    return part.isBare ? word.replace(/^(?:an?|the|my) /, "") : word;
  }

  private word(name: string, isOther: boolean, bound: Bound | undefined): string {
    const list = this.words[name];
    if (!list) throw new Error(`the pattern uses {${name}}, but no word list has this name`);
    const known = bound?.get(name);
    if (known !== undefined && !isOther) return known;
    let word: string;
    do word = this.random.choice(list);
    while (word === known && list.length > 1);
    const filled = word.includes("{") ? this.join(patternOf(word), undefined) : word;
    if (!isOther) bound?.set(name, filled);
    return filled;
  }
}

/** Capitalizes sentences, and replaces `a` with `an` before vowels. */
function polished(text: string): string {
  return text
    .replace(/\b([Aa]) (?=[aeio]|u(?!ni|se|til))(?!one\b|eu)/g, "$1n ")
    .replace(/(^(?:\[\w+\] )?|[.?!] )([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
