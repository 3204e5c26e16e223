import { statSync } from "node:fs";
import Database from "better-sqlite3";
import type { PageWindow, Passage } from "../source.js";
import { type EmbeddedFacts, schemaVersion } from "./index-schema.js";
import { PageIndex } from "./page-index.js";

/** Size of the cache for database pages, in MiB. */
const cacheMb = 64;
const mappedBytes = 2 ** 33;

/** A reader of one embedded index. All calls block, so use a reader in a dedicated thread. */
export class IndexFile {
  readonly facts: EmbeddedFacts;
  private readonly index: PageIndex;
  private readonly inode: number;

  /** @throws {Error} no index is at the path, or the index has another schema version */
  constructor(private readonly path: string) {
    this.inode = statSync(path).ino;
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      this.facts = factsOf(database);
      if (this.facts.schema !== schemaVersion)
        throw new Error(
          `expected an index of schema ${schemaVersion}, but received ${this.facts.schema}: build ${path} again`,
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

  /** Whether the file at the path is still the opened file. */
  get isCurrent(): boolean {
    try {
      return statSync(this.path).ino === this.inode;
    } catch {
      // The file was deleted, but the open file is still readable.
      return true;
    }
  }

  /** Searches as `Source.search` does, but blocks. */
  search(query: string, k: number): Passage[] {
    return this.index.search(query, k);
  }

  /** Opens a page as `Source.open` does, but blocks. */
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
