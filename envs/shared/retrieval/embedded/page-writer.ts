import type Database from "better-sqlite3";
import type { PageLink } from "../source.js";
import { passagesOf } from "./passages.js";

export interface WrittenPage {
  id: string;
  title: string;
  text: string;
  links: readonly PageLink[];
}

/** Writes pages and their passages into a database with the tables of `index-schema.ts`. */
export class PageWriter {
  private readonly insertPage: Database.Statement;
  private readonly insertPassage: Database.Statement;
  private readonly insertTerms: Database.Statement;

  constructor(database: Database.Database) {
    this.insertPage = database.prepare(`INSERT OR IGNORE INTO pages VALUES (?, ?, ?, ?, ?)`);
    this.insertPassage = database.prepare(`INSERT INTO passages (page, start, length) VALUES (?, ?, ?)`);
    this.insertTerms = database.prepare(`INSERT INTO terms (rowid, title, text) VALUES (?, ?, ?)`);
  }

  /**
   * Writes a page. @param number unique number of the page
   * @returns the number of passages, or 0 if the id already exists and nothing was written
   */
  write(number: number, { id, title, text, links }: WrittenPage): number {
    const kept = links.length > 0 ? JSON.stringify(links) : null;
    if (this.insertPage.run(number, id, title, text, kept).changes === 0) return 0;
    // A page with only a title gets an empty passage, so that searches find the page.
    const spans = text === "" ? [{ start: 0, length: 0 }] : passagesOf(text);
    for (const { start, length } of spans) {
      const passage = this.insertPassage.run(number, start, length).lastInsertRowid;
      this.insertTerms.run(passage, title, text.slice(start, start + length));
    }
    return spans.length;
  }
}
