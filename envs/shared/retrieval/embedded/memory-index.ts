import { openDatabase } from "../../../../native/sqlite/index.js";
import { schema } from "./index-schema.js";
import { Listing } from "./listing.js";
import { PageIndex } from "./page-index.js";
import { PageWriter, type WrittenPage } from "./page-writer.js";

/**
 * Builds an index of a few hundred pages in memory, such as the chats of one episode. A search takes less than a
 * millisecond, so synchronous environments can use the index. Equal pages in equal order give equal results.
 *
 * @param pages pages with unique ids
 * @throws {RangeError} two pages have the same id
 */
export function memoryIndex(pages: readonly WrittenPage[]): PageIndex {
  const database = openDatabase(":memory:");
  try {
    database.exec(schema);
    const passages = database.transaction(() => {
      const writer = new PageWriter(database);
      return pages.reduce((sum, page, at) => sum + written(writer, at + 1, page), 0);
    })();
    // FTS5 merges its segments into one, from which the lists are made.
    database.exec(`INSERT INTO terms (terms) VALUES ('optimize')`);
    const listing = new Listing(database, passages);
    for (const _ of listing.write());
    database.exec(`DROP TABLE terms`);
    return new PageIndex(database, { passages, terms: listing.terms });
  } catch (error) {
    database.close();
    throw error;
  }
}

function written(writer: PageWriter, number: number, page: WrittenPage): number {
  const passages = writer.write(number, page);
  if (passages > 0) return passages;
  throw new RangeError(`expected pages with unique ids, but received ${JSON.stringify(page.id)} twice`);
}
