import type Database from "better-sqlite3";
import { type PageLink, type PageWindow, type Passage, windowOf } from "../source.js";
import { bestPassages, type Lengths, type ListedTerm, type Scored } from "./best-passages.js";
import { weightOf } from "./bm25.js";
import { type EmbeddedFacts, tokenize } from "./index-schema.js";
import { type Term, tellingTerms } from "./query-plan.js";

/** Maximum number of characters of a query. The rest is ignored. */
const mostQueryCharacters = 4_096;

/** Number of passages fetched per result, since several passages may belong to the same page. */
const passagesPerPage = 4;

/** The metadata that a search needs. */
type SizeFacts = Pick<EmbeddedFacts, "passages" | "terms">;

interface PassageRow {
  page: number;
  id: string;
  title: string;
  text: string;
  start: number;
  length: number;
}

interface PageRow {
  id: string;
  title: string;
  text: string;
  links: string | null;
}

/** Searches an open database that has the tables of a finished index. All calls block. */
export class PageIndex {
  private readonly insertWord: Database.Statement;
  private readonly forgetWords: Database.Statement;
  private readonly selectTerms: Database.Statement;
  private readonly selectList: Database.Statement;
  private readonly lengths: Lengths;
  private readonly selectPassage: Database.Statement;
  private readonly selectPage: Database.Statement;

  constructor(
    private readonly database: Database.Database,
    private readonly facts: SizeFacts,
  ) {
    // Splits words of a query into terms with the tokenizer of the pages.
    this.database.exec(`
      CREATE VIRTUAL TABLE temp.words USING fts5(word, tokenize='${tokenize}');
      CREATE VIRTUAL TABLE temp.wordTerms USING fts5vocab('temp', 'words', 'instance');
    `);
    this.insertWord = this.database.prepare(`INSERT INTO temp.words (rowid, word) VALUES (?, ?)`);
    this.forgetWords = this.database.prepare(`DELETE FROM temp.words`);
    this.selectTerms = this.database.prepare(
      `SELECT doc, wordTerms.term AS term, vocabulary.passages AS passages
         FROM temp.wordTerms CROSS JOIN vocabulary ON vocabulary.term = CAST(wordTerms.term AS BLOB)`,
    );
    this.selectList = this.database.prepare(`SELECT passages, most, list FROM vocabulary WHERE term = CAST(? AS BLOB)`);
    this.lengths = lengthsOf(this.database, this.facts);
    this.selectPassage = this.database.prepare(
      `SELECT pages.page, id, title, text, start, length FROM passages JOIN pages USING (page) WHERE passage = ?`,
    );
    this.selectPage = this.database.prepare(`SELECT id, title, text, links FROM pages WHERE id = ?`);
  }

  /** Same as `Source.search`, but synchronous. */
  search(query: string, k: number): Passage[] {
    const terms = tellingTerms(this.termsOf(query), this.facts.passages);
    if (terms.length === 0) return [];
    const found: Passage[] = [];
    const pages = new Set<number>();
    for (const { passage, score } of this.best(terms, k * passagesPerPage)) {
      const { page, id, title, text, start, length } = this.selectPassage.get(passage) as PassageRow;
      if (pages.has(page)) continue;
      pages.add(page);
      found.push({ id, title, text: text.slice(start, start + length).trim(), score });
      if (found.length === k) break;
    }
    return found;
  }

  /** Same as `Source.open`, but synchronous. */
  open(id: string, offset: number): PageWindow | null {
    const row = this.selectPage.get(id) as PageRow | undefined;
    if (!row) return null;
    const links = row.links === null ? [] : (JSON.parse(row.links) as PageLink[]);
    return windowOf({ ...row, links }, offset);
  }

  close(): void {
    this.database.close();
  }

  private best(terms: readonly Term[], limit: number): Scored[] {
    const listed = terms.map(({ term }) => {
      const row = this.selectList.get(term) as Omit<ListedTerm, "weight">;
      return { ...row, weight: weightOf(row.passages, this.facts.passages) };
    });
    return bestPassages(listed, this.lengths, limit);
  }

  /** Returns the terms of a query without duplicates. */
  private termsOf(query: string): Term[] {
    const words = [...new Set(query.slice(0, mostQueryCharacters).match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu))];
    for (const [at, word] of words.entries()) this.insertWord.run(at + 1, word);
    const rows = this.selectTerms.all() as { doc: number; term: string; passages: number }[];
    this.forgetWords.run();
    const byTerm = new Map(
      rows.map(({ doc, term, passages }) => [term, { word: words[doc - 1] as string, term, passages }]),
    );
    return [...byTerm.values()];
  }
}

/** Lengths of passages. Rows are read on demand and cached. The cache needs two bytes per passage. */
function lengthsOf(database: Database.Database, { passages, terms }: SizeFacts): Lengths {
  const select = database.prepare(`SELECT terms FROM lengths WHERE row = ?`).pluck();
  const rows = new Map<number, Uint16Array>();
  return {
    passages,
    average: terms / passages,
    row(number) {
      const known = rows.get(number);
      if (known) return known;
      const bytes = select.get(number) as Buffer;
      const row = new Uint16Array(Uint8Array.from(bytes).buffer);
      rows.set(number, row);
      return row;
    },
  };
}
