/** Functions for programs and processes of this machine. */
import { readFileSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** Whether this process may execute the file. */
export function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Returns the path of the first program of this name in the folders of `path`, a list like the variable PATH. */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, name);
    if (await isProgram(program)) return program;
  }
  return undefined;
}

/** Returns the last line of a program's output. */
export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) as string;
}

/**
 * Whether a process runs. An ended process can remain as a zombie until its parent waits for it, and then counts as
 * ended.
 */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\t[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
