/** The local folder with MiniWoB++'s pages. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Files whose presence identifies a complete copy. */
const marks = ["core/core.js", "miniwob/click-test.html"];

/** Returns the path where `palestra setup miniwob` saves the `html` folder of the package. */
export function pageFolder(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "miniwob");
}

/** Returns the name of a missing file, or undefined if the copy is complete. */
export function missingIn(folder: string): string | undefined {
  return marks.find((mark) => !existsSync(join(folder, mark)));
}
