/** Trajectories side by side, as the engine takes them. */
import type { Pack } from "../../native/api/index.js";
import type { Trajectory } from "../rollout/trajectory.js";

/** What is packed: tokens, and which of them are trained. */
export type Packable = Pick<Trajectory, "tokens" | "mask">;

/**
 * First-fit decreasing (Johnson 1973): at most 11/9 of the fewest packs, and one. The longest go first, equals in the
 * order that they came in, each into the first pack with room.
 *
 * @param maxTokens of a pack
 * @throws {RangeError} where one is longer than that
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

/** (tokens) all of them, one after the other. */
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

/** (tokens) what is known of each token, in the order of `packOf`. */
export function joined(columns: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

/** The converse of `joined`. @param starts of the pack */
export function parted(column: Float32Array, starts: Int32Array): Float32Array[] {
  return Array.from({ length: starts.length - 1 }, (_, at) => column.slice(starts[at], starts[at + 1]));
}
