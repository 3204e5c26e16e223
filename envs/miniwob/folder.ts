/** The folder on this machine that holds MiniWoB++'s pages. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Files that identify a complete copy. */
const marks = ["core/core.js", "miniwob/click-test.html"];

/** Returns the `html` folder of the package, which `palestra setup miniwob` saved. */
export function pageFolder(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "miniwob");
}

/** Returns the name of a file that a copy lacks, or undefined if the copy is complete. */
export function missingIn(folder: string): string | undefined {
  return marks.find((mark) => !existsSync(join(folder, mark)));
}
