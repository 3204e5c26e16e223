/**
 * Reads FTS5's inverted index term by term from FTS5's data table. FTS5's own interface returns only single occurrences
 * and is about a hundred times slower. The comment at the start of SQLite's `fts5_index.c` describes the format.
 */
import type Database from "better-sqlite3";

/** Id of the record that lists the segments. */
const structureId = 10;
/**
 * Factor in the id of a leaf page. The id is the segment's number times this factor, plus the leaf's number in the
 * segment.
 */
const leavesOfSegment = 2 ** 37;
/** Marker of records in an index that supports deletion. */
const deletable = 0xff000001;
const leafHeaderBytes = 4;
/** First byte of each term in the main index. */
const mainIndex = 0x30;
/** Byte that precedes a column number in a position list. */
const columnMark = 1;

/** Visitor of the index. Terms are visited in byte order, and the passages of a term in ascending order. */
export interface PostingSink {
  /** Starts a term. @param term a buffer that is reused after the call */
  term(term: Buffer): void;
  /** Visits a passage of the term. @param title occurrences in the title @param text occurrences in the text */
  posting(passage: number, title: number, text: number): void;
}

/** Visits the index of an FTS5 table with the columns title and text. Yields the fraction done at intervals. */
export function* readPostings(database: Database.Database, table: string, sink: PostingSink): Generator<number> {
  const block = database.prepare(`SELECT block FROM ${table}_data WHERE id = ?`).pluck();
  const segment = onlySegment(block.get(structureId) as Buffer);
  if (segment) yield* new SegmentReader((leaf) => block.get(BigInt(leaf)) as Buffer | undefined, segment, sink).read();
}

interface Segment {
  id: number;
  first: number;
  last: number;
}

/** Returns the only segment, or undefined if the index is empty. @throws {Error} there are several segments */
function onlySegment(structure: Buffer): Segment | undefined {
  // The structure of an index that never had a row is shorter.
  if (structure.length < 8) return undefined;
  if (structure.readUInt32BE(4) === deletable)
    throw new Error("expected an FTS5 index without deletions, but received an index that supports deletions");
  const numbers = varints(structure.subarray(4));
  const [levels = 0, segments = 0] = numbers;
  if (segments === 0) return undefined;
  if (segments > 1) throw new Error(`expected one segment in the FTS5 index, but received ${segments}`);
  let at = 3;
  for (let level = 0; level < levels; level++) {
    const count = numbers[at + 1] as number;
    at += 2;
    if (count > 0) return { id: numbers[at], first: numbers[at + 1], last: numbers[at + 2] } as Segment;
  }
  throw new Error("expected a segment in the levels of the FTS5 index, but all levels are empty");
}

function varints(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

/** Reads the leaf pages of a segment as one stream. A value may continue in the next leaf, unless it is a number. */
class SegmentReader {
  private leaf: Buffer = Buffer.alloc(0);
  private number: number;
  private at = 0;
  /** Offset of the end of the leaf's content. */
  private end = 0;
  /** Offsets of the terms in the leaf, and the index of the next offset. */
  private termStarts: number[] = [];
  private nextTerm = 0;
  private readonly term = Buffer.alloc(2 ** 16);

  constructor(
    private readonly load: (id: number) => Buffer | undefined,
    private readonly segment: Segment,
    private readonly sink: PostingSink,
  ) {
    this.number = segment.first - 1;
  }

  *read(): Generator<number> {
    const { first, last } = this.segment;
    let told = this.number;
    let passage = 0;
    let isFirst = true;
    let leafOfPassage = 0;
    while (this.at < this.end || this.number < last) {
      if (this.at >= this.end) this.turn();
      if (this.number - told > 1_000) {
        told = this.number;
        yield (this.number - first) / (last - first + 1);
      }
      if (this.at === this.termStarts[this.nextTerm]) {
        this.readTerm();
        isFirst = true;
        continue;
      }
      const number = this.varint();
      // The first passage of a term and of a leaf is stored in full. Every other passage is stored as the difference to
      // the previous passage.
      passage = isFirst || this.number !== leafOfPassage ? number : passage + number;
      isFirst = false;
      leafOfPassage = this.number;
      this.readPosting(passage);
    }
  }

  private readTerm(): void {
    // The first term of a leaf is stored in full. Every other term is stored without the prefix that it shares with the
    // previous term.
    const common = this.nextTerm === 0 ? 0 : this.varint();
    this.nextTerm += 1;
    const length = this.varint();
    this.leaf.copy(this.term, common, this.at, this.at + length);
    this.at += length;
    if (this.term[0] !== mainIndex)
      throw new Error("expected terms of the main FTS5 index, but received a term of another index");
    this.sink.term(this.term.subarray(1, common + length));
  }

  private readPosting(passage: number): void {
    const sizeAndMark = this.varint();
    if (sizeAndMark % 2 === 1)
      throw new Error("expected an FTS5 index without deletions, but received an index that supports deletions");
    let left = sizeAndMark / 2;
    let isText = false;
    let isStart = true;
    let [title, text] = [0, 0];
    while (left > 0) {
      if (this.at >= this.end) this.turn();
      const byte = this.leaf[this.at++] as number;
      left -= 1;
      if (isStart && byte === columnMark) {
        if (this.at >= this.end) this.turn();
        if (this.leaf[this.at++] !== 1) throw new Error("expected two columns");
        left -= 1;
        isText = true;
        continue;
      }
      // The byte is the last byte of a varint.
      isStart = byte < 128;
      if (isStart && isText) text += 1;
      else if (isStart) title += 1;
    }
    this.sink.posting(passage, title, text);
  }

  private varint(): number {
    let number = 0;
    for (;;) {
      if (this.at >= this.end) this.turn();
      const byte = this.leaf[this.at++] as number;
      number = number * 128 + (byte & 127);
      if (byte < 128) return number;
    }
  }

  private turn(): void {
    this.number += 1;
    const leaf =
      this.number <= this.segment.last ? this.load(this.segment.id * leavesOfSegment + this.number) : undefined;
    if (!leaf) throw new Error(`expected leaf ${this.number} of the FTS5 segment, but the leaf does not exist`);
    this.leaf = leaf;
    this.at = leafHeaderBytes;
    this.end = leaf.readUInt16BE(2);
    let start = 0;
    this.termStarts = varints(leaf.subarray(this.end)).map((distance) => (start += distance));
    this.nextTerm = 0;
  }
}
