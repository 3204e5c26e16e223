/** The folder of MiniWoB++'s pages on this machine. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Files that identify a complete copy. */
const marks = ["core/core.js", "miniwob/click-test.html"];

/** Returns the `html` folder of the package, saved by `palestra setup miniwob`. */
export function pageFolder(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "miniwob");
}

/** Returns a file that a copy lacks, or undefined for a complete copy. */
export function missingIn(folder: string): string | undefined {
  return marks.find((mark) => !existsSync(join(folder, mark)));
}
