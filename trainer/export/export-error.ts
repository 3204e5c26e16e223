/** An export that cannot go on, in words that a person can act on. */
export class ExportError extends Error {
  override readonly name = "ExportError";
}
