/**
 * The file of an embedded index: an SQLite database with the pages and an inverted index over the passages of the pages.
 * FTS5 splits text into terms and sorts them in the table `terms`, which is dropped at the end.
 */
import { homedir } from "node:os";
import { join } from "node:path";

/** Schema version. Increase it with every change of the tables, of passages, or of terms. */
export const schemaVersion = 2;

/** FTS5 tokenizer: Unicode words without accents, stemmed by Porter's algorithm of 1980. */
export const tokenize = "porter unicode61 remove_diacritics 2";

/** Weight of an occurrence in the title, relative to an occurrence in the text. */
export const titleWeight = 2;

/** Number of passages per row of the table `lengths`. */
export const lengthsInRow = 2 ** 16;

/**
 * Tables of a finished index:
 *
 * - `pages`: `page` is the line number in the corpus. The text of a page is stored once, and passages refer to the text.
 * - `lengths`: the number of terms in title and text of each passage, 16 bits each, from passage 1 on.
 * - `vocabulary`: for each term the number of passages, the largest share of the term's weight in a score, and the list
 *   of passages (posting-list.ts).
 */
export const schema = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE pages (
    page INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL, links TEXT
  );
  CREATE TABLE passages (passage INTEGER PRIMARY KEY, page INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL);
  CREATE TABLE lengths (row INTEGER PRIMARY KEY, terms BLOB NOT NULL);
  CREATE TABLE vocabulary (
    term BLOB PRIMARY KEY, passages INTEGER NOT NULL, most REAL NOT NULL, list BLOB NOT NULL
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE terms USING fts5(title, text, content='', tokenize='${tokenize}');
`;

/** Metadata of an index. In an embedded index, the metadata are in the table `facts`. */
export interface IndexFacts {
  schema: number;
  pages: number;
  passages: number;
  /** Number of skipped lines of the corpus. */
  skipped: number;
  /** SHA-256 of the lines of the corpus in hexadecimal. */
  digest: string;
  /** File of the corpus. */
  corpus: string;
  /** Time of the build in ISO 8601. */
  builtAt: string;
}

/** Metadata of an embedded index. */
export interface EmbeddedFacts extends IndexFacts {
  /** Total number of terms in all passages, with repetitions. */
  terms: number;
}

const namePattern = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** Returns the folder of the indexes that `palestra index build` makes. */
export function indexFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.PALESTRA_INDEXES) return environment.PALESTRA_INDEXES;
  return join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "indexes");
}

/** Returns the file of an index. @throws {RangeError} the name is invalid */
export function indexPath(name: string, folder = indexFolder()): string {
  if (namePattern.test(name)) return join(folder, `${name}.sqlite`);
  const expected = "a name of lower-case letters, digits, dots, dashes and underscores, 64 at most";
  throw new RangeError(`expected ${expected}, but received ${JSON.stringify(name)}`);
}

/** Returns the file in which an index is built. */
export function partialPath(path: string): string {
  return `${path}.partial`;
}
