/**
 * The PostgreSQL server that all test files of a run share. The server starts when the first test needs it.
 * `databases.ts` asks over a Unix socket.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { PostgresServer, templateName } from "./postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the socket that answers each connection with a `PostgresAnswer`. */
    postgresSocket: string;
  }
}

/** The URL of a database of the running server, or why there is none. */
export type PostgresAnswer = { url: string } | { error: string };

/** vitest calls this before the first test, and the returned function after the last. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // The other projects inherit this set-up.
  if (!project.isRootProject()) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "palestra-run-"));
  let starting: Promise<PostgresServer> | undefined;
  const door = createServer(async (client) => {
    client.on("error", () => {});
    starting ??= start();
    const answer = await starting.then(
      (server): PostgresAnswer => ({ url: server.urlOf("postgres") }),
      (error): PostgresAnswer => ({ error: String(error) }),
    );
    client.end(JSON.stringify(answer));
  });
  const path = join(folder, "postgres");
  await new Promise<void>((resolve) => door.listen(path, resolve));
  project.provide("postgresSocket", path);
  return async () => {
    door.close();
    await starting?.then(
      (server) => server.remove(),
      () => {},
    );
    rmSync(folder, { recursive: true, force: true });
  };
}

async function start(): Promise<PostgresServer> {
  const server = await PostgresServer.startFor({
    // The server does not flush to the disk, since no test crashes the machine.
    fsync: "off",
    full_page_writes: "off",
    max_connections: "400",
    // Autovacuum is off: no database lives long enough to need it, and hundreds of databases would keep it busy.
    autovacuum: "off",
  });
  await server.sql("postgres", `CREATE DATABASE ${templateName}`);
  const { prepareTables } = await import("#palestra/server/log/postgres/session/migrations.js");
  await prepareTables(server.urlOf(templateName));
  return server;
}
