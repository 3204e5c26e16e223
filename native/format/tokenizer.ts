/** Converts text to tokens and back, with the tokenizer that comes with a model. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer as HfTokenizer } from "@huggingface/tokenizers";
import { invalid, misformed } from "../addon/errors.js";
import { type ChatMessage, type ChatOptions, ChatTemplate } from "./chat-template.js";
import { check, tokenIds } from "./options.js";
import { isRecord, readJsonIfThere } from "./safetensors.js";
import { TextStream } from "./text-stream.js";

type Json = Record<string, unknown>;

/** The bytes of every token. Token t is `bytes.subarray(Number(offsets[t]), Number(offsets[t + 1]))`. */
export interface TokenBytes {
  bytes: Uint8Array;
  /** Offset of each token's bytes: [vocabulary + 1]. */
  offsets: BigUint64Array;
}

export class Tokenizer {
  /** The content of tokenizer.json. */
  readonly definition: Json;
  /** The content of tokenizer_config.json. */
  readonly config: Json;
  /** Chat template of the tokenizer. Undefined when the model comes without a template. */
  readonly chatTemplate: ChatTemplate | undefined;
  /** Size of the vocabulary: one more than the highest id. */
  readonly size: number;
  readonly #tokenizer: HfTokenizer;
  readonly #vocabulary: Map<string, number>;
  #bytes: TokenBytes | undefined;

  /**
   * Makes a tokenizer. Fails with NATIVE_FORMAT. @param template chat template that replaces the template of `config`
   */
  constructor(definition: Json, config: Json, template?: string) {
    this.definition = definition;
    this.config = config;
    try {
      this.#tokenizer = new HfTokenizer(definition, config);
    } catch (error) {
      throw misformed("a supported tokenizer.json", error instanceof Error ? error.message : String(error));
    }
    this.#vocabulary = this.#tokenizer.get_vocab(true);
    let highest = -1;
    for (const id of this.#vocabulary.values()) highest = Math.max(highest, id);
    this.size = highest + 1;
    const source = template ?? templateOf(config);
    this.chatTemplate = source === undefined ? undefined : new ChatTemplate(source, specialTokensOf(config));
  }

  /** Reads a folder in Hugging Face's layout. Returns undefined when the folder has no tokenizer.json. */
  static async read(folder: string): Promise<Tokenizer | undefined> {
    const definition = await readJsonIfThere(join(folder, "tokenizer.json"));
    if (!definition) return undefined;
    const config = (await readJsonIfThere(join(folder, "tokenizer_config.json"))) ?? {};
    const template = await readFile(join(folder, "chat_template.jinja"), "utf8").catch(() => undefined);
    return new Tokenizer(definition, config, template);
  }

  /**
   * @param addSpecialTokens whether to add the tokens that the tokenizer puts around a text, such as the start of a
   * sequence
   */
  encode(text: string, { addSpecialTokens = true }: { addSpecialTokens?: boolean } = {}): Int32Array {
    if (typeof text !== "string") throw invalid("a text to encode", text);
    return Int32Array.from(this.#tokenizer.encode(text, { add_special_tokens: addSpecialTokens }).ids);
  }

  /** Decodes tokens to text. Unknown ids are skipped. Use `textStream` for tokens that arrive one by one. */
  decode(tokens: Int32Array | number[], { skipSpecialTokens = false }: { skipSpecialTokens?: boolean } = {}): string {
    const ids = check("tokens", tokenIds, tokens);
    if (ids.length === 0) return "";
    return this.#tokenizer.decode(Array.isArray(tokens) ? tokens : Array.from(ids), {
      skip_special_tokens: skipSpecialTokens,
      clean_up_tokenization_spaces: false,
    });
  }

  /**
   * Returns a decoder for tokens that arrive one by one. It returns a character once the last token with its bytes
   * arrives. Invalid UTF-8 becomes U+FFFD.
   */
  textStream({ skipSpecialTokens = false }: { skipSpecialTokens?: boolean } = {}): TextStream {
    const added = this.#tokenizer.get_added_tokens_decoder();
    const { bytes, offsets } = this.bytes(this.size);
    return new TextStream((token) => {
      const isSkipped = skipSpecialTokens && added.get(token)?.special === true;
      if (isSkipped || token >= this.size) return new Uint8Array();
      return bytes.subarray(Number(offsets[token]), Number(offsets[token + 1]));
    });
  }

  /** Encodes a conversation. Fails with NATIVE_INVALID_ARGUMENT when the model has no chat template. */
  encodeChat(messages: ChatMessage[], options?: ChatOptions): Int32Array {
    if (!this.chatTemplate) throw invalid("a tokenizer with a chat template", undefined);
    return this.encode(this.chatTemplate.render(messages, options), { addSpecialTokens: false });
  }

  idOf(token: string): number | undefined {
    return this.#vocabulary.get(token);
  }

  /** List with the end-of-text token of tokenizer_config.json. The list is empty when the file has no such token. */
  get endTokens(): number[] {
    const token = specialTokensOf(this.config).eos_token;
    const id = token === undefined ? undefined : this.idOf(token);
    return id === undefined ? [] : [id];
  }

  /**
   * Returns the bytes of every token. Unknown ids have no bytes. @param vocabularySize the model's vocabulary size, at least
   * `size`
   */
  bytes(vocabularySize: number): TokenBytes {
    if (!Number.isInteger(vocabularySize) || vocabularySize < this.size || vocabularySize >= 2 ** 31) {
      throw invalid(`vocabularySize to be an integer of at least ${this.size}`, vocabularySize);
    }
    // The bytes are cached, since a vocabulary has a hundred thousand tokens and every generator needs them.
    this.#bytes ??= this.#spell();
    const { bytes, offsets } = this.#bytes;
    const wider = new BigUint64Array(vocabularySize + 1).fill(BigInt(bytes.length), offsets.length);
    wider.set(offsets);
    return { bytes, offsets: wider };
  }

  /** Returns, for each token, whether it is special: a mark such as the end of a turn, and no text. */
  special(vocabularySize: number): Uint8Array {
    const special = new Uint8Array(vocabularySize);
    for (const [id, token] of this.#tokenizer.get_added_tokens_decoder()) if (token.special) special[id] = 1;
    return special;
  }

  #spell(): TokenBytes {
    const added = this.#tokenizer.get_added_tokens_decoder();
    const bytesOf = spelling(this.definition);
    const tokens: Uint8Array[] = Array(this.size).fill(new Uint8Array());
    for (const [token, id] of this.#vocabulary) tokens[id] = added.has(id) ? Buffer.from(token) : bytesOf(token);
    const offsets = new BigUint64Array(this.size + 1);
    let end = 0;
    for (const [id, token] of tokens.entries()) {
      end += token.length;
      offsets[id + 1] = BigInt(end);
    }
    return { bytes: new Uint8Array(Buffer.concat(tokens)), offsets };
  }
}

/**
 * Returns a function that converts a token of the vocabulary to bytes. Tokens are written in GPT-2's letters for bytes,
 * or as SentencePiece's text.
 */
function spelling(definition: Json): (token: string) => Uint8Array {
  const parts = JSON.stringify([definition.decoder ?? null, definition.pre_tokenizer ?? null]);
  if (parts.includes('"ByteLevel"')) {
    return (token) => Uint8Array.from(Array.from(token), (letter) => bytesByLetter.get(letter) ?? 0x3f);
  }
  return (token) => {
    const [, hexadecimal] = /^<0x([0-9A-F]{2})>$/.exec(token) ?? [];
    return hexadecimal ? Uint8Array.of(Number.parseInt(hexadecimal, 16)) : Buffer.from(token.replaceAll("▁", " "));
  };
}

/**
 * Bytes by the letter that GPT-2 writes for them: the byte's own character if it is visible, else the next free letter
 * from U+0100.
 */
const bytesByLetter = new Map<string, number>();
for (let byte = 0, hidden = 0; byte < 256; byte += 1) {
  const isVisible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  bytesByLetter.set(String.fromCodePoint(isVisible ? byte : 0x100 + hidden), byte);
  if (!isVisible) hidden += 1;
}

/**
 * Returns the chat template of a config. If the config has several named templates, returns `default`, or the first if
 * no template has that name.
 */
function templateOf({ chat_template: template }: Json): string | undefined {
  if (typeof template === "string") return template;
  if (!Array.isArray(template)) return undefined;
  const named = template.filter(isRecord);
  const chosen = named.find(({ name }) => name === "default") ?? named[0];
  return typeof chosen?.template === "string" ? chosen.template : undefined;
}

/** Collects `bos_token`, `eos_token` and so on. Each is a text, or an object with the text as `content`. */
function specialTokensOf(config: Json): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    const content = isRecord(value) ? value.content : value;
    if (name.endsWith("_token") && typeof content === "string") tokens[name] = content;
  }
  return tokens;
}
