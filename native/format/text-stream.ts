/** Decodes tokens one by one into whole characters. */
import { invalid } from "../addon/errors.js";
import { isTokenId } from "./options.js";

export class TextStream {
  readonly #bytesOf: (token: number) => Uint8Array;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** @internal */
  constructor(bytesOf: (token: number) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  /** Returns the characters that the token completes. Returns an empty string while a character is incomplete. */
  push(token: number): string {
    if (!isTokenId(token)) throw invalid("a token id", token);
    return this.#decoder.decode(this.#bytesOf(token), { stream: true });
  }

  /** Returns U+FFFD for an incomplete last character, else an empty string. */
  end(): string {
    return this.#decoder.decode();
  }
}
