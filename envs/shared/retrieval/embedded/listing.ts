import type Database from "better-sqlite3";
import { dampingOf, k1 } from "./bm25.js";
import { type PostingSink, readPostings } from "./fts5-segment.js";
import { lengthsInRow, titleWeight } from "./index-schema.js";
import { ListWriter } from "./posting-list.js";

const mostLength = 2 ** 16 - 1;

/** Writes the tables `lengths` and `vocabulary` from FTS5's table `terms`. */
export class Listing implements PostingSink {
  /** Total number of terms in all passages, repetitions included. */
  terms = 0;
  private readonly lengths: Uint16Array;
  /** Damping of a passage, by its length in terms. */
  private readonly damping: Float64Array = new Float64Array(mostLength + 1);
  private readonly insert: Database.Statement;
  private readonly list = new ListWriter();
  private name = Buffer.alloc(0);
  private most = 0;
  /** Checksum of the number of terms in each passage. It is 0 after all posting lists have been visited. */
  private checksum = 0;

  constructor(
    private readonly database: Database.Database,
    private readonly passages: number,
  ) {
    this.lengths = new Uint16Array(passages);
    this.insert = database.prepare(`INSERT INTO vocabulary VALUES (?, ?, ?, ?)`);
  }

  /**
   * Writes both tables. Yields the fraction done at intervals. @throws {Error} FTS5's posting lists do not match the
   * passages
   */
  *write(): Generator<number> {
    this.database.exec(`DELETE FROM vocabulary; DELETE FROM lengths`);
    this.readLengths();
    this.writeLengths();
    for (let length = 0; length <= mostLength; length++)
      this.damping[length] = dampingOf(length, this.terms / this.passages);
    yield* readPostings(this.database, "terms", this);
    this.endTerm();
    if (this.checksum !== 0)
      throw new Error(
        "expected the FTS5 index to list each passage under all its terms, but received a different number of terms",
      );
  }

  term(term: Buffer): void {
    this.endTerm();
    this.name = Buffer.from(term);
  }

  posting(passage: number, title: number, text: number): void {
    const occurrences = titleWeight * title + text;
    this.list.add(passage, occurrences);
    this.checksum = (this.checksum - mark(passage, title + text)) | 0;
    const damping = this.damping[this.lengths[passage - 1] as number] as number;
    const share = (occurrences * (k1 + 1)) / (occurrences + damping);
    if (share > this.most) this.most = share;
  }

  private endTerm(): void {
    const { count } = this.list;
    if (count > 0) this.insert.run(this.name, count, this.most, this.list.take());
    this.most = 0;
  }

  private readLengths(): void {
    const rows = this.database.prepare(`SELECT id, sz FROM terms_docsize`).raw().iterate();
    for (const [passage, sizes] of rows as Iterable<[number, Buffer]>) {
      const length = sumOfVarints(sizes);
      this.terms += length;
      this.checksum = (this.checksum + mark(passage, length)) | 0;
      this.lengths[passage - 1] = Math.min(length, mostLength);
    }
  }

  private writeLengths(): void {
    const insert = this.database.prepare(`INSERT INTO lengths VALUES (?, ?)`);
    for (let row = 0; row * lengthsInRow < this.passages; row++) {
      const part = this.lengths.slice(row * lengthsInRow, (row + 1) * lengthsInRow);
      insert.run(row, Buffer.from(part.buffer));
    }
  }
}

/** Returns a passage's summand in the checksum. It is proportional to the number of terms. */
function mark(passage: number, terms: number): number {
  const mixed = Math.imul(passage ^ (passage >>> 15), 0x2c1b3c6d);
  return Math.imul(mixed ^ (mixed >>> 13), terms);
}

function sumOfVarints(bytes: Buffer): number {
  let [sum, number] = [0, 0];
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    sum += number;
    number = 0;
  }
  return sum;
}
