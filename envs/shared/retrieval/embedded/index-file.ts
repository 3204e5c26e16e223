import { statSync } from "node:fs";
import type Database from "better-sqlite3";
import { openDatabase } from "../../../../native/sqlite/index.js";
import type { PageWindow, Passage } from "../source.js";
import { type EmbeddedFacts, schemaVersion } from "./index-schema.js";
import { PageIndex } from "./page-index.js";

/** Size of SQLite's page cache, in MiB. */
const cacheMb = 64;
const mappedBytes = 2 ** 33;

/** Reader of one embedded index. All calls block, so use it in a dedicated thread. */
export class IndexFile {
  readonly facts: EmbeddedFacts;
  private readonly index: PageIndex;
  private readonly inode: number;

  /** @throws {Error} the path has no index, or an index of a different schema version */
  constructor(private readonly path: string) {
    this.inode = statSync(path).ino;
    const database = openDatabase(path, { readonly: true, fileMustExist: true });
    try {
      this.facts = factsOf(database);
      if (this.facts.schema !== schemaVersion)
        throw new Error(
          `expected an index of schema ${schemaVersion}, but received schema ${this.facts.schema}: build ${path} again`,
        );
      database.pragma(`cache_size = -${cacheMb * 1_024}`);
      database.pragma(`mmap_size = ${mappedBytes}`);
      database.pragma("temp_store = MEMORY");
      this.index = new PageIndex(database, this.facts);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Whether the opened file is still the file at the path, that is, no build has replaced it. */
  get isCurrent(): boolean {
    try {
      return statSync(this.path).ino === this.inode;
    } catch {
      // The file was deleted, but the open file is still readable.
      return true;
    }
  }

  /** Same as `Source.search`, but synchronous. */
  search(query: string, k: number): Passage[] {
    return this.index.search(query, k);
  }

  /** Same as `Source.open`, but synchronous. */
  open(id: string, offset: number): PageWindow | null {
    return this.index.open(id, offset);
  }

  close(): void {
    this.index.close();
  }
}

export function factsOf(database: Database.Database): EmbeddedFacts {
  const rows = database.prepare(`SELECT name, value FROM facts`).all() as { name: string; value: string }[];
  return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)])) as unknown as EmbeddedFacts;
}
