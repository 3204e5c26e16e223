/** Generates the rows of a database from its schema and a seed. */
import type { MersenneTwister } from "../../shared/rng/mersenne-twister.js";
import type { Column, Make, Schema, Table } from "../schemas/schema.js";
import { wordList } from "../schemas/words.js";
import { randomOf } from "./random.js";

export type Cell = string | number | null;

const dayMs = 86_400_000;
/**
 * Exponent of the distribution of references to rows. An exponent of 1 gives a uniform distribution. A higher exponent
 * favors the rows at the front of the list.
 */
const lean = 1.6;

/** Returns the rows of all tables, by table name. The same schema and seed give the same rows on every machine. */
export function rowsOf(schema: Schema, seed: number): Map<string, Cell[][]> {
  const made = new Map<string, Cell[][]>();
  for (const table of schema.tables) {
    const random = randomOf(seed, `${schema.name}.${table.name}`);
    const [low, high] = table.rows;
    const count = random.randint(low, high);
    const makers = table.columns.map((column) => maker(column, made, random));
    made.set(
      table.name,
      Array.from({ length: count }, (_, at) => makers.map((make) => make(at))),
    );
  }
  return made;
}

export function insertStatement({ name, columns }: Table): string {
  return `INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`;
}

function maker(
  { make, nulls }: Column,
  made: ReadonlyMap<string, Cell[][]>,
  random: MersenneTwister,
): (at: number) => Cell {
  const draw = drawer(make, made, random);
  if (nulls === 0) return draw;
  return (at) => (random.random() < nulls ? null : draw(at));
}

function drawer(make: Make, made: ReadonlyMap<string, Cell[][]>, random: MersenneTwister): (at: number) => Cell {
  switch (make.kind) {
    case "id":
      return (at) => at + 1;
    case "ref": {
      const keys = referred(made.get(make.table) as Cell[][], make.without, random);
      return () => keys[leaning(keys.length, random)] as Cell;
    }
    case "integer": {
      const { low, high, skewed } = make;
      return () => low + (skewed ? leaning(high - low + 1, random) : random.randbelow(high - low + 1));
    }
    case "real": {
      const scale = 10 ** make.decimals;
      return () => random.randint(Math.round(make.low * scale), Math.round(make.high * scale)) / scale;
    }
    case "date": {
      const first = Date.parse(make.from);
      const days = (Date.parse(make.to) - first) / dayMs + 1;
      return () => new Date(first + random.randbelow(days) * dayMs).toISOString().slice(0, 10);
    }
    case "choice":
      return () => make.values[leaning(make.values.length, random)] as string;
    case "text":
      return () => make.pattern.replace(/\{(\w+)\}/g, (_, list: string) => word(list, random));
  }
}

/**
 * Returns the keys that other rows may reference. The keys are shuffled, so that the frequently referenced rows differ
 * between databases.
 */
function referred(rows: readonly Cell[][], without: number, random: MersenneTwister): Cell[] {
  const keys = rows.map(([key]) => key as Cell);
  for (let left = keys.length; left > 1; left--) {
    const drawn = random.randbelow(left);
    [keys[left - 1], keys[drawn]] = [keys[drawn] as Cell, keys[left - 1] as Cell];
  }
  return keys.slice(0, Math.max(1, Math.round(keys.length * (1 - without))));
}

/** Draws an integer from 0 to `count - 1`. Low integers are more frequent. */
function leaning(count: number, random: MersenneTwister): number {
  return Math.min(count - 1, Math.floor(count * random.random() ** lean));
}

function word(list: string, random: MersenneTwister): string {
  if (list === "digits") return String(random.randint(1000, 9999));
  if (list === "letter") return String.fromCharCode(65 + random.randbelow(26));
  return random.choice(wordList(list));
}
