/**
 * Error that the person who runs the program can fix, such as a port in use. The program prints the error without a
 * stack trace.
 */
export class OperatorError extends Error {
  override readonly name = "OperatorError";

  /**
   * @param expected noun phrase for the right value or state
   * @param received the actual value, or the error that describes it
   */
  constructor(expected: string, received: unknown) {
    super(`expected ${expected}, but received ${inOneLine(received)}`, { cause: received });
  }

  /**
   * Wraps an error. A message that already states the expected value is kept. Any other message becomes the received
   * value.
   */
  static of(expected: string, error: unknown): OperatorError {
    const told = new OperatorError(expected, error);
    if (error instanceof Error && /\bexpected\b/.test(error.message)) told.message = inOneLine(error);
    return told;
  }
}

/** Thrown by work that a signal ended in an orderly way. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

function inOneLine(received: unknown): string {
  const text = received instanceof Error ? received.message : String(received);
  return text.trim().replace(/\s*\n\s*/g, " ");
}
