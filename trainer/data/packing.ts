/** Packing: concatenates rows to the packs that the engine processes. */
import type { Pack } from "../../native/api/index.js";
import type { Trajectory } from "../rollout/trajectory.js";

/** A sequence that can be packed. */
export type Packable = Pick<Trajectory, "tokens" | "mask">;

/**
 * Packs sequences by first-fit decreasing (Johnson 1973): at most 11/9 of the fewest packs, plus one. The longest sequences
 * go first, each into the first pack with room.
 *
 * @param maxTokens maximum number of tokens in a pack
 * @throws {RangeError} a sequence is longer than `maxTokens`
 */
export function packed<T extends Packable>(sequences: readonly T[], maxTokens: number): T[][] {
  const packs: { room: number; sequences: T[] }[] = [];
  const longestFirst = [...sequences].sort((a, b) => b.tokens.length - a.tokens.length);
  for (const sequence of longestFirst) {
    const { length } = sequence.tokens;
    if (length > maxTokens) throw new RangeError(`expected sequences of at most ${maxTokens} tokens, but received ${length}`);
    let pack = packs.find(({ room }) => room >= length);
    if (!pack) {
      pack = { room: maxTokens, sequences: [] };
      packs.push(pack);
    }
    pack.sequences.push(sequence);
    pack.room -= length;
  }
  return packs.map(({ sequences }) => sequences);
}

/** Concatenates sequences to a pack. Arrays are `[tokens]`. */
export function packOf(sequences: readonly Packable[]): Pack & { tokens: Int32Array; starts: Int32Array; mask: Uint8Array } {
  const starts = new Int32Array(sequences.length + 1);
  for (const [at, { tokens }] of sequences.entries()) starts[at + 1] = (starts[at] as number) + tokens.length;
  const length = starts[sequences.length] as number;
  const tokens = new Int32Array(length);
  const mask = new Uint8Array(length);
  for (const [at, sequence] of sequences.entries()) {
    tokens.set(sequence.tokens, starts[at]);
    mask.set(sequence.mask, starts[at]);
  }
  return { tokens, starts, mask };
}

/** Concatenates columns in the order of `packOf`. @returns `[tokens]` */
export function joined(columns: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

/** Splits a column by sequences, the inverse of `joined`. @param starts start of each sequence in the pack */
export function parted(column: Float32Array, starts: Int32Array): Float32Array[] {
  return Array.from({ length: starts.length - 1 }, (_, at) => column.slice(starts[at], starts[at + 1]));
}
