/** Databases for tests, on the PostgreSQL server that all test files of a run share. */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { createDatabase, newName, sql } from "./postgres.js";
import type { PostgresAnswer } from "./postgres-setup.js";
import { whenDone } from "./when-done.js";

let asked: Promise<string> | undefined;

/** Returns the URL of the server's first database. The first call in a run starts the server. */
export function sharedServer(): Promise<string> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<string> {
  const answer = JSON.parse(await text(connect(inject("postgresSocket")))) as PostgresAnswer;
  if ("error" in answer) throw new Error(answer.error);
  return answer.url;
}

/** Creates a database with the tables of a gym, which is dropped at the end of the test, or of the file outside of a test. */
export function gymDatabase(): Promise<string> {
  return newDatabase();
}

/** Creates an empty database, in which a gym creates its tables. It is dropped like those of `gymDatabase`. */
export function emptyDatabase(): Promise<string> {
  return newDatabase("template1");
}

/** Copies a database without connections. The copy is dropped like those of `gymDatabase`. */
export function copyOf(url: string): Promise<string> {
  return newDatabase(new URL(url).pathname.slice(1));
}

async function newDatabase(template?: string): Promise<string> {
  const server = await sharedServer();
  const name = newName();
  const url = await createDatabase(server, name, template);
  whenDone(() => sql(server, `DROP DATABASE ${name} WITH (FORCE)`).then(() => {}));
  return url;
}

/** Returns the URL of a database of the server that does not exist. */
export async function missingDatabase(): Promise<string> {
  return Object.assign(new URL(await sharedServer()), { pathname: "/nothing" }).href;
}
