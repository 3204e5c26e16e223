/** A PostgreSQL server of its own for a test file, on a free port of this machine. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
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
  private databases = 0;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** Starts a server that is stopped at the end of the test, or of the file outside of a test. */
  static async start(): Promise<PostgresServer> {
    // Benches use this file, too, and they run without the test runner.
    const { whenDone } = await import("./gym.js");
    // A crash of the machine is not tested, so the server need not wait for the disk.
    const server = await PostgresServer.startFor({ fsync: "off" });
    whenDone(() => server.remove());
    return server;
  }

  /** Starts a server that the caller removes. @param settings settings of PostgreSQL */
  static async startFor(settings: Readonly<Record<string, string>>): Promise<PostgresServer> {
    const folder = newFolder();
    const data = join(folder, "data");
    execFileSync(
      program("initdb"),
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
      { ...user, cwd: folder, stdio: "ignore" },
    );
    const server = new PostgresServer(folder, await freePort(), settings);
    await server.begin();
    return server;
  }

  /**
   * Starts a standby of this server, which receives all that is written here. The caller removes it.
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

  private get data(): string {
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
    // After SIGKILL, the other processes end by themselves, and no new server runs before.
    while (signal === "SIGKILL" && this.hasProcesses()) await sleep(20);
  }

  /** Creates a database and returns its URL. @param template database that nobody uses, to copy. Default: an empty one */
  async createDatabase(template = "template1"): Promise<string> {
    const name = `gym${++this.databases}`;
    await this.sql("postgres", `CREATE DATABASE ${name} TEMPLATE ${template}`);
    return this.urlOf(name);
  }

  /** Copies a database that nobody uses, and returns the URL of the copy. */
  copyOf(url: string): Promise<string> {
    return this.createDatabase(new URL(url).pathname.slice(1));
  }

  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs one statement in a database. */
  async sql<Row>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: database.includes(":") ? database : this.urlOf(database) });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
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

/**
 * Returns the URL of the database of the gym with a data directory, if the tests run on the PostgreSQL server of the
 * variable `TEST_POSTGRES`. Gyms with the same data directory have the same database.
 */
export async function databaseOfTests(dataDir: string): Promise<string | undefined> {
  const server = process.env.TEST_POSTGRES;
  if (server === undefined) return undefined;
  return databaseNamed(server, `gym${createHash("sha256").update(dataDir).digest("hex").slice(0, 20)}`);
}

/** Returns the URL of a database, which is created if it is missing. @param url URL of any database of the server */
export async function databaseNamed(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
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
