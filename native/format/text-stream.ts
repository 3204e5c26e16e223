/** Text out of tokens one by one, in whole characters. */
import { tokenIds } from "./options.js";

export class TextStream {
  readonly #bytesOf: (token: number) => Uint8Array;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** @internal */
  constructor(bytesOf: (token: number) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  /** @returns the characters that the token ends: often its text, and nothing where one is still to be ended */
  push(token: number): string {
    const [id = 0] = tokenIds([token], "tokens");
    return this.#decoder.decode(this.#bytesOf(id), { stream: true });
  }

  /** @returns what is left: U+FFFD for a character that was not ended */
  end(): string {
    return this.#decoder.decode();
  }
}
