/**
 * PostgreSQL servers on free ports of this machine. `databases.ts` has databases on one server that all tests share. A
 * test that stops, kills or configures a server starts its own.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./free-port.js";

/** PostgreSQL refuses to run as root. */
const nobody = 65_534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** Folder of PostgreSQL's programs, or null if it is not installed. */
export const postgresFolder = findPrograms();

function findPrograms(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(":")];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres"))) ?? null;
}

export class PostgresServer {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** Starts a server that is stopped at the end of the test, or of the file outside of a test. @param making flags of `initdb` */
  static async start(making: readonly string[] = []): Promise<PostgresServer> {
    // Benches, which run without vitest, also use this file.
    const { whenDone } = await import("./when-done.js");
    // The server does not flush to the disk, since no test crashes the machine.
    const server = await PostgresServer.startFor({ fsync: "off" }, making);
    whenDone(() => server.remove());
    return server;
  }

  /** Starts a server that the caller removes. @param settings settings of PostgreSQL */
  static async startFor(
    settings: Readonly<Record<string, string>>,
    making: readonly string[] = [],
  ): Promise<PostgresServer> {
    const folder = newFolder();
    const data = join(folder, "data");
    execFileSync(
      program("initdb"),
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", ...making],
      { ...user, cwd: folder, stdio: "ignore" },
    );
    const server = new PostgresServer(folder, await freePort(), settings);
    await server.begin();
    return server;
  }

  /**
   * Starts a standby that replicates this server. The caller removes it.
   *
   * @param name name in `synchronous_standby_names`
   */
  async startStandby(name = "walreceiver"): Promise<PostgresServer> {
    const folder = newFolder();
    const source = ["-h", "127.0.0.1", "-p", `${this.port}`, "-U", "postgres"];
    const options = ["-D", join(folder, "data"), "-R", "-X", "stream", "-c", "fast", "--no-sync"];
    const { status, stderr } = spawnSync(program("pg_basebackup"), [...source, ...options], { ...user, cwd: folder });
    if (status !== 0) throw new Error(`expected pg_basebackup to succeed, but received ${stderr}`);
    const standby = new PostgresServer(folder, await freePort(), { ...this.settings, cluster_name: name });
    await standby.begin();
    return standby;
  }

  /** Turns this standby into a primary server. */
  async promote(): Promise<void> {
    await this.sql("postgres", "SELECT pg_promote(true, 60)");
  }

  /** Makes each commit wait for a standby, from now on. */
  async requireStandby(): Promise<void> {
    await this.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.sql("postgres", "SELECT pg_reload_conf()");
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Stops the server and removes its data. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Folder of the server's files. */
  get data(): string {
    return join(this.folder, "data");
  }

  /** Process id of the server's main process. */
  get pid(): number {
    return (this.child as ChildProcess).pid as number;
  }

  /** Starts the server's process, after `stop`. */
  async begin(): Promise<void> {
    const address = { listen_addresses: "127.0.0.1", port: this.port, unix_socket_directories: "" };
    const settings = { ...address, ...this.settings };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const env = { ...process.env, PGDATA: this.data };
    const log = join(this.folder, "log");
    for (let tries = 0; ; tries++) {
      // A server that finds processes of a killed one ends, with an error in its log.
      if (!this.isRunning) {
        const output = openSync(log, "a");
        this.child = spawn(program("postgres"), flags, {
          ...user,
          cwd: this.folder,
          env,
          stdio: ["ignore", output, output],
        });
        closeSync(output);
        guard(this.child, this.folder);
      }
      try {
        return await this.sql("postgres", "SELECT 1").then(() => {});
      } catch (error) {
        if (tries === 1_200) throw new Error(readFileSync(log, "utf8").slice(-2_000), { cause: error });
      }
      await sleep(50);
    }
  }

  private get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends the server's processes. @param signal SIGINT aborts all transactions, SIGKILL ends the main process at once */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    const { child } = this;
    if (!child || !this.isRunning) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await exited;
    // After SIGKILL, the other processes end on their own, and a new server cannot start before.
    while (signal === "SIGKILL" && this.hasProcesses()) await sleep(20);
  }

  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string> {
    return createDatabase(this.urlOf("postgres"), newName(), "template1");
  }

  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs one statement in a database, which has a name or a URL. */
  sql<Row>(database: string, text: string): Promise<Row[]> {
    return sql(database.includes(":") ? database : this.urlOf(database), text);
  }

  private hasProcesses(): boolean {
    return readdirSync("/proc").some((pid) => {
      if (!/^[0-9]+$/.test(pid)) return false;
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`PGDATA=${this.data}`);
      } catch {
        return false;
      }
    });
  }
}

/** Runs one statement in the database of a URL. */
export async function sql<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Name of the database that has the tables of a gym, on the server that all tests share. */
export const templateName = "palestra_template";

/** Returns a name that no other database of a server has. */
export function newName(): string {
  return `gym${randomBytes(10).toString("hex")}`;
}

/**
 * Creates a database and returns its URL.
 *
 * @param server URL of any database of the server
 * @param template database that nobody uses, to copy. Default: the one with the tables of a gym
 */
export async function createDatabase(server: string, name: string, template = templateName): Promise<string> {
  await sql(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const { href } = Object.assign(new URL(server), { pathname: `/${name}` });
  // Two fleets never have the same secret.
  if (template === templateName)
    await sql(href, `UPDATE palestra.meta SET "fleetSecret" = gen_random_uuid()::text || gen_random_uuid()::text`);
  return href;
}

/**
 * Returns the URL of the database of the gym with a data directory, if the tests run on the PostgreSQL server of the
 * variable `TEST_POSTGRES`. Gyms with the same data directory have the same database.
 */
export async function databaseOfTests(dataDir: string): Promise<string | undefined> {
  const server = process.env.TEST_POSTGRES;
  if (server === undefined) return undefined;
  const name = `gym${createHash("sha256").update(dataDir).digest("hex").slice(0, 20)}`;
  const found = await sql<{ datname: string }>(
    server,
    `SELECT datname FROM pg_database WHERE datname IN ('${name}', '${templateName}')`,
  );
  const names = found.map(({ datname }) => datname);
  if (names.includes(name)) return Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return createDatabase(server, name, names.includes(templateName) ? templateName : "template1");
}

/** Ends a server and removes its folder if this process ends without doing so, for example because it was killed. */
function guard(server: ChildProcess, folder: string): void {
  const whenGone = 'read line; kill -INT "$1"; sleep 1; rm -rf "$2"';
  const guardian = spawn("sh", ["-c", whenGone, "sh", `${server.pid}`, folder], {
    ...user,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guardian.unref();
  (guardian.stdin as Socket).unref();
  server.once("exit", () => guardian.kill());
}

/** Makes a folder that the server's user may write to. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "palestra-postgres-"));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

function program(name: string): string {
  return join(postgresFolder as string, name);
}
