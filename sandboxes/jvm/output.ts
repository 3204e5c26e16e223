/** Outputs of a program, line by line. */
import type { Readable } from "node:stream";

/** Characters of the last lines that are kept. */
const mostKept = 2_000;

/** Keeps the last lines, so that an end can be explained, and lets the rest go: an output that nobody reads blocks. */
export class LastLines {
  private kept = "";

  constructor(stream: Readable) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      this.kept = (this.kept + text).slice(-mostKept);
    });
  }

  /** In one line. */
  get text(): string {
    return this.kept.trim().replace(/\s*\n\s*/g, " | ");
  }
}

/**
 * Resolves with the first line that matches; never where none does. Every line after it is read and thrown away.
 *
 * @param stream that nothing else reads
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
