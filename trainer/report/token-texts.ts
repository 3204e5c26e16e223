/** The texts of single tokens. */

/** Bytes of all tokens: those of token i are `bytes[offsets[i]]` to `bytes[offsets[i + 1] - 1]`. */
export interface Vocabulary {
  readonly bytes: Uint8Array;
  readonly offsets: BigUint64Array;
}

export class TokenTexts {
  /** Texts of tokens that are whole characters; null for parts of characters. */
  private readonly known = new Map<number, string | null>();

  constructor(private readonly vocabulary: Vocabulary) {}

  /**
   * Returns a text for each token of a conversation. A character whose bytes are spread over several tokens is the text of
   * the last of them; the others have an empty text. Joined, the texts are the conversation.
   */
  of(tokens: Int32Array): string[] {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    let isInside = false;
    const texts = Array.from(tokens, (token) => {
      const whole = isInside ? null : this.wholeText(token);
      if (whole !== null) return whole;
      const text = decoder.decode(this.bytesOf(token), { stream: true });
      isInside = text === "";
      return text;
    });
    const rest = decoder.decode();
    if (rest !== "" && texts.length > 0) texts[texts.length - 1] += rest;
    return texts;
  }

  private wholeText(token: number): string | null {
    let text = this.known.get(token);
    if (text !== undefined) return text;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.bytesOf(token));
    } catch {
      text = null;
    }
    this.known.set(token, text);
    return text;
  }

  private bytesOf(token: number): Uint8Array {
    const { bytes, offsets } = this.vocabulary;
    return bytes.subarray(Number(offsets[token] ?? 0), Number(offsets[token + 1] ?? 0));
  }
}
