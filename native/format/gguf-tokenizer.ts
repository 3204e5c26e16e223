/** Converts the tokenizer of a GGUF file to the content of tokenizer.json and tokenizer_config.json. */
import { misformed } from "../addon/errors.js";
import type { GgufMetadata } from "./gguf.js";
import { isRecord } from "./safetensors.js";
import { Tokenizer } from "./tokenizer.js";

/** Values of `tokenizer.ggml.token_type`. */
export const controlToken = 3;
export const userDefinedToken = 4;

const llama3Pattern =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const qwen2Pattern = llama3Pattern.replace("{1,3}", "");

const gpt2 = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
const split = (Regex: string) => [
  { type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false },
  { ...gpt2, use_regex: false },
];

/** Pre-tokenizers, which split a text before merging, by the names of `tokenizer.ggml.pre`. */
export const preTokenizers: Record<string, object[]> = {
  default: [gpt2],
  "gpt-2": [gpt2],
  smollm: [{ type: "Digits", individual_digits: true }, gpt2],
  "llama-bpe": split(llama3Pattern),
  qwen2: split(qwen2Pattern),
};

/**
 * Returns the tokenizer of the file, or undefined when the file has no tokenizer. Fails with NATIVE_FORMAT when the kind of
 * tokenizer is not supported.
 */
export function tokenizerOfGguf(metadata: GgufMetadata): Tokenizer | undefined {
  const kind = metadata.get("tokenizer.ggml.model");
  if (kind === undefined || kind === "none") return fromJson(metadata);
  if (kind !== "gpt2") throw misformed("tokenizer.ggml.model to be gpt2", kind);
  const pre = String(metadata.get("tokenizer.ggml.pre") ?? "default");
  const pretokenizers = preTokenizers[pre];
  if (!pretokenizers) throw misformed(`tokenizer.ggml.pre to be one of ${Object.keys(preTokenizers).join(", ")}`, pre);

  const tokens = listAt(metadata, "tokenizer.ggml.tokens", "string");
  const types = listAt(metadata, "tokenizer.ggml.token_type", "number");
  const isAdded = (id: number) => types[id] === controlToken || types[id] === userDefinedToken;
  const definition = {
    version: "1.0",
    added_tokens: tokens.flatMap((content, id) => (isAdded(id) ? [addedToken(id, content, types[id])] : [])),
    normalizer: pre === "qwen2" ? { type: "NFC" } : null,
    pre_tokenizer: { type: "Sequence", pretokenizers },
    post_processor: beginningOf(metadata, tokens),
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: "BPE",
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: listAt(metadata, "tokenizer.ggml.merges", "string"),
      ignore_merges: pre === "llama-bpe",
    },
  };
  return new Tokenizer(definition, configOf(metadata, tokens));
}

/** Returns the tokenizer that a file contains as Hugging Face's tokenizer.json, as this project writes it for its own kind. */
function fromJson(metadata: GgufMetadata): Tokenizer | undefined {
  const json = metadata.get("tokenizer.huggingface.json");
  if (typeof json !== "string") return undefined;
  let definition: unknown;
  try {
    definition = JSON.parse(json);
  } catch {
    definition = undefined;
  }
  if (!isRecord(definition)) throw misformed("tokenizer.huggingface.json to be a JSON object", json.slice(0, 80));
  const plain = new Tokenizer(definition, {});
  const tokens = Array.from({ length: plain.size }, (_, id) => plain.decode([id]));
  return new Tokenizer(definition, configOf(metadata, tokens));
}

/** Returns the entry of an added token. Hugging Face's reader of tokenizer.json requires every field. */
function addedToken(id: number, content: string, type: number | undefined): object {
  const special = type === controlToken;
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special };
}

/**
 * Returns the post-processor that puts the start token before a text. Returns null when the file does not request the start
 * token.
 */
function beginningOf(metadata: GgufMetadata, tokens: string[]): object | null {
  const id = metadata.get("tokenizer.ggml.bos_token_id");
  const token = typeof id === "number" ? tokens[id] : undefined;
  if (metadata.get("tokenizer.ggml.add_bos_token") !== true || token === undefined) return null;
  const beginning = { SpecialToken: { id: token, type_id: 0 } };
  const sequence = (name: string) => ({ Sequence: { id: name, type_id: 0 } });
  return {
    type: "TemplateProcessing",
    single: [beginning, sequence("A")],
    pair: [beginning, sequence("A"), sequence("B")],
    special_tokens: { [token]: { id: token, ids: [id], tokens: [token] } },
  };
}

function configOf(metadata: GgufMetadata, tokens: string[]): Record<string, unknown> {
  const named = { bos_token: "bos", eos_token: "eos", unk_token: "unknown", pad_token: "padding" };
  const config: Record<string, unknown> = { tokenizer_class: "PreTrainedTokenizerFast" };
  for (const [name, short] of Object.entries(named)) {
    const id = metadata.get(`tokenizer.ggml.${short}_token_id`);
    if (typeof id === "number" && tokens[id] !== undefined) config[name] = tokens[id];
  }
  const template = metadata.get("tokenizer.chat_template");
  if (typeof template === "string") config.chat_template = template;
  return config;
}

function listAt(metadata: GgufMetadata, name: string, type: "string"): string[];
function listAt(metadata: GgufMetadata, name: string, type: "number"): number[];
function listAt(metadata: GgufMetadata, name: string, type: string): unknown[] {
  const value = metadata.get(name);
  if (Array.isArray(value) && value.every((item) => typeof item === type)) return value;
  throw misformed(`metadata ${name} to be a list of ${type}s`, value);
}
