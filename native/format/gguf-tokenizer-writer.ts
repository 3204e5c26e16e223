/** Converts a tokenizer to the metadata of a GGUF file: the inverse of `gguf-tokenizer.ts`. */
import { type GgufValue, listOf, numberOf, textOf, trueOf } from "./gguf-metadata.js";
import { controlToken, preTokenizers, userDefinedToken } from "./gguf-tokenizer.js";
import { isRecord } from "./safetensors.js";
import type { Tokenizer } from "./tokenizer.js";

type Entries = Record<string, GgufValue>;

const normalToken = 1;
/** Type of the rows of the embedding that no token has. */
const unusedToken = 5;

/**
 * Returns the metadata of a tokenizer. A tokenizer that splits texts in a way for which GGUF has a name is written as GGUF's
 * lists. Any other is written as `tokenizer.huggingface.json`, which llama.cpp does not read.
 *
 * @param vocabularySize number of rows of the embedding
 */
export function ggufTokenizer(tokenizer: Tokenizer, vocabularySize: number): Entries {
  const { definition, chatTemplate } = tokenizer;
  const pre = Object.keys(preTokenizers).find((name) => splitsLike(definition, name));
  const own = pre === undefined ? asJson(definition) : asLists(tokenizer, pre, vocabularySize);
  return {
    ...own,
    ...specialTokens(tokenizer),
    ...(chatTemplate && { "tokenizer.chat_template": textOf(chatTemplate.source) }),
  };
}

function asJson(definition: unknown): Entries {
  return {
    "tokenizer.ggml.model": textOf("none"),
    "tokenizer.huggingface.json": textOf(JSON.stringify(definition)),
  };
}

function asLists({ definition }: Tokenizer, pre: string, vocabularySize: number): Entries {
  const { model, added_tokens: added } = definition as unknown as Definition;
  const tokens = Array.from({ length: vocabularySize }, (_, id) => `[PAD${id}]`);
  const types = new Array<number>(vocabularySize).fill(unusedToken);
  for (const [token, id] of Object.entries(model.vocab)) [tokens[id], types[id]] = [token, normalToken];
  for (const { id, content, special } of added)
    [tokens[id], types[id]] = [content, special ? controlToken : userDefinedToken];
  const merges = model.merges.map((merge) => (Array.isArray(merge) ? merge.join(" ") : merge));
  return {
    "tokenizer.ggml.model": textOf("gpt2"),
    "tokenizer.ggml.pre": textOf(pre),
    "tokenizer.ggml.tokens": listOf(tokens.map(textOf)),
    "tokenizer.ggml.token_type": listOf(types.map(numberOf)),
    "tokenizer.ggml.merges": listOf(merges.map(textOf)),
    ...(startsText(definition) && { "tokenizer.ggml.add_bos_token": trueOf() }),
  };
}

/** The parts of a byte-level BPE's tokenizer.json. */
interface Definition {
  readonly model: { readonly vocab: Record<string, number>; readonly merges: readonly (string | string[])[] };
  readonly added_tokens: readonly { readonly id: number; readonly content: string; readonly special: boolean }[];
}

/** Returns whether a tokenizer is a byte-level BPE that splits texts as one of GGUF's names says. */
function splitsLike(definition: Record<string, unknown>, pre: string): boolean {
  const { model, normalizer, pre_tokenizer: own } = definition;
  if (!isRecord(model) || model.type !== "BPE" || (model.ignore_merges === true) !== (pre === "llama-bpe"))
    return false;
  const isNfc = isRecord(normalizer) && normalizer.type === "NFC";
  if (normalizer ? !isNfc || pre !== "qwen2" : pre === "qwen2") return false;
  const parts = isRecord(own) && own.type === "Sequence" ? own.pretokenizers : [own];
  return JSON.stringify((parts as unknown[]).map(essence)) === JSON.stringify(preTokenizers[pre]?.map(essence));
}

/** Returns what matters of a part that splits texts, with the defaults that a file may leave out. */
function essence(part: unknown): unknown {
  if (!isRecord(part)) return part;
  const {
    type,
    pattern,
    behavior,
    invert = false,
    individual_digits: digits,
    add_prefix_space: space,
    use_regex,
  } = part;
  if (type === "ByteLevel") return { type, space: space === true, words: use_regex !== false };
  return { type, pattern, behavior, invert, digits };
}

/** Returns whether the tokenizer puts the start token before a text. */
function startsText({ post_processor: processor }: Record<string, unknown>): boolean {
  return JSON.stringify(processor ?? null).includes('"TemplateProcessing"');
}

function specialTokens(tokenizer: Tokenizer): Entries {
  const names = { bos: "bos_token", eos: "eos_token", unknown: "unk_token", padding: "pad_token" };
  const entries: Entries = {};
  for (const [short, name] of Object.entries(names)) {
    const value = tokenizer.config[name];
    const id = tokenizer.idOf(String(isRecord(value) ? value.content : value));
    if (id !== undefined) entries[`tokenizer.ggml.${short}_token_id`] = numberOf(id);
  }
  return entries;
}
