/** The indexes that `palestra index build` has made on this machine. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { removeDatabase } from "./index-builder.js";
import { IndexFile } from "./index-file.js";
import { type IndexFacts, indexFolder, indexPath, partialPath } from "./index-schema.js";

export interface IndexListing {
  name: string;
  bytes: number;
  /** Metadata. Undefined if the file cannot be read; `problem` then states the reason. */
  facts?: IndexFacts;
  problem?: string;
}

const suffix = ".sqlite";

export function listIndexes(folder = indexFolder()): IndexListing[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(suffix)) : [];
  return names.sort().map((file) => listing(file.slice(0, -suffix.length), folder));
}

/** Removes an index, complete or incomplete. @returns whether the index existed */
export function removeIndex(name: string, folder = indexFolder()): boolean {
  const path = indexPath(name, folder);
  const isThere = existsSync(path) || existsSync(partialPath(path));
  removeDatabase(path);
  removeDatabase(partialPath(path));
  return isThere;
}

/** Opens an index. @throws {Error} the index does not exist or cannot be read */
export function openIndex(name: string, folder = indexFolder()): IndexFile {
  const path = indexPath(name, folder);
  if (!existsSync(path)) throw new Error(`no file at ${path}. Build it with \`palestra index build\``);
  return new IndexFile(path);
}

function listing(name: string, folder: string): IndexListing {
  const bytes = statSync(indexPath(name, folder)).size;
  try {
    const file = openIndex(name, folder);
    file.close();
    return { name, bytes, facts: file.facts };
  } catch (error) {
    return { name, bytes, problem: (error as Error).message };
  }
}
