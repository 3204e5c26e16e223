/** Sentences from patterns. It draws patterns and words from shuffled decks, so that repetitions are rare. */
import { Random } from "../../../seed/random.js";
import { patterns } from "../data.js";

export type Slots = Readonly<Record<string, string | number>>;

/** Number of recently drawn items that are drawn last from the next deck. */
const kept = 6;

export class Prose {
  private readonly random: Random;
  private readonly decks = new Map<string, string[]>();
  private readonly recent = new Map<string, readonly string[]>();

  constructor(name: string) {
    this.random = Random.of(`wiki prose ${name}`);
  }

  /** Generates a paragraph about a topic of `prose.json`. */
  paragraph(topic: string, count: number, slots: Slots = {}): string {
    return Array.from({ length: count }, () => this.sentence(topic, slots)).join(" ");
  }

  between(low: number, high: number): number {
    return this.random.between(low, high);
  }

  private sentence(topic: string, slots: Slots): string {
    const filled = this.deal(topic, patterns[topic] ?? [])
      .replace(/\{~(\w+)\}/g, (_, list: string) => this.deal(`~${list}`, patterns.words[list] ?? []))
      .replace(/\{#(\d+)-(\d+)\}/g, (_, low: string, high: string) => `${this.random.between(+low, +high)}`)
      .replace(/\{(\w+)\}/g, (whole, slot: string) => `${slots[slot] ?? whole}`)
      .replace(/\b([Aa]) (?=[aeio]|Art|u(?!ni))/g, "$1n ");
    return filled.replace(/^\W*\w|(?<=\. )\w/g, (letter) => letter.toUpperCase());
  }

  private deal(name: string, items: readonly string[]): string {
    let deck = this.decks.get(name);
    if (!deck || deck.length === 0) {
      deck = this.shuffled(items, this.recent.get(name) ?? []);
      this.decks.set(name, deck);
    }
    const dealt = deck.pop() as string;
    this.recent.set(name, [...(this.recent.get(name) ?? []), dealt].slice(-kept));
    return dealt;
  }

  /**
   * Shuffles a deck. Items are drawn from the end of the array. Recently drawn items are at its start, so that they are
   * drawn last.
   */
  private shuffled(items: readonly string[], recent: readonly string[]): string[] {
    const deck = [...items];
    this.random.shuffle(deck);
    const isRecent = (item: string) => recent.includes(item);
    return [...deck.filter(isRecent), ...deck.filter((item) => !isRecent(item))];
  }
}
