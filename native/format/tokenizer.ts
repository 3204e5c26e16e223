/** Text to tokens and back, by the tokenizer that comes with a model. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer as HfTokenizer } from "@huggingface/tokenizers";
import { invalid, misformed } from "../addon/errors.js";
import { type ChatMessage, type ChatOptions, ChatTemplate } from "./chat-template.js";
import { integer, tokenIds } from "./options.js";
import { isRecord, readJsonIfThere } from "./safetensors.js";
import { TextStream } from "./text-stream.js";

type Json = Record<string, unknown>;

/** The bytes of every token: token t is `bytes.subarray(Number(offsets[t]), Number(offsets[t + 1]))`. */
export interface TokenBytes {
  bytes: Uint8Array;
  /** (vocabulary + 1) */
  offsets: BigUint64Array;
}

export class Tokenizer {
  /** The content of tokenizer.json. */
  readonly definition: Json;
  /** The content of tokenizer_config.json. */
  readonly config: Json;
  /** As the model's authors wrote it; undefined where they did not. */
  readonly chatTemplate: ChatTemplate | undefined;
  /** One more than the highest id. */
  readonly size: number;
  readonly #tokenizer: HfTokenizer;
  readonly #vocabulary: Map<string, number>;
  #bytes: TokenBytes | undefined;

  /** Fails with NATIVE_FORMAT. @param template of chats, in place of the config's */
  constructor(definition: Json, config: Json, template?: string) {
    this.definition = definition;
    this.config = config;
    try {
      this.#tokenizer = new HfTokenizer(definition, config);
    } catch (error) {
      throw misformed("a tokenizer.json that is understood", error instanceof Error ? error.message : String(error));
    }
    this.#vocabulary = this.#tokenizer.get_vocab(true);
    let highest = -1;
    for (const id of this.#vocabulary.values()) highest = Math.max(highest, id);
    this.size = highest + 1;
    const source = template ?? templateOf(config);
    this.chatTemplate = source === undefined ? undefined : new ChatTemplate(source, specialTokensOf(config));
  }

  /** Of a folder in Hugging Face's layout; undefined where it has no tokenizer.json. */
  static async read(folder: string): Promise<Tokenizer | undefined> {
    const definition = await readJsonIfThere(join(folder, "tokenizer.json"));
    if (!definition) return undefined;
    const config = (await readJsonIfThere(join(folder, "tokenizer_config.json"))) ?? {};
    const template = await readFile(join(folder, "chat_template.jinja"), "utf8").catch(() => undefined);
    return new Tokenizer(definition, config, template);
  }

  /** @param addSpecialTokens those that the tokenizer puts around a text, such as the beginning of a sequence */
  encode(text: string, { addSpecialTokens = true }: { addSpecialTokens?: boolean } = {}): Int32Array {
    if (typeof text !== "string") throw invalid("a text to encode", text);
    return Int32Array.from(this.#tokenizer.encode(text, { add_special_tokens: addSpecialTokens }).ids);
  }

  /** Ids that are no token have no text. For tokens as they come: `textStream`. */
  decode(tokens: Int32Array | number[], { skipSpecialTokens = false }: { skipSpecialTokens?: boolean } = {}): string {
    const ids = tokenIds(tokens, "tokens");
    if (ids.length === 0) return "";
    return this.#tokenizer.decode(Array.from(ids), {
      skip_special_tokens: skipSpecialTokens,
      clean_up_tokenization_spaces: false,
    });
  }

  /**
   * Text as its tokens come. A character whose bytes are split over tokens comes with the last of them; what is no UTF-8
   * as U+FFFD.
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

  /** Fails with NATIVE_INVALID_ARGUMENT where the model has no chat template. */
  encodeChat(messages: ChatMessage[], options?: ChatOptions): Int32Array {
    if (!this.chatTemplate) throw invalid("a tokenizer with a chat template", undefined);
    return this.encode(this.chatTemplate.render(messages, options), { addSpecialTokens: false });
  }

  idOf(token: string): number | undefined {
    return this.#vocabulary.get(token);
  }

  /** The tokens that end a text, as tokenizer_config.json has them. */
  get endTokens(): number[] {
    const token = specialTokensOf(this.config).eos_token;
    const id = token === undefined ? undefined : this.idOf(token);
    return id === undefined ? [] : [id];
  }

  /** Ids that are no token have no bytes. @param vocabularySize of the model: at least `size` */
  bytes(vocabularySize: number): TokenBytes {
    integer(this.size, 2 ** 31 - 1)(vocabularySize, "vocabularySize");
    // A vocabulary has a hundred thousand tokens, and every generator asks.
    this.#bytes ??= this.#spell();
    const { bytes, offsets } = this.#bytes;
    const wider = new BigUint64Array(vocabularySize + 1).fill(BigInt(bytes.length), offsets.length);
    wider.set(offsets);
    return { bytes, offsets: wider };
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

/** How the tokens of a vocabulary are written: GPT-2's letters for bytes, or SentencePiece's text. */
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

/** GPT-2 writes each byte as a letter that can be seen: itself, or the next letter from U+0100 on. */
const bytesByLetter = new Map<string, number>();
for (let byte = 0, hidden = 0; byte < 256; byte += 1) {
  const isVisible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  bytesByLetter.set(String.fromCodePoint(isVisible ? byte : 0x100 + hidden), byte);
  if (!isVisible) hidden += 1;
}

/** A text, or a list of named ones. */
function templateOf({ chat_template: template }: Json): string | undefined {
  if (typeof template === "string") return template;
  if (!Array.isArray(template)) return undefined;
  const named = template.filter(isRecord);
  const chosen = named.find(({ name }) => name === "default") ?? named[0];
  return typeof chosen?.template === "string" ? chosen.template : undefined;
}

/** `bos_token` and its like: a text, or an object with the text as `content`. */
function specialTokensOf(config: Json): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    const content = isRecord(value) ? value.content : value;
    if (name.endsWith("_token") && typeof content === "string") tokens[name] = content;
  }
  return tokens;
}
