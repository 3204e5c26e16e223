/**
 * Copy-on-write tables. An episode stores only the rows that it changes; all other rows are shared and never change.
 * This makes a reset cheap, isolates episodes, and records the changes of each episode.
 */
import type { JsonValue } from "../env.js";

/** A record of a table. Callers must not modify it. */
export interface Row {
  readonly id: number;
}

/** Common rows of a table by id, sorted by id. */
export type Rows<R extends Row> = ReadonlyMap<number, R>;

/**
 * A change of a row in an episode. An added row has no `before`, and a removed row has no `after`. For a changed row,
 * `before` and `after` contain only the changed fields.
 */
export interface Change {
  table: string;
  id: number;
  before?: JsonValue;
  after?: JsonValue;
}

export class Table<R extends Row> {
  /** Rows that the episode has added, changed or removed, by id. The value of a removed row is null. */
  private readonly own = new Map<number, R | null>();
  /** Ids of the rows that have changed since the last report. */
  private readonly unreported = new Set<number>();
  private lastId: number;

  constructor(
    readonly name: string,
    private readonly common: Rows<R>,
  ) {
    this.lastId = lastIdOf(common);
  }

  get(id: number): R | undefined {
    const own = this.own.get(id);
    return own === null ? undefined : (own ?? this.common.get(id));
  }

  /** @throws {RangeError} the row does not exist */
  need(id: number): R {
    const row = this.get(id);
    if (!row) throw new RangeError(`expected the id of a row in ${this.name}, but received ${id}`);
    return row;
  }

  /** Iterates over all rows: first the common rows, sorted by id, and then the added rows. */
  *[Symbol.iterator](): IterableIterator<R> {
    for (const [id, row] of this.common) {
      const own = this.own.get(id);
      if (own !== null) yield own ?? row;
    }
    for (const [id, own] of this.own) if (own && !this.common.has(id)) yield own;
  }

  find(fits: (row: R) => boolean): R | undefined {
    for (const row of this) if (fits(row)) return row;
    return undefined;
  }

  filter(fits: (row: R) => boolean): R[] {
    return [...this].filter(fits);
  }

  /**
   * Returns the rows whose field has the given value. An index of the common rows makes the lookup fast. Rows that got
   * this value in the episode come last.
   */
  where<N extends keyof R & string>(field: N, value: R[N]): R[] {
    const known = (indexOf(this.common, field).get(value) ?? []) as readonly R[];
    const kept = known.flatMap((row) => {
      const own = this.own.get(row.id);
      if (own === undefined) return [row];
      return own?.[field] === value ? [own] : [];
    });
    for (const [id, own] of this.own)
      if (own?.[field] === value && this.common.get(id)?.[field] !== value) kept.push(own);
    return kept;
  }

  insert(row: Omit<R, "id">): R {
    this.lastId += 1;
    const added = { ...row, id: this.lastId } as R;
    this.set(added.id, added);
    return added;
  }

  /** @throws {RangeError} the row does not exist */
  update(id: number, change: Partial<Omit<R, "id">>): R {
    const changed = { ...this.need(id), ...change };
    this.set(id, changed);
    return changed;
  }

  remove(id: number): void {
    if (!this.get(id)) return;
    this.set(id, null);
  }

  /** Returns the changes since the last call. Each changed row is compared with its common row. */
  takeChanges(): Change[] {
    const ids = [...this.unreported];
    this.unreported.clear();
    return ids.flatMap((id) => changeOf(this.name, id, this.common.get(id), this.own.get(id) ?? undefined) ?? []);
  }

  private set(id: number, row: R | null): void {
    this.own.set(id, row);
    this.unreported.add(id);
  }
}

const lastIds = new WeakMap<Rows<Row>, number>();

function lastIdOf(rows: Rows<Row>): number {
  const known = lastIds.get(rows);
  if (known !== undefined) return known;
  const last = [...rows.keys()].reduce((most, id) => Math.max(most, id), 0);
  lastIds.set(rows, last);
  return last;
}

const indexes = new WeakMap<Rows<Row>, Map<string, Map<unknown, Row[]>>>();

/** Returns the index of a field of the common rows. Each index is built once, and all episodes share it. */
function indexOf<R extends Row>(rows: Rows<R>, field: keyof R & string): ReadonlyMap<unknown, readonly Row[]> {
  const own = indexes.get(rows) ?? new Map<string, Map<unknown, Row[]>>();
  indexes.set(rows, own);
  let index = own.get(field);
  if (!index) {
    index = new Map<unknown, Row[]>();
    for (const row of rows.values()) {
      const same = index.get(row[field]);
      if (same) same.push(row);
      else index.set(row[field], [row]);
    }
    own.set(field, index);
  }
  return index;
}

function changeOf(table: string, id: number, before: Row | undefined, after: Row | undefined): Change | undefined {
  if (!before || !after) {
    if (!before && !after) return undefined;
    return { table, id, ...(before ? { before: json(before) } : {}), ...(after ? { after: json(after) } : {}) };
  }
  const names = (Object.keys({ ...before, ...after }) as (keyof Row)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const part = (row: Row) => json(Object.fromEntries(names.map((name) => [name, row[name]])));
  return { table, id, before: part(before), after: part(after) };
}

function json(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

/** All tables of a site, by name. */
export type Tables<B extends Record<string, Rows<Row>>> = {
  [name in keyof B]: Table<B[name] extends Rows<infer R> ? R : never>;
};

/**
 * Creates the tables of an episode over the common rows of a site.
 *
 * @param site name of the site, which becomes the prefix of the tables' names
 */
export function tablesOver<B extends Record<string, Rows<Row>>>(site: string, base: B): Tables<B> {
  const tables = Object.entries(base).map(([name, rows]) => [name, new Table(`${site}.${name}`, rows)]);
  return Object.fromEntries(tables) as Tables<B>;
}

/** Converts a list of rows to the common rows of a table. */
export function rowsOf<R extends Row>(rows: readonly R[]): Rows<R> {
  return new Map(rows.map((row) => [row.id, row]));
}
