/** Packing: concatenates rows to the packs that the engine processes. */
import type { Pack } from "../../native/api/index.js";
import { type Node, type Packable, rowsOf, sharedPrefixes, tokensOf } from "./shared-prefixes.js";

/** Rows that are in one pack, with the number of its tokens. */
interface Bundle<T> {
  readonly rows: T[];
  size: number;
}

/**
 * Packs sequences by first-fit decreasing (Johnson 1973): at most 11/9 of the fewest packs, plus one. The longest sequences
 * go first, each into the first pack with room. Sequences that share a prefix are packed as one, as far as they fit into
 * a pack.
 *
 * @param maxTokens maximum number of tokens in a pack
 * @param shares whether sequences share prefixes in their pack
 * @throws {RangeError} a sequence is longer than `maxTokens`
 */
export function packed<T extends Packable>(sequences: readonly T[], maxTokens: number, shares = false): T[][] {
  const bundles = shares
    ? sharedPrefixes(sequences).flatMap((node) => bundlesOf(node, maxTokens))
    : sequences.map((row) => ({ rows: [row], size: row.tokens.length }));
  const packs: { room: number; rows: T[] }[] = [];
  for (const { rows, size } of bundles.sort((a, b) => b.size - a.size)) {
    if (size > maxTokens)
      throw new RangeError(`expected sequences of at most ${maxTokens} tokens, but received ${size}`);
    let pack = packs.find(({ room }) => room >= size);
    if (!pack) {
      pack = { room: maxTokens, rows: [] };
      packs.push(pack);
    }
    pack.rows.push(...rows);
    pack.room -= size;
  }
  return packs.map(({ rows }) => rows);
}

/** Divides a tree that is too large for a pack into bundles of neighbours, each of which repeats the nodes above it. */
function bundlesOf<T extends Packable>(node: Node<T>, maxTokens: number): Bundle<T>[] {
  const size = node.from + tokensOf(node);
  if ("row" in node || size <= maxTokens) return [{ rows: rowsOf(node), size }];
  const bundles: Bundle<T>[] = [];
  for (const next of node.children.flatMap((child) => bundlesOf(child, maxTokens))) {
    const last = bundles.at(-1);
    const own = next.size - node.to;
    if (last && last.size + own <= maxTokens) {
      last.rows.push(...next.rows);
      last.size += own;
    } else {
      bundles.push(next);
    }
  }
  return bundles;
}

/** Own tokens of a row in a pack: those from `from` on, at `first` in the pack. Earlier tokens are shared. */
interface Place {
  readonly from: number;
  readonly first: number;
  readonly length: number;
}

/** A pack of rows. Arrays are `[tokens]`. */
export class RowPack {
  private constructor(
    readonly pack: Pack & { tokens: Int32Array; starts: Int32Array; mask: Uint8Array },
    /** Place of each row, in the order of the rows. */
    private readonly places: readonly Place[],
  ) {}

  /** @param shares whether tokens with mask 0 at the start of several rows are in the pack once, as their parent */
  static of(rows: readonly Packable[], shares = false): RowPack {
    const numbered = rows.map(({ tokens, mask }, at) => ({ tokens, mask, at }));
    const roots = shares ? sharedPrefixes(numbered) : numbered.map((row) => ({ from: 0, row }));
    const segments: Segment[] = [];
    for (const root of roots) addSegments(segments, root, -1);
    const starts = new Int32Array(segments.length + 1);
    for (const [at, { from, to }] of segments.entries()) starts[at + 1] = (starts[at] as number) + to - from;
    const length = starts[segments.length] as number;
    const tokens = new Int32Array(length);
    const mask = new Uint8Array(length);
    const places: Place[] = [];
    for (const [at, { row, from, to, isShared }] of segments.entries()) {
      const first = starts[at] as number;
      tokens.set(row.tokens.subarray(from, to), first);
      mask.set(row.mask.subarray(from, to), first);
      if (!isShared) places[row.at] = { from, first, length: to };
    }
    const parents = Int32Array.from(segments, ({ parent }) => parent);
    const inherits = parents.some((parent) => parent >= 0);
    return new RowPack({ tokens, starts, mask, ...(inherits && { parents }) }, places);
  }

  /** Concatenates the columns of the rows, in the order of the rows. Shared tokens have no place in a column. @returns `[tokens]` */
  joined(columns: readonly Float32Array[]): Float32Array {
    const all = new Float32Array(this.pack.tokens.length);
    for (const [at, { from, first }] of this.places.entries())
      all.set((columns[at] as Float32Array).subarray(from), first);
    return all;
  }

  /** Splits a column by rows, the inverse of `joined`. Shared tokens, whose mask is 0, have the value 0. */
  parted(column: Float32Array): Float32Array[] {
    return this.places.map(({ from, first, length }) => {
      const part = new Float32Array(length);
      part.set(column.subarray(first, first + length - from), from);
      return part;
    });
  }
}

/** A row with its number among the rows of its pack. */
type NumberedRow = Packable & { readonly at: number };

/** Tokens in a pack that continue the tokens of the segment `parent`, or of none if that is -1. */
interface Segment {
  /** Row that has the tokens; one of several if they are shared. */
  readonly row: NumberedRow;
  readonly from: number;
  readonly to: number;
  readonly parent: number;
  readonly isShared: boolean;
}

/** Adds the segments of a tree, each after its parent. */
function addSegments(segments: Segment[], node: Node<NumberedRow>, parent: number): void {
  const [row] = rowsOf(node) as [NumberedRow];
  const isShared = "children" in node;
  const to = isShared ? node.to : row.tokens.length;
  const at = segments.push({ row, from: node.from, to, parent, isShared }) - 1;
  if (isShared) for (const child of node.children) addSegments(segments, child, at);
}
