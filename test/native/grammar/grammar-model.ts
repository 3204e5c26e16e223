/** A tiny random model with tokens of bytes and of parts of JSON, for grammars. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configs, writeCheckpoint } from "../tiny-models.js";

/** Tokens of several bytes that cross the borders of JSON's parts, and parts of characters. */
const parts = [
  ...['",', '":', '"}', '"]', '", "', '":"', '": "', '{"', '[{"', "}}", "}]", "]}", '"},', "{}", "[]", "[[", "]]"],
  ...["true", "false", "null", "tru", "al", "12", "007", "-1", "0.", ".5", "e+", "E-", "1e", ", ", "  ", "\n  ", "\n"],
  ...[
    "a",
    "ab",
    "na",
    "name",
    "id",
    "next",
    "value",
    "kind",
    "yes",
    "yester",
    "foo",
    "bar",
    "ba",
    "ü",
    "größe",
    "é",
    "名前",
  ],
  ...['\\"', "\\n", "\\u00", "\\\\", "\\", "d83d", '"name"', '"a"', '{"name": "', "-0", "T1", ":0", "2024-", "@a."],
];

/** Letters in which a byte-level tokenizer writes bytes, by byte (GPT-2). */
const letters = (() => {
  const isPrinted = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrinted(byte) ? byte : next++));
})();

const spelled = (bytes: Uint8Array) => [...bytes].map((byte) => letters[byte]).join("");

/** Token that ends a reply. */
export const endToken = 0;

/** Writes the model. @returns the bytes of each token; those of the end token are empty */
export function writeGrammarModel(folder: string): Uint8Array[] {
  const tokens = [
    ...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
    ...parts.map((part) => new Uint8Array(Buffer.from(part))),
    // The second half of a character and a quotation mark.
    Uint8Array.of(0xbc, 0x22),
  ];
  const unique = new Map(tokens.map((bytes) => [spelled(bytes), bytes]));
  const vocab = Object.fromEntries(["<end>", ...unique.keys()].map((token, id) => [token, id]));
  const size = unique.size + 1;
  mkdirSync(folder, { recursive: true });
  writeCheckpoint(folder, { ...configs.llama, vocab_size: size, max_position_embeddings: 2_048 });
  const definition = {
    added_tokens: [{ id: endToken, content: "<end>", special: true }],
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, use_regex: false },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab, merges: [] },
  };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(definition));
  writeFileSync(join(folder, "tokenizer_config.json"), JSON.stringify({ eos_token: "<end>" }));
  return [new Uint8Array(), ...unique.values()];
}
