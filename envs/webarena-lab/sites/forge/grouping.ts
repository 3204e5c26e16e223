/** Groups rows by a key. Each group keeps the order of the rows. */
export function grouped<R, K>(rows: Iterable<R>, keyOf: (row: R) => K): Map<K, R[]> {
  const groups = new Map<K, R[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
