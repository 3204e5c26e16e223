/** Indexes of rows by fields that never change. */
import type { Table } from "../../store.js";
import { type ForgeTables, forgeBase } from "./tables.js";

/** Names of tables whose rows are never removed. */
type Indexed = "branches" | "commits" | "issues" | "merges" | "notes" | "labels" | "milestones";
type RowOf<N extends Indexed> = ForgeTables[N] extends Table<infer R> ? R : never;

interface Index {
  /** Ids of the common rows, by the value of the field. */
  ids: ReadonlyMap<number, readonly number[]>;
  last: number;
}

/** Indexes of the common rows, by table and field. The common rows never change. */
const known = new Map<string, Index>();

function indexOf(name: Indexed, field: string): Index {
  const index = known.get(`${name} ${field}`);
  if (index) return index;
  const ids = new Map<number, number[]>();
  let last = 0;
  for (const row of forgeBase()[name].values()) {
    const value = (row as unknown as Record<string, number>)[field] as number;
    const group = ids.get(value);
    if (group) group.push(row.id);
    else ids.set(value, [row.id]);
    last = Math.max(last, row.id);
  }
  known.set(`${name} ${field}`, { ids, last });
  return { ids, last };
}

/** Returns the rows whose field has the given value, with the common rows first. */
export function rowsBy<N extends Indexed>(
  forge: ForgeTables,
  name: N,
  field: keyof RowOf<N> & string,
  value: number,
): RowOf<N>[] {
  const table = forge[name] as unknown as Table<RowOf<N>>;
  const { ids, last } = indexOf(name, field);
  const rows = (ids.get(value) ?? []).map((id) => table.need(id));
  for (let id = last + 1, row = table.get(id); row; id += 1, row = table.get(id))
    if (row[field] === value) rows.push(row);
  return rows;
}
