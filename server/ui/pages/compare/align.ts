/** Pairs the steps of two episodes by their actions, as a comparison of two texts pairs their lines. */

/** Numbers of steps that stand beside each other. Null: the other episode has a step that this one lacks. */
export type Pairing = readonly [left: number | null, right: number | null];

/** Product of lengths up to which the longest common sequence is computed. Longer episodes are paired by position. */
const mostCells = 4_000_000;

/** Returns pairs of steps, counted from 1, in order. Steps that only one episode has stand beside others of that kind. */
export function aligned(left: readonly string[], right: readonly string[]): Pairing[] {
  const start = commonStart(left, right);
  const pairs: Pairing[] = Array.from({ length: start }, (_, i) => [i + 1, i + 1]);
  const [a, b] = [left.slice(start), right.slice(start)];
  const common = a.length * b.length <= mostCells ? commonSequence(a, b) : [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...common, [a.length, b.length] as const]) {
    const gap = Math.max(nextX - x, nextY - y);
    for (let i = 0; i < gap; i++)
      pairs.push([x + i < nextX ? start + x + i + 1 : null, y + i < nextY ? start + y + i + 1 : null]);
    if (nextX < a.length) pairs.push([start + nextX + 1, start + nextY + 1]);
    [x, y] = [nextX + 1, nextY + 1];
  }
  return pairs;
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at += 1;
  return at;
}

/** Returns the places of a longest common sequence. */
export function commonSequence(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let x = a.length - 1; x >= 0; x--)
    for (let y = b.length - 1; y >= 0; y--)
      lengths[x * width + y] =
        a[x] === b[y]
          ? (lengths[(x + 1) * width + y + 1] as number) + 1
          : Math.max(lengths[(x + 1) * width + y] as number, lengths[x * width + y + 1] as number);
  const places: (readonly [number, number])[] = [];
  for (let x = 0, y = 0; x < a.length && y < b.length; ) {
    if (a[x] === b[y]) places.push([x++, y++]);
    else if ((lengths[(x + 1) * width + y] as number) >= (lengths[x * width + y + 1] as number)) x += 1;
    else y += 1;
  }
  return places;
}
