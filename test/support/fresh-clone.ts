/** A clone like a new user's: the tracked files of the working tree, without a build. */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./server-process.js";

/**
 * Makes the clone at `clone`. The installed packages are hard-linked, since a test should not need a registry.
 * Through a symbolic link, an `npm ci` in the clone would remove the packages of the working tree.
 */
export function freshClone(clone: string): void {
  copyFiles(clone);
  linkTree(join(root, "node_modules"), join(clone, "node_modules"));
  // The SQLite addon for Node 20, which counts as an installed package.
  const sqlite = "native/build-sqlite";
  if (existsSync(join(root, sqlite))) cpSync(join(root, sqlite), join(clone, sqlite), { recursive: true });
}

/** Copies the tracked files of the working tree, and new ones that git does not ignore. */
export function copyFiles(clone: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  for (const file of listed.split("\0").filter((name) => name !== "" && isFile(join(root, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    copyFileSync(join(root, file), join(clone, file));
  }
}

/** Copies dist/ of the working tree, which fits because the sources are equal. */
export function lendBuild(clone: string): void {
  cpSync(join(root, "dist"), join(clone, "dist"), { recursive: true, preserveTimestamps: true });
}

/** Copies the built engine of the working tree, which fits because the sources are equal. */
export function lendEngine(clone: string): void {
  mkdirSync(join(clone, "native/build"), { recursive: true });
  for (const name of ["palestra.node", ".stamp"]) {
    copyFileSync(join(root, "native/build", name), join(clone, "native/build", name));
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && lstatSync(path).isFile();
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else link(source, target);
  }
}

function link(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    cpSync(source, target); // on another file system
  }
}
