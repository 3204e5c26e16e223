/** Reads and writes the tables of a log in PostgreSQL over one connection. */
import pg from "pg";
import { hostsOf } from "../postgres/session/database.js";
import { bigintsAsNumbers } from "../postgres/session/session.js";
import { boundedSelect } from "./bounded-select.js";
import { mostChunkRows } from "./chunks.js";
import type { TableReader } from "./table-reader.js";
import type { Key, LogTable, Row, Value } from "./tables.js";

export class PostgresTables implements TableReader {
  private broken: Error | null = null;

  private constructor(private readonly client: pg.Client) {
    // Statements in flight are rejected as well.
    client.on("error", (error) => (this.broken = error));
  }

  /** Connects to the host of a URL, or to the first of several that takes writes. @throws {Error} none can be used */
  static async connect(url: string): Promise<PostgresTables> {
    const hosts = hostsOf(url);
    let failure: unknown;
    for (const host of hosts) {
      try {
        const tables = await PostgresTables.connectTo(host);
        if (hosts.length === 1 || !(await tables.isStandby())) return tables;
        await tables.close();
        failure = new Error("the server is a standby, which takes no writes");
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  private static async connectTo(host: string): Promise<PostgresTables> {
    const client = new pg.Client({
      connectionString: host,
      types: bigintsAsNumbers,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      application_name: "palestra log copy",
    });
    const tables = new PostgresTables(client);
    await client.connect();
    return tables;
  }

  private async isStandby(): Promise<boolean> {
    const [server] = await this.query<{ isStandby: boolean }>(`SELECT pg_is_in_recovery() AS "isStandby"`);
    return server?.isStandby ?? false;
  }

  async query<T>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    if (this.broken) throw this.broken;
    return (await this.client.query(text, values as unknown[])).rows as T[];
  }

  async read(table: LogTable, after: Key | null, most = mostChunkRows): Promise<readonly Row[]> {
    const { from, keys, ...names } = namesOf(table);
    const bounds = keys.map((_, i) => `$${i + 2}::bigint`).join(", ");
    const where = after === null ? "" : ` WHERE (${keys.join(", ")}) > (${bounds})`;
    return this.queryRows(boundedSelect({ ...names, keys, from: from + where, most: "$1" }), [most, ...(after ?? [])]);
  }

  async lastKey(table: LogTable): Promise<Key | null> {
    const { keys, from } = namesOf(table);
    const last = keys.map((key) => `${key} DESC`).join(", ");
    const [row] = await this.queryRows(`SELECT ${keys.join(", ")} FROM ${from} ORDER BY ${last} LIMIT 1`, []);
    return (row as number[] | undefined) ?? null;
  }

  async count(table: LogTable): Promise<number> {
    const [row] = await this.queryRows(`SELECT count(*) FROM ${namesOf(table).from}`, []);
    return row?.[0] as number;
  }

  async insert(table: LogTable, rows: readonly Row[]): Promise<void> {
    const { columns, from } = namesOf(table);
    const values: Value[] = [];
    const places = rows.map((row) => `(${row.map((value) => `$${values.push(value)}`).join(", ")})`);
    const numbers = table.isNumbered ? "OVERRIDING SYSTEM VALUE" : "";
    await this.query(`INSERT INTO ${from} (${columns.join(", ")}) ${numbers} VALUES ${places.join(", ")}`, values);
  }

  /** Runs statements as one transaction. A failure leaves the connection unusable. */
  async transaction(work: () => Promise<void>): Promise<void> {
    await this.query("BEGIN");
    await work();
    await this.query("COMMIT");
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => {});
  }

  private async queryRows(text: string, values: readonly Value[]): Promise<Row[]> {
    if (this.broken) throw this.broken;
    return (await this.client.query({ text, values: values as Value[], rowMode: "array" })).rows as Row[];
  }
}

function namesOf({ name, columns, keyLength, texts }: LogTable) {
  const quoted = (names: readonly string[]) => names.map((each) => `"${each}"`);
  const [names, keys] = [quoted(columns), quoted(columns.slice(0, keyLength))];
  return { columns: names, keys, texts: quoted(texts), from: `palestra.${name}` };
}
