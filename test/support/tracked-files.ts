/** Files of the repository, as git lists them. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "vitest";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface TrackedFile {
  path: string;
  text: string;
}

function trackedFiles(): TrackedFile[] | undefined {
  try {
    const list = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" });
    return [...new Set(list.split("\0"))]
      .filter(isFile)
      .map((path) => ({ path, text: readFileSync(`${root}${path}`, "utf8") }));
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return path !== "" && (statSync(`${root}${path}`, { throwIfNoEntry: false })?.isFile() ?? false);
}

const tracked = trackedFiles();

/** Skips the test outside of a git checkout, where the list of files is unknown. */
export function testTree(title: string, check: (files: TrackedFile[]) => void): void {
  test(title, (context) => {
    if (!tracked) return context.skip("expected a git checkout, but `git ls-files` failed here");
    check(tracked);
  });
}
