/** Error if a task directory cannot be used as a task. The message lists all reasons. */
export class TaskRefused extends Error {
  override readonly name = "TaskRefused";

  /** @param reasons all reasons, each in the form "expected ..., but received ..." */
  constructor(
    readonly task: string,
    readonly reasons: readonly string[],
  ) {
    super(`${task}: ${reasons.join("; ")}`);
  }
}

export function mismatch(expected: string, received: string): string {
  const shown = received.length > 200 ? `${received.slice(0, 200)}...` : received;
  return `expected ${expected}, but received ${shown}`;
}
