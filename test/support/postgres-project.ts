/** The PostgreSQL server of the tests that repeat tests of a gym with a log in PostgreSQL. */
import type { TestProject } from "vitest/node";
import { PostgresServer } from "./postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server on which each gym gets a database of its own. */
    postgres: string;
  }
}

/** vitest calls this before the first test of the project, and the returned function after the last. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // A crash of the machine is not tested, so the server need not wait for the disk.
  const server = await PostgresServer.startFor({ fsync: "off", full_page_writes: "off", max_connections: "400" });
  provide("postgres", server.urlOf("postgres"));
  return () => server.remove();
}
