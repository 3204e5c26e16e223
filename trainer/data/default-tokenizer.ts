/**
 * The default tokenizer, built from the environments' texts. Each word, each phrase whose words (almost) always occur
 * together, and each name of several words is a token. An observation of hundreds of letters then has a few dozen
 * tokens, and a name in an action is a single token. All other text is encoded as bytes, so every text can be encoded
 * and decoded exactly.
 */
import { Tokenizer } from "../../native/api/index.js";
import { byCount, type CompoundRules, findCompounds } from "./compounds.js";

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

export interface Language extends CompoundRules {
  /** Minimum number of occurrences of a word; rarer words are encoded as bytes. */
  leastWordCount: number;
  /** Maximum number of tokens, including special tokens and bytes. */
  vocabularySize: number;
}

const defaults: Language = {
  leastWordCount: 2,
  leastPhraseCount: 100,
  cohesion: 0.95,
  leastNameCount: 8,
  nameVariety: 4,
  mostNeighbours: 64,
  vocabularySize: 2048,
};

/** Pattern of words with the space before them, numbers, and runs of other characters, as in GPT-2. */
const wordPattern = " ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s";

/** Builds a tokenizer. The same texts in the same order give the same tokenizer. */
export function buildTokenizer(texts: readonly string[], language: Partial<Language> = {}): Tokenizer {
  const wanted = { ...defaults, ...language };
  const occurrences = new Map<string, number>();
  for (const text of texts) occurrences.set(text, (occurrences.get(text) ?? 0) + 1);
  const different = [...occurrences].map(([text, count]) => ({ words: wordsOf(text), occurrences: count }));
  const room = wanted.vocabularySize - Object.keys(markers).length - 256;
  const compounds = findCompounds(different, wanted)
    .slice(0, Math.floor(room / 2))
    .map(([compound]) => compound);
  const words = findWords(different, wanted.leastWordCount).slice(0, room - compounds.length);
  return new Tokenizer(definitionOf(words, compounds), {
    tokenizer_class: "PreTrainedTokenizerFast",
    eos_token: markers.end,
    pad_token: markers.end,
    clean_up_tokenization_spaces: false,
    chat_template: chatTemplate,
  });
}

function wordsOf(text: string): readonly string[] {
  return text.match(new RegExp(wordPattern, "gu")) ?? [];
}

/** Returns the words by frequency, the most frequent first. */
function findWords(texts: readonly { words: readonly string[]; occurrences: number }[], least: number): string[] {
  const counts = new Map<string, number>();
  for (const { words, occurrences } of texts)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + occurrences);
  const frequent = [...counts].filter(([word, count]) => count >= least && Buffer.byteLength(word) > 1);
  return frequent.sort(byCount).map(([word]) => word);
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
