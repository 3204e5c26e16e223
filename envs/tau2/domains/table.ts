/** Records of a database by id. A table copies a record before the first change, so that episodes share the untouched ones. */
import { copyOf, type Dict, type Model, type Value } from "../python/value.js";

export class Table {
  /** Records that this table has read for a change, changed or added. */
  private readonly own = new Map<string, Model>();

  constructor(private readonly shared: ReadonlyMap<string, Model>) {}

  /** Returns a record that the caller may change. */
  get(id: string): Model | undefined {
    const known = this.own.get(id);
    if (known) return known;
    const shared = this.shared.get(id);
    if (!shared) return undefined;
    const copy = copyOf(shared);
    this.own.set(id, copy);
    return copy;
  }

  /** Returns a record that the caller does not change. */
  look(id: string): Model | undefined {
    return this.own.get(id) ?? this.shared.get(id);
  }

  has(id: string): boolean {
    return this.own.has(id) || this.shared.has(id);
  }

  set(id: string, record: Model): void {
    this.own.set(id, record);
  }

  get size(): number {
    return this.shared.size + this.added.length;
  }

  /** Returns all records for reading, in the order of the file and then of their addition. */
  *all(): IterableIterator<[id: string, record: Model]> {
    for (const [id, record] of this.shared) yield [id, this.own.get(id) ?? record];
    for (const id of this.added) yield [id, this.own.get(id) as Model];
  }

  /** Ids of the records that may differ from the shared ones. */
  get touched(): IterableIterator<string> {
    return this.own.keys();
  }

  private get added(): string[] {
    return [...this.own.keys()].filter((id) => !this.shared.has(id));
  }
}

/** A database: its tables by name. */
export class Database {
  private constructor(
    /** Name of the database's model, which errors name. */
    readonly model: string,
    private readonly tables: ReadonlyMap<string, Table>,
  ) {}

  static of(model: string, loaded: ReadonlyMap<string, Value>): Database {
    const tables = [...loaded].map(
      ([name, records]) => [name, new Table(records as unknown as ReadonlyMap<string, Model>)] as const,
    );
    return new Database(model, new Map(tables));
  }

  table(name: string): Table | undefined {
    return this.tables.get(name);
  }

  /** Returns the whole database as one dict. Its records are not copied. */
  whole(): Dict {
    return new Map([...this.tables].map(([name, table]) => [name, new Map(table.all())]));
  }

  /** Whether both databases, loaded from the same file, have the same content. */
  hasContentOf(other: Database, isSame: (a: Value, b: Value) => boolean): boolean {
    if (this.tables.size !== other.tables.size) return false;
    return [...this.tables].every(([name, table]) => {
      const against = other.tables.get(name);
      if (!against) return false;
      const ids = new Set([...table.touched, ...against.touched]);
      return [...ids].every((id) => {
        const [one, two] = [table.look(id), against.look(id)];
        return one !== undefined && two !== undefined && isSame(one, two);
      });
    });
  }
}
