import type { DatabaseFile } from "./database-file.js";

/** First byte of the pages of a table or an index. */
const kinds = { indexInterior: 0x02, tableInterior: 0x05, indexLeaf: 0x0a, tableLeaf: 0x0d } as const;

/** A page of a table or an index that cannot be read. */
export interface LostPage {
  page: number;
  /** Name of the table, or null if it is unknown. */
  table: string | null;
}

/** The pages of the tables and indexes, each with the page that refers to it. Finds the pages that cannot be read. */
export class Tree {
  private readonly parents: Uint32Array;
  private readonly readable: Uint8Array;
  /** Name of the table of each root page. */
  private readonly roots = new Map<number, string>();

  constructor(private readonly file: DatabaseFile) {
    this.parents = new Uint32Array(file.pageCount + 1);
    this.readable = new Uint8Array(file.pageCount + 1);
  }

  addRoot(page: number, table: string): void {
    this.roots.set(page, table);
  }

  /** Reads the links of a page. */
  add(number: number): void {
    const page = this.file.page(number);
    const start = number === 1 ? 100 : 0;
    const kind = page[start] as number;
    const isInterior = kind === kinds.indexInterior || kind === kinds.tableInterior;
    if (!isInterior && kind !== kinds.indexLeaf && kind !== kinds.tableLeaf) return;
    const pointers = start + (isInterior ? 12 : 8);
    const count = page.readUInt16BE(start + 3);
    if (pointers + 2 * count > page.length) return;
    this.readable[number] = 1;
    if (!isInterior) return;
    this.link(page.readUInt32BE(start + 8), number);
    for (let i = 0; i < count; i++) {
      const cell = page.readUInt16BE(pointers + 2 * i);
      if (cell + 4 <= page.length) this.link(page.readUInt32BE(cell), number);
    }
  }

  /** Returns the pages that belong to a table and cannot be read. Call this method after the last `add`. */
  lostPages(): LostPage[] {
    const lost: LostPage[] = [];
    for (let page = 1; page <= this.file.pageCount; page++) {
      const isExpected = page === 1 || this.parents[page] !== 0 || this.roots.has(page);
      if (isExpected && this.readable[page] === 0) lost.push({ page, table: this.tableOf(page) });
    }
    return lost;
  }

  private link(child: number, parent: number): void {
    if (this.file.has(child)) this.parents[child] = parent;
  }

  private tableOf(page: number): string | null {
    let root = page;
    // A damaged link may form a circle.
    for (let depth = 0; depth < 32 && this.parents[root] !== 0; depth++) root = this.parents[root] as number;
    return this.roots.get(root) ?? null;
  }
}
