/** An agent that uses every tool on the existing tables without reading the question. */
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { schemaOf } from "#palestra/envs/sql/schemas/index.js";
import { type Column, keyOf, type Table } from "#palestra/envs/sql/schemas/schema.js";

export class RandomUser {
  private readonly random: MersenneTwister;
  private readonly tables: readonly Table[];

  constructor(schema: string, seed: number) {
    this.random = new MersenneTwister(BigInt(seed));
    this.tables = schemaOf(schema).tables;
  }

  /** Returns some schema and query actions with a final submission. */
  actions(): string[] {
    const looks = Array.from({ length: this.random.randint(0, 4) }, () =>
      this.random.choice(["schema", `schema ${this.table().name}`, `query ${this.sql()}`]),
    );
    return [...looks, `submit ${this.sql()}`];
  }

  private sql(): string {
    const table = this.table();
    const columns = this.random.choice([
      "*",
      "COUNT(*)",
      `${this.random.choice(["AVG", "SUM", "MIN", "MAX"])}(${this.column(table).name})`,
      `DISTINCT ${this.column(table).name}`,
      this.column(table).name,
      `${keyOf(table)}, ${this.column(table).name}`,
    ]);
    const where = this.random.choice(["", ` WHERE ${this.condition(table)}`]);
    const order = this.random.choice(["", ` ORDER BY ${this.column(table).name} LIMIT ${this.random.randint(1, 10)}`]);
    return `SELECT ${columns} FROM ${table.name}${where}${order}`;
  }

  private condition(table: Table): string {
    const { name } = this.column(table);
    const value = `(SELECT ${name} FROM ${table.name} LIMIT 1 OFFSET ${this.random.randint(0, 20)})`;
    return this.random.choice([`${name} IS NULL`, `${name} = ${value}`, `${name} > ${value}`, `${name} < ${value}`]);
  }

  private table(): Table {
    return this.random.choice(this.tables);
  }

  private column({ columns }: Table): Column {
    return this.random.choice(columns);
  }
}
