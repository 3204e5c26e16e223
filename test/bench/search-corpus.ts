/** The corpora of the bench `search`: the bundled pages, and a larger corpus generated from their sentences and invented words. */
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { pageLines } from "#palestra/envs/shared/knowledge/pages.js";
import { parseLine } from "#palestra/envs/shared/retrieval/embedded/corpus-line.js";
import { passagesOf } from "#palestra/envs/shared/retrieval/embedded/passages.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";

/** Approximate words of a generated passage: as many as in the passages of wiki-18. */
const wantedWords = 100;
const vocabularySize = 200_000;
/** Shares in a generated passage: sentences of the bundled pages, and function words and numbers in invented sentences. */
const shares = { bundledSentences: 0.3, functionWords: 0.45, numbers: 0.03 };
/** Shift of the ranks in Zipf's law. A larger shift gives the first ranks a smaller share. */
const shifts = { sentences: 300, words: 20, functionWords: 3 };

const functionWords =
  "the of and in to a was is for on as with by at from that it his were an are this be had has which or its also but not their he first one after who they new been have two other when during into she her all than time more some most there can over years only about between".split(
    " ",
  );
const [onsets, vowels, codas] = ["bdfghklmnprstvz", "aeiou", "nrslmt"];

/** Returns the lines of a corpus: the bundled pages first, then generated ones. Each call returns the same lines. */
export function* corpusLines(passages: number): Generator<string> {
  const sentences = new Set<string>();
  let count = 0;
  for (const line of pageLines()) {
    if (count >= passages) return;
    const { text } = parseLine(line);
    for (const sentence of text.match(/[^.!?\n]+[.!?]+/g) ?? []) sentences.add(sentence.trim());
    count += Math.max(1, passagesOf(text).length);
    yield line;
  }
  const writer = new PassageWriter([...sentences]);
  for (; count < passages; count++)
    yield JSON.stringify({ id: `made/${count}`, title: writer.title(), text: writer.text() });
}

/** Generates passages whose sentences and words follow Zipf's law: a few are frequent, most are rare. */
class PassageWriter {
  private readonly rng = new Pcg64(20);
  private readonly sentences: string[];
  private readonly words: readonly string[];

  constructor(sentences: readonly string[]) {
    this.sentences = [...sentences];
    this.rng.shuffle(this.sentences);
    const words = new Set<string>();
    while (words.size < vocabularySize) words.add(this.invented());
    this.words = [...words].sort((a, b) => a.length - b.length);
  }

  title(): string {
    return Array.from({ length: 1 + this.below(3) }, () => capitalised(this.words[this.below(vocabularySize)])).join(
      " ",
    );
  }

  text(): string {
    const sentences: string[] = [];
    for (let words = 0; words < wantedWords; ) {
      const isBundled = this.rng.random() < shares.bundledSentences;
      const sentence = isBundled ? this.pick(this.sentences, shifts.sentences) : this.sentence();
      sentences.push(sentence);
      words += sentence.split(" ").length;
    }
    return sentences.join(" ");
  }

  private sentence(): string {
    const words = Array.from({ length: 8 + this.below(13) }, () => this.word());
    return `${capitalised(words[0])} ${words.slice(1).join(" ")}.`;
  }

  private word(): string {
    const chance = this.rng.random();
    if (chance < shares.numbers) return `${this.below(chance < shares.numbers / 2 ? 2_100 : 1_000_000)}`;
    if (chance < shares.numbers + shares.functionWords) return this.pick(functionWords, shifts.functionWords);
    return this.pick(this.words, shifts.words);
  }

  /** Returns a word of one to four syllables. */
  private invented(): string {
    const syllable = () => this.letter(onsets) + this.letter(vowels) + (this.below(2) === 0 ? this.letter(codas) : "");
    return Array.from({ length: 1 + this.below(4) }, syllable).join("");
  }

  private letter(letters = ""): string {
    return letters[this.below(letters.length)] as string;
  }

  /** Returns a random entry with a probability proportional to 1 / (rank + shift). */
  private pick(from: readonly string[], shift: number): string {
    const rank = shift * (((from.length + shift) / shift) ** this.rng.random() - 1);
    return from[Math.min(from.length - 1, Math.floor(rank))] as string;
  }

  private below(bound: number): number {
    return Math.floor(bound * this.rng.random());
  }
}

function capitalised(word = ""): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Writes lines to a file, with backpressure. */
export async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 2 ** 20 });
  for (const line of lines) if (!file.write(`${line}\n`)) await once(file, "drain");
  file.end();
  await once(file, "close");
}

/** A passage in the form that both engines index. */
export interface CorpusPassage {
  page: string;
  title: string;
  text: string;
}

/** Returns the passages of a corpus file, split as in the gym's index. */
export async function* passagesIn(corpus: string): AsyncGenerator<CorpusPassage> {
  for await (const line of createInterface({ input: createReadStream(corpus) })) {
    const { id, title, text } = parseLine(line);
    const spans = text === "" ? [{ start: 0, length: 0 }] : passagesOf(text);
    for (const { start, length } of spans) yield { page: id, title, text: text.slice(start, start + length) };
  }
}

/** Writes the passages of a corpus file for the peer, one per line: page, title and text, separated by tabs. */
export async function exportPassages(corpus: string, target: string): Promise<number> {
  const file = createWriteStream(target, { highWaterMark: 2 ** 20 });
  let count = 0;
  for await (const { page, title, text } of passagesIn(corpus)) {
    count += 1;
    const fields = [page, title, text].map((field) => field.replace(/\s+/g, " "));
    if (!file.write(`${fields.join("\t")}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  return count;
}
