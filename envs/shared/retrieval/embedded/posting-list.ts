/**
 * Posting lists: the passages that contain a term, with the weighted occurrences in each. A list consists of blocks
 * that can be read independently. If it has several blocks, a table with the last passage and the position of each
 * block comes first.
 */

const blockLength = 128;

/** Writes one posting list after another. Its memory is proportional to the longest list. */
export class ListWriter {
  private bytes = Buffer.alloc(2 ** 16);
  private length = 0;
  private lasts: number[] = [];
  private starts: number[] = [];
  private last = 0;
  /** Number of passages in the current list. */
  count = 0;

  add(passage: number, occurrences: number): void {
    if (this.count % blockLength === 0) {
      if (this.count > 0) this.lasts.push(this.last);
      this.starts.push(this.length);
    }
    if (this.length + 16 > this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.bytes.length)]);
    this.put((passage - this.last) * 2 + (occurrences === 1 ? 0 : 1));
    if (occurrences !== 1) this.put(occurrences);
    this.last = passage;
    this.count += 1;
  }

  /** Returns the bytes of the current list and starts the next list. */
  take(): Buffer {
    this.lasts.push(this.last);
    const table = Uint32Array.from(this.starts.length > 1 ? [...this.lasts, ...this.starts] : []);
    const list = Buffer.concat([Buffer.from(table.buffer), this.bytes.subarray(0, this.length)]);
    [this.length, this.last, this.count, this.lasts, this.starts] = [0, 0, 0, [], []];
    return list;
  }

  /** Writes a varint: seven bits per byte, the lowest bits first. */
  private put(number: number): void {
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bytes[this.length++] = (rest % 128) | 128;
    this.bytes[this.length++] = rest;
  }
}

/** A cursor that reads a posting list in order. */
export class ListCursor {
  /** Passages and occurrences of the current block. */
  readonly passages = new Float64Array(blockLength);
  readonly occurrences = new Float64Array(blockLength);
  /** Number of entries in the current block. */
  size = 0;
  /** Index of the next entry in the current block. */
  at = 0;
  private readonly table: Uint32Array;
  private readonly blocks: number;
  private readonly payload: number;
  private block = -1;

  /** @param count number of passages in the list */
  constructor(
    private readonly list: Buffer,
    private readonly count: number,
  ) {
    this.blocks = Math.ceil(count / blockLength);
    const bytes = this.blocks > 1 ? 8 * this.blocks : 0;
    this.table = new Uint32Array(list.buffer.slice(list.byteOffset, list.byteOffset + bytes) as ArrayBuffer);
    this.payload = bytes;
  }

  /**
   * Moves to the first entry whose passage number is at least `passage`. @returns false if the list has no such entry
   */
  seek(passage: number): boolean {
    if (this.at >= this.size || (this.passages[this.size - 1] as number) < passage) {
      let next = this.block + 1;
      while (next < this.blocks - 1 && (this.table[next] as number) < passage) next += 1;
      if (next >= this.blocks) {
        this.at = this.size;
        return false;
      }
      this.read(next);
    }
    while (this.at < this.size && (this.passages[this.at] as number) < passage) this.at += 1;
    return this.at < this.size;
  }

  /** Moves to the next block. @returns false at the end of the list */
  turn(): boolean {
    if (this.block + 1 >= this.blocks) return false;
    this.read(this.block + 1);
    return true;
  }

  private read(block: number): void {
    const { list, passages, occurrences } = this;
    const size = Math.min(blockLength, this.count - block * blockLength);
    let place = this.payload + (this.blocks > 1 ? (this.table[this.blocks + block] as number) : 0);
    let last = block === 0 ? 0 : (this.table[block - 1] as number);
    for (let entry = 0; entry < size; entry++) {
      let byte = list[place++] as number;
      let number = byte & 127;
      for (let scale = 128; byte >= 128; scale *= 128) {
        byte = list[place++] as number;
        number += (byte & 127) * scale;
      }
      let count = 1;
      if (number % 2 === 1) {
        byte = list[place++] as number;
        count = byte & 127;
        for (let scale = 128; byte >= 128; scale *= 128) {
          byte = list[place++] as number;
          count += (byte & 127) * scale;
        }
      }
      last += number >= 2 ** 31 ? Math.floor(number / 2) : number >> 1;
      passages[entry] = last;
      occurrences[entry] = count;
    }
    this.block = block;
    this.size = size;
    this.at = 0;
  }
}
