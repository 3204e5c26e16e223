/**
 * A tokenizer made of the language that environments speak: a token each word, and a token each phrase whose words are
 * (almost) always said together, so that an observation of hundreds of letters is a few dozen tokens. All other text is
 * spelled in bytes: nothing is unknown, and what is decoded is what was encoded.
 */
import { Tokenizer } from "../../native/index.js";

/** Where turns begin and end. */
export const markers = { prompt: "<|observation|>", reply: "<|action|>", end: "<|end|>" } as const;

/** The environment's instructions are left out: a model of this size learns the task from the episodes alone. */
const chatTemplate = [
  "{%- for message in messages -%}",
  `{%- if message.role == 'user' -%}{{ '${markers.prompt}' + message.content }}`,
  `{%- elif message.role == 'assistant' -%}{{ '${markers.reply}' + message.content + '${markers.end}' }}{%- endif -%}`,
  "{%- endfor -%}",
  `{%- if add_generation_prompt -%}{{ '${markers.reply}' }}{%- endif -%}`,
].join("\n");

export interface Language {
  /** A word said less often is spelled. */
  leastWordCount: number;
  /** A phrase said less often is none. */
  leastPhraseCount: number;
  /** Of the rarer part's occurrences, the share that has to be within the phrase. */
  cohesion: number;
  /** The most tokens, markers and bytes among them. */
  vocabularySize: number;
}

const defaults: Language = { leastWordCount: 2, leastPhraseCount: 100, cohesion: 0.95, vocabularySize: 2048 };

/** Words with the space before them, numbers, and runs of other signs: as GPT-2 cuts text. */
const wordPattern = " ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s";

/** Deterministic: the same texts in the same order give the same tokenizer. */
export function buildTokenizer(texts: readonly string[], language: Partial<Language> = {}): Tokenizer {
  const { vocabularySize, ...thresholds } = { ...defaults, ...language };
  const sentences = texts.map((text) => text.match(new RegExp(wordPattern, "gu")) ?? []);
  const room = vocabularySize - Object.keys(markers).length - 256;
  const phrases = findPhrases(sentences, thresholds).slice(0, Math.floor(room / 4));
  const words = findWords(sentences, thresholds.leastWordCount).slice(0, room - phrases.length);
  return new Tokenizer(definitionOf(words, phrases), {
    tokenizer_class: "PreTrainedTokenizerFast",
    eos_token: markers.end,
    pad_token: markers.end,
    clean_up_tokenization_spaces: false,
    chat_template: chatTemplate,
  });
}

/** The most frequent first. */
function findWords(sentences: readonly string[][], least: number): string[] {
  const counts = new Map<string, number>();
  for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts].filter(([word, count]) => count >= least && Buffer.byteLength(word) > 1);
  return frequent.sort(byCount).map(([word]) => word);
}

/** Grows phrases word by word: in each round the pairs that hold together most often become one. */
function findPhrases(sentences: readonly string[][], { leastPhraseCount, cohesion }: Omit<Language, "vocabularySize">) {
  const phrases = new Set<string>();
  for (let parts = sentences; ; ) {
    const joined = cohesivePairs(parts, leastPhraseCount, cohesion);
    if (joined.size === 0) break;
    parts = parts.map((sentence) => join(sentence, joined));
    for (const phrase of joined) phrases.add(phrase.replace("\0", ""));
  }
  const said = new Map<string, number>();
  for (const text of sentences.map((sentence) => sentence.join(""))) {
    for (const phrase of phrases) if (text.includes(phrase)) said.set(phrase, (said.get(phrase) ?? 0) + 1);
  }
  return [...said].sort(byCount).map(([phrase]) => phrase);
}

/** As `first\0second`; no two of a round overlap. Numbers stay words: they are what a phrase is about. */
function cohesivePairs(sentences: readonly string[][], least: number, cohesion: number): Set<string> {
  const single = new Map<string, number>();
  const double = new Map<string, number>();
  for (const sentence of sentences) {
    for (const [at, part] of sentence.entries()) {
      single.set(part, (single.get(part) ?? 0) + 1);
      const next = sentence[at + 1];
      if (next === undefined || /\p{N}/u.test(part + next)) continue;
      const pair = `${part}\0${next}`;
      double.set(pair, (double.get(pair) ?? 0) + 1);
    }
  }
  const taken = new Set<string>();
  const pairs = new Set<string>();
  for (const [pair, count] of [...double].sort(byCount)) {
    const [first, second] = pair.split("\0") as [string, string];
    const rarer = Math.min(single.get(first) as number, single.get(second) as number);
    if (count < least || count < cohesion * rarer || taken.has(first) || taken.has(second)) continue;
    taken.add(first).add(second);
    pairs.add(pair);
  }
  return pairs;
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

/** A tokenizer.json: words are looked up whole (`ignore_merges`), and without merges the rest falls into bytes. */
function definitionOf(words: readonly string[], phrases: readonly string[]): Record<string, unknown> {
  const plain = [...byteLetters, ...words.map(inLetters)];
  const special = Object.values(markers);
  const added = [...special, ...phrases].map((content, index) => ({
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

/** GPT-2's letters for bytes: each byte as itself where that can be seen, else as the next letter from U+0100 on. */
const byteLetters: string[] = [];
for (let byte = 0, hidden = 0; byte < 256; byte++) {
  const isVisible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  byteLetters.push(String.fromCodePoint(isVisible ? byte : 0x100 + hidden++));
}

function inLetters(text: string): string {
  return Array.from(Buffer.from(text), (byte) => byteLetters[byte] as string).join("");
}
