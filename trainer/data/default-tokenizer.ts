/**
 * The default tokenizer, built from the environments' texts. Each word, each phrase whose words (almost) always occur
 * together, and each name of several words is a token. An observation of hundreds of letters then has a few dozen
 * tokens, and a name in an action is a single token. All other text is encoded as bytes, so every text can be encoded
 * and decoded exactly.
 */
import { Tokenizer } from "../../native/api/index.js";

/** Special tokens that mark the turns. */
export const markers = { prompt: "<|observation|>", reply: "<|action|>", end: "<|end|>" } as const;

/** Chat template without the environment's instructions: a small model learns the task only from episodes. */
const chatTemplate = [
  "{%- for message in messages -%}",
  `{%- if message.role == 'user' -%}{{ '${markers.prompt}' + message.content }}`,
  `{%- elif message.role == 'assistant' -%}{{ '${markers.reply}' + message.content + '${markers.end}' }}{%- endif -%}`,
  "{%- endfor -%}",
  `{%- if add_generation_prompt -%}{{ '${markers.reply}' }}{%- endif -%}`,
].join("\n");

export interface Language {
  /** Minimum number of occurrences of a word; rarer words are encoded as bytes. */
  leastWordCount: number;
  /** Minimum number of occurrences of a phrase. */
  leastPhraseCount: number;
  /** Minimum share of the rarer part's occurrences that are within the phrase. */
  cohesion: number;
  /** Minimum number of occurrences of a name. */
  leastNameCount: number;
  /** Minimum number of different words before a name, and after it. */
  nameVariety: number;
  /** Maximum number of tokens, including special tokens and bytes. */
  vocabularySize: number;
}

const defaults: Language = {
  leastWordCount: 2,
  leastPhraseCount: 100,
  cohesion: 0.95,
  leastNameCount: 8,
  nameVariety: 4,
  vocabularySize: 2048,
};

/** Pattern of words with the space before them, numbers, and runs of other characters, as in GPT-2. */
const wordPattern = " ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s";

/** Pattern of two parts that consist of words. The pattern is unambiguous, which avoids exponential backtracking. */
const namePattern = /^ ?\p{L}+(?: \p{L}+)*\0(?: \p{L}+)+$/u;

/** Builds a tokenizer. The same texts in the same order give the same tokenizer. */
export function buildTokenizer(texts: readonly string[], language: Partial<Language> = {}): Tokenizer {
  const wanted = { ...defaults, ...language };
  const sentences = texts.map((text) => text.match(new RegExp(wordPattern, "gu")) ?? []);
  const room = wanted.vocabularySize - Object.keys(markers).length - 256;
  const compounds = findCompounds(sentences, wanted).slice(0, Math.floor(room / 2));
  const words = findWords(sentences, wanted.leastWordCount).slice(0, room - compounds.length);
  return new Tokenizer(definitionOf(words, compounds), {
    tokenizer_class: "PreTrainedTokenizerFast",
    eos_token: markers.end,
    pad_token: markers.end,
    clean_up_tokenization_spaces: false,
    chat_template: chatTemplate,
  });
}

/** Returns the words by frequency, the most frequent first. */
function findWords(sentences: readonly string[][], least: number): string[] {
  const counts = new Map<string, number>();
  for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts].filter(([word, count]) => count >= least && Buffer.byteLength(word) > 1);
  return frequent.sort(byCount).map(([word]) => word);
}

/**
 * Returns phrases and names, the most frequent first. They are built word by word, starting with the most frequent
 * pairs.
 */
function findCompounds(sentences: readonly string[][], language: Language): string[] {
  const cohesive = grow(sentences, (pairs) => choosePhrases(pairs, language));
  const named = grow(cohesive, (pairs) => chooseNames(pairs, language));
  const counts = new Map<string, number>();
  for (const part of named.flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
  const isCompound = (part: string) => (part.match(new RegExp(wordPattern, "gu")) ?? []).length > 1;
  return [...counts].filter(([part, count]) => isCompound(part) && count >= language.leastNameCount).sort(byCount).map(([part]) => part);
}

function grow(sentences: readonly string[][], choose: (pairs: PairStatistics) => string[]): readonly string[][] {
  for (let parts = sentences; ; ) {
    const pairs = new Set(withoutOverlap(choose(new PairStatistics(parts))));
    if (pairs.size === 0) return parts;
    parts = parts.map((sentence) => join(sentence, pairs));
  }
}

/** Counts of adjacent parts, as `first\0second`. */
class PairStatistics {
  readonly single = new Map<string, number>();
  readonly double = new Map<string, number>();
  readonly before = new Map<string, Set<string>>();
  readonly after = new Map<string, Set<string>>();

  constructor(sentences: readonly string[][]) {
    for (const sentence of sentences) {
      for (const [at, part] of sentence.entries()) {
        this.single.set(part, (this.single.get(part) ?? 0) + 1);
        const next = sentence[at + 1];
        // Numbers remain separate words, since they vary within a phrase.
        if (next === undefined || /\p{N}/u.test(part + next)) continue;
        const pair = `${part}\0${next}`;
        this.double.set(pair, (this.double.get(pair) ?? 0) + 1);
        addTo(this.before, pair, sentence[at - 1] ?? "");
        addTo(this.after, pair, sentence[at + 2] ?? "");
      }
    }
  }
}

/** Returns the pairs whose rarer part almost always occurs together with the other part. */
function choosePhrases({ single, double }: PairStatistics, { leastPhraseCount, cohesion }: Language): string[] {
  const cohesive = [...double].filter(([pair, count]) => {
    const [first, second] = pair.split("\0") as [string, string];
    const rarer = Math.min(single.get(first) as number, single.get(second) as number);
    return count >= leastPhraseCount && count >= cohesion * rarer;
  });
  return cohesive.sort(byCount).map(([pair]) => pair);
}

/**
 * Returns the pairs that occur in many contexts, unlike parts of a phrase: accessor variety (Feng et al. 2004,
 * "Accessor variety criteria for Chinese word extraction").
 */
function chooseNames({ double, before, after }: PairStatistics, { leastNameCount, nameVariety }: Language): string[] {
  const names = [...double].filter(([pair, count]) => {
    const variety = Math.min(before.get(pair)?.size ?? 0, after.get(pair)?.size ?? 0);
    return count >= leastNameCount && variety >= nameVariety && namePattern.test(pair);
  });
  return names.sort(byCount).map(([pair]) => pair);
}

/** Keeps only the first of several pairs that have a part in common. */
function withoutOverlap(pairs: readonly string[]): string[] {
  const taken = new Set<string>();
  return pairs.filter((pair) => {
    const parts = pair.split("\0") as [string, string];
    if (parts.some((part) => taken.has(part))) return false;
    for (const part of parts) taken.add(part);
    return true;
  });
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

function join(sentence: readonly string[], pairs: ReadonlySet<string>): string[] {
  const joined: string[] = [];
  for (let at = 0; at < sentence.length; at++) {
    const isPair = pairs.has(`${sentence[at]}\0${sentence[at + 1]}`);
    joined.push(isPair ? `${sentence[at]}${sentence[at + 1]}` : (sentence[at] as string));
    if (isPair) at += 1;
  }
  return joined;
}

function byCount([one, ones]: [string, number], [other, others]: [string, number]): number {
  return others - ones || (one < other ? -1 : 1);
}

/**
 * Returns the content of tokenizer.json: whole words are looked up (`ignore_merges`), and other text is split into
 * bytes.
 */
function definitionOf(words: readonly string[], compounds: readonly string[]): Record<string, unknown> {
  const plain = [...byteLetters, ...words.map(inLetters)];
  const special = Object.values(markers);
  const added = [...special, ...compounds].map((content, index) => ({
    id: plain.length + index,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: index < special.length,
  }));
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false };
  const split = { type: "Split", pattern: { Regex: wordPattern }, behavior: "Isolated", invert: false };
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: { type: "Sequence", pretokenizers: [split, byteLevel] },
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: true,
      vocab: Object.fromEntries(plain.map((token, id) => [token, id])),
      merges: [],
    },
  };
}

/**
 * GPT-2's letters for bytes: a printable byte is its own letter, every other byte is the next letter from U+0100 on.
 */
const byteLetters: string[] = [];
for (let byte = 0, hidden = 0; byte < 256; byte++) {
  const isVisible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  byteLetters.push(String.fromCodePoint(isVisible ? byte : 0x100 + hidden++));
}

function inLetters(text: string): string {
  return Array.from(Buffer.from(text), (byte) => byteLetters[byte] as string).join("");
}
