/**
 * Schema of an embedded index: an SQLite database with the pages and an inverted index of their passages. During a
 * build, FTS5 splits text into terms and sorts the terms in the table `terms`. The table is dropped when the build
 * ends.
 */
import { homedir } from "node:os";
import { join } from "node:path";

/** Schema version. Increase it when the tables, the splitting into passages or the terms change. */
export const schemaVersion = 2;

/** FTS5 tokenizer: Unicode words without accents, stemmed by Porter's algorithm of 1980. */
export const tokenize = "porter unicode61 remove_diacritics 2";

/** Weight of an occurrence in the title. An occurrence in the text has weight 1. */
export const titleWeight = 2;

/** Number of passages per row of the table `lengths`. */
export const lengthsInRow = 2 ** 16;

/**
 * Tables of a finished index:
 *
 * - `pages`: `page` is the line number in the corpus. Only this table stores texts; passages are positions in a text.
 * - `lengths`: the number of terms in the title and text of each passage, as 16-bit integers, starting with passage 1.
 * - `vocabulary`: for each term the number of passages, the maximum of its score in a passage divided by its weight,
 *   and its posting list (posting-list.ts).
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

/** Metadata of an index. An embedded index stores the metadata in the table `facts`. */
export interface IndexFacts {
  schema: number;
  pages: number;
  passages: number;
  /** Number of lines of the corpus that were skipped. */
  skipped: number;
  /** SHA-256 of the lines of the corpus, in hexadecimal digits. */
  digest: string;
  /** File of the corpus. */
  corpus: string;
  /** Time at which the build ended, in ISO 8601 format. */
  builtAt: string;
}

/** Metadata of an embedded index. */
export interface EmbeddedFacts extends IndexFacts {
  /** Total number of terms in all passages, repetitions included. */
  terms: number;
}

const namePattern = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** Returns the folder in which `palestra index build` stores indexes. */
export function indexFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.PALESTRA_INDEXES) return environment.PALESTRA_INDEXES;
  return join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "indexes");
}

/** Returns the path of an index's file. @throws {RangeError} the name is invalid */
export function indexPath(name: string, folder = indexFolder()): string {
  if (namePattern.test(name)) return join(folder, `${name}.sqlite`);
  const expected = "a name of at most 64 lower-case letters, digits, dots, dashes and underscores";
  throw new RangeError(`expected ${expected}, but received ${JSON.stringify(name)}`);
}

/** Returns the path of the file in which an index is built. */
export function partialPath(path: string): string {
  return `${path}.partial`;
}
