/** The search by MaxScore equals a plain query of FTS5, which scores every passage that contains a word of the query. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildIndex } from "#palestra/envs/shared/retrieval/embedded/index-builder.js";
import { IndexFile } from "#palestra/envs/shared/retrieval/embedded/index-file.js";
import { titleWeight, tokenize } from "#palestra/envs/shared/retrieval/embedded/index-schema.js";
import { memoryIndex } from "#palestra/envs/shared/retrieval/embedded/memory-index.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";
import { openDatabase } from "#palestra/native/sqlite/index.js";

const count = 30_000;
const vocabulary = 20_000;
const k = 10;

const folder = mkdtempSync(join(tmpdir(), "palestra-plan-"));
const rng = new Pcg64(7);
let index: IndexFile;
let plain: Database.Database;

/** Returns a random rank below a bound, by Zipf's law. */
const rank = (bound: number) => Math.floor((bound + 1) ** rng.random()) - 1;
const wordOf = (number: number) => `w${number}`;
const words = (length: number) => Array.from({ length }, () => wordOf(rank(vocabulary))).join(" ");

const pages = Array.from({ length: count }, (_, at) => ({
  id: `${at + 1}`,
  title: words(rng.integers(0, 4)),
  // Some passages are long, with positions of two bytes.
  text: words(at % 100 === 0 ? rng.integers(150, 250) : rng.integers(1, 40)),
}));

beforeAll(async () => {
  const path = join(folder, "index.sqlite");
  await buildIndex({ name: "a Zipf corpus", lines: lines() }, path);
  index = new IndexFile(path);
  plain = openDatabase(":memory:");
  plain.exec(`CREATE VIRTUAL TABLE terms USING fts5(title, text, tokenize='${tokenize}')`);
  const insert = plain.prepare(`INSERT INTO terms (rowid, title, text) VALUES (?, ?, ?)`);
  plain.transaction(() => {
    for (const { id, title, text } of pages) insert.run(Number(id), title, text);
  })();
});

afterAll(() => {
  index.close();
  plain.close();
  rmSync(folder, { recursive: true });
});

async function* lines() {
  for (const [at, page] of pages.entries())
    yield { number: at + 1, text: JSON.stringify(page), fraction: (at + 1) / count };
}

/** Returns whether half of all passages contain the word. A search leaves such words out if the query has others. */
function isEverywhere(word: string): boolean {
  const held = plain.prepare(`SELECT count(*) FROM terms WHERE terms MATCH ?`).pluck().get(`"${word}"`) as number;
  return held >= count / 2;
}

function plainly(query: string, limit: number): { id: string; score: number }[] {
  const all = [...new Set(query.split(" "))];
  const telling = all.filter((word) => !isEverywhere(word));
  const match = (telling.length > 0 ? telling : all).map((word) => `"${word}"`).join(" OR ");
  const select = plain.prepare(
    `SELECT CAST(rowid AS TEXT) AS id, -bm25(terms, ${titleWeight}, 1) AS score FROM terms WHERE terms MATCH ?
       ORDER BY score DESC, rowid LIMIT ?`,
  );
  return select.all(match, limit) as { id: string; score: number }[];
}

/** Compares scores with a tolerance, since they are summed in different orders. */
const tolerance = 1e-9;

function expectSame(query: string): void {
  const found = index.search(query, k);
  const expected = plainly(query, k);
  expect([query, found.length]).toEqual([query, expected.length]);
  for (const [at, { score }] of found.entries())
    expect(Math.abs(score - (expected[at]?.score ?? Number.NaN)), `${query}, place ${at + 1}`).toBeLessThan(tolerance);
}

describe("a search", () => {
  test("finds passages with the same scores as a plain query, for 200 random queries", () => {
    for (let round = 0; round < 200; round++) expectSame(words(rng.integers(1, 12)));
  });

  test("finds the same for frequent words, for rare words, and for a frequent and a rare word", () => {
    for (let round = 0; round < 20; round++) {
      const [frequent, rare] = [wordOf(8 + round), wordOf(vocabulary - 1 - round)];
      for (const query of [frequent, rare, `${frequent} ${rare}`, `${frequent} ${wordOf(30)}`]) expectSame(query);
    }
  });

  test("finds the same passages if no scores are equal", () => {
    for (let round = 0; round < 50; round++) {
      const query = words(6);
      const expected = plainly(query, k + 1);
      const isClear = expected.every(({ score }, at) => at === 0 || (expected[at - 1]?.score ?? 0) - score > tolerance);
      if (isClear) expect(index.search(query, k).map(({ id }) => id)).toEqual(expected.slice(0, k).map(({ id }) => id));
    }
  });

  test("finds nothing if no passage contains a word", () => {
    expect(index.search("nowhere", k)).toEqual([]);
    expect(index.search("?!", k)).toEqual([]);
  });
});

describe("an index in memory", () => {
  test("finds the same as an index file with the same pages", async () => {
    const few = pages.slice(0, 300).map((page) => ({ ...page, links: [] }));
    const path = join(folder, "few.sqlite");
    async function* fewLines() {
      for (const [at, page] of few.entries()) yield { number: at + 1, text: JSON.stringify(page), fraction: 1 };
    }
    await buildIndex({ name: "few", lines: fewLines() }, path);
    const [file, memory] = [new IndexFile(path), memoryIndex(few)];
    for (let round = 0; round < 50; round++) {
      const query = words(4);
      expect(memory.search(query, k)).toEqual(file.search(query, k));
    }
    expect(memory.open("7", 0)).toEqual(file.open("7", 0));
    file.close();
    memory.close();
  });

  test("refuses two pages with one id, and finds nothing without pages", () => {
    const page = { id: "a", title: "A", text: "word", links: [] };
    expect(() => memoryIndex([page, page])).toThrow('expected pages with unique ids, but received "a" twice');
    expect(memoryIndex([]).search("word", 3)).toEqual([]);
  });
});
