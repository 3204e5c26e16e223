/** One connection to PostgreSQL, which is opened again after it breaks. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { usualTimes } from "../../../config/times.js";
import { LogLost } from "../../records/damage.js";
import { hostsOf, isLeft, noteHost, takeServer } from "./database.js";

/** A statement with its parameters. Statements with a name are prepared once per connection. */
export interface Statement {
  text: string;
  values?: readonly unknown[];
  name?: string;
}

/** The connection broke or could not be opened. It is unknown whether the statement has taken effect. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** The database refused a statement, so the statement had no effect. */
export class StatementRefused extends Error {
  override readonly name = "StatementRefused";

  /** SQLSTATE of the refusal, if the database gave one. */
  get code(): string | undefined {
    return (this.cause as { code?: string } | undefined)?.code;
  }
}

/**
 * Milliseconds without a reply after which a connection counts as broken: the default, and the time for long
 * statements.
 */
const defaultSilentMs = 10_000;
export const longMs = 30 * 60_000;

/** Milliseconds between attempts to reach the database: the first pause, and the longest. */
const [firstPauseMs, longestPauseMs] = [20, 1_000];

/** Type numbers of `bigint` and `bigint[]`. The log stores only integers below 2^53 in such columns. */
const [bigint, bigints] = [20, 1016];
const toNumbers = (text: string) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(Number));
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [bigint, Number],
  [bigints, toNumbers],
]);
export const bigintsAsNumbers = {
  getTypeParser: ((type: number, format?: "text" | "binary") =>
    parsers.get(type) ?? pg.types.getTypeParser(type, format as "text")) as typeof pg.types.getTypeParser,
};

export interface SessionOptions {
  /** Called with each new connection before it is used. */
  prepare?: (client: pg.Client) => Promise<void>;
  /** Milliseconds without a reply after which a connection counts as broken. Default: 10 seconds. */
  silentMs?: number;
  /**
   * Milliseconds after which a host that accepts no connection is left for the next host. Default: that of the usual
   * times.
   */
  connectMs?: number;
  /** Whether a statement is sent before earlier ones are answered. Otherwise it waits in this process. */
  isPipelined?: boolean;
}

export class Session {
  private client: pg.Client | null = null;
  /** URL of the host of `client`. */
  private host = "";
  private connecting: Promise<pg.Client> | null = null;
  private closed = false;
  private readonly silentMs: number;

  constructor(
    private readonly url: string,
    private readonly options: SessionOptions = {},
  ) {
    this.silentMs = options.silentMs ?? defaultSilentMs;
  }

  /**
   * Runs a statement once, after those of earlier calls. If the session is not pipelined, calls must not overlap.
   *
   * @throws {ConnectionLost} @throws {StatementRefused}
   */
  async run<Row>(statement: Statement): Promise<Row[]> {
    this.leaveOldHost();
    const client = this.client ?? (await this.connected());
    const timer = setTimeout(() => drop(client), this.silentMs);
    try {
      const { rows } = await client.query({ ...statement, values: statement.values as unknown[] });
      return rows as Row[];
    } catch (error) {
      throw this.judged(error, client);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Runs a statement that may be repeated, until the database has answered.
   *
   * @param givenUpAt monotonic time in milliseconds after which a broken connection is an error. Default: never.
   */
  async runUntilAnswered<Row>(statement: Statement, givenUpAt = Number.POSITIVE_INFINITY): Promise<Row[]> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await this.run(statement);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || this.closed || performance.now() + pauseMs > givenUpAt) throw error;
      }
      await sleep(pauseMs);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.end().catch(() => {});
    this.client = null;
  }

  /** A connection to a host that is down would count as broken only after a long silence. */
  private leaveOldHost(): void {
    if (!this.client || !isLeft(this.url, this.host)) return;
    drop(this.client);
    this.client = null;
  }

  private connected(): Promise<pg.Client> {
    this.connecting ??= this.connect().finally(() => {
      this.connecting = null;
    });
    return this.connecting;
  }

  /**
   * Connects to the first host that accepts writes.
   *
   * @throws {ConnectionLost} @throws {StatementRefused} the database refuses the user or the password
   */
  private async connect(): Promise<pg.Client> {
    let failure = new ConnectionLost("the session is closed");
    const { connectMs = usualTimes.fleet.connectMs } = this.options;
    const hosts = hostsOf(this.url);
    for (const host of hosts) {
      if (this.closed) break;
      try {
        return await this.connectTo(host, hosts.length > 1 ? connectMs : defaultSilentMs);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  private async connectTo(host: string, giveUpMs: number): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: host,
      types: bigintsAsNumbers,
      keepAlive: true,
      connectionTimeoutMillis: giveUpMs,
      application_name: "palestra",
      pipeline: this.options.isPipelined ?? false,
    } as pg.ClientConfig);
    // Every statement in flight is also rejected, and reports the error.
    client.on("error", () => this.forget(client));
    client.on("end", () => this.forget(client));
    const timer = setTimeout(() => drop(client), defaultSilentMs);
    try {
      await client.connect();
      const unusable = await takeServer(client, this.url);
      if (unusable !== null) throw new ConnectionLost(unusable);
      await this.options.prepare?.(client);
      if (this.closed) throw new ConnectionLost("the session is closed");
    } catch (error) {
      drop(client);
      throw this.judged(error, client);
    } finally {
      clearTimeout(timer);
    }
    noteHost(this.url, host);
    this.host = host;
    this.client = client;
    return client;
  }

  private judged(error: unknown, client: pg.Client): Error {
    if (error instanceof StatementRefused || error instanceof LogLost || error instanceof ConnectionLost) return error;
    const { message, code } = error as Error & { code?: string };
    if (error instanceof pg.DatabaseError && !isTransient(code)) return new StatementRefused(message, { cause: error });
    this.forget(client);
    drop(client);
    return new ConnectionLost(message, { cause: error });
  }

  private forget(client: pg.Client): void {
    if (this.client === client) this.client = null;
  }
}

/** Closes the connection at once, since `end` would wait for the reply to the current statement. */
function drop(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Returns whether an SQLSTATE means that the server cannot serve this connection now: connection exceptions (08), too
 * many connections (53300), a shutdown or a start (57P01 to 57P03), and a server that became a standby (25006).
 */
function isTransient(code = ""): boolean {
  return code.startsWith("08") || ["53300", "57P01", "57P02", "57P03", "25006"].includes(code);
}
