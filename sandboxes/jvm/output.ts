/** Reads the outputs of a program line by line. */
import type { Readable } from "node:stream";

/** Number of characters kept of the last lines. */
const mostKept = 2_000;

/**
 * Reads an output and keeps its last lines, to explain why a program ended. If the output were not read, the program
 * would block.
 */
export class LastLines {
  private kept = "";

  constructor(stream: Readable) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      this.kept = (this.kept + text).slice(-mostKept);
    });
  }

  /** The last lines, joined into a single line. */
  get text(): string {
    return this.kept.trim().replace(/\s*\n\s*/g, " | ");
  }
}

/**
 * Returns the first line that matches, and waits forever if no line matches. All later lines are read and dropped.
 *
 * @param stream output that nothing else reads
 */
export function firstMatch(stream: Readable, wanted: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    let unread = "";
    const read = (text: string) => {
      const lines = (unread + text).split("\n");
      unread = (lines.pop() as string).slice(-mostKept);
      for (const line of lines) {
        const match = wanted.exec(line.trimEnd());
        if (!match) continue;
        stream.off("data", read).resume();
        resolve(match);
        return;
      }
    };
    stream.setEncoding("utf8").on("data", read);
  });
}
