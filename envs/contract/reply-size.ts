/** The limit on the size of a result, which the gym and the conformance suite check with the same words. */

/** Longest JSON text of a result, in characters, unless the gym's setting `limits.maxReplyLength` differs. */
export const usualReplyLength = 16 * 2 ** 20;

/** Thrown for a result that is too long to be logged and sent. */
export class ResultTooLong extends Error {
  override readonly name = "ResultTooLong";

  /**
   * @param most limit on the characters of the JSON text
   * @param length characters of the JSON text
   * @param fields parts of the result by name; the message names the longest
   */
  constructor(most: number, length: number, fields: Readonly<Record<string, unknown>> = {}) {
    const sizes = Object.entries(fields).map(([name, value]) => ({ name, size: JSON.stringify(value)?.length ?? 0 }));
    const [longest] = sizes.sort((a, b) => b.size - a.size);
    const part = longest ? `, of which \`${longest.name}\` has ${grouped(longest.size)}` : "";
    const remedy = "Return a shorter one, or raise the setting `limits.maxReplyLength` of the gym";
    super(
      `expected a result of at most ${grouped(most)} characters of JSON, but received ${grouped(length)}${part}. ${remedy}.`,
    );
  }
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
