/**
 * The log of how a starting model is made: `start.jsonl` in the output folder, a line for each progress of a phase. The gym
 * shows it while no train step is done.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StartProgress } from "../start/starting-model.js";

/** Least time in milliseconds between two lines of a phase. Its first and its last progress are always written. */
const leastMs = 500;

export const startFile = "start.jsonl";

export class StartLog {
  private readonly path: string;
  private written: { readonly phase: string; readonly atMs: number } | undefined;

  constructor(private readonly folder: string) {
    this.path = join(folder, startFile);
  }

  /** Writes a line. The first one replaces the log of an earlier start. @throws errors of the file system */
  write(progress: StartProgress): void {
    const { phase, done, total } = progress;
    const nowMs = Date.now();
    const isSoon = this.written?.phase === phase && nowMs - this.written.atMs < leastMs;
    if (isSoon && done !== total) return;
    const line = `${JSON.stringify({ time: nowMs / 1_000, ...progress })}\n`;
    if (this.written === undefined) mkdirSync(this.folder, { recursive: true });
    writeFileSync(this.path, line, { flag: this.written === undefined ? "w" : "a" });
    this.written = { phase, atMs: nowMs };
  }
}
