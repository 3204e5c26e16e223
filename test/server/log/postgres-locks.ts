/** Connections that hold locks in PostgreSQL for a test. */
import pg from "pg";
import { onTestFinished } from "vitest";

/** Opens a connection that is closed at the end of the test. */
export async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  onTestFinished(() => client.end().catch(() => {}));
  await client.connect();
  return client;
}

/** Locks a table until the connection ends: by default against changes. */
export async function lockedTable(url: string, table: string, mode = "SHARE"): Promise<pg.Client> {
  const client = await connected(url);
  await client.query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE`);
  return client;
}
