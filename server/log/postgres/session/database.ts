/**
 * The server behind a connection: finds the host that accepts writes, and checks that the database is the same as
 * before.
 */
import type pg from "pg";
import { LogLost } from "../../records/damage.js";

/** By URL, the identity of the database that later connections of this thread must reach. */
const known = new Map<string, string>();

/** The host that accepted the newest connection, by the URL of this thread's sessions. */
const newestHosts = new Map<string, string>();

/**
 * Returns a URL for each host of a URL that names several, `postgres://user@first,second:5433/database`. The host that took
 * a connection of this thread last comes first.
 */
export function hostsOf(url: string): string[] {
  const [, head, hosts, rest] = /^([^:]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url) ?? [];
  if (head === undefined || hosts === undefined) return [url];
  const all = hosts.split(",").map((host) => `${head}${host}${rest}`);
  const newest = newestHosts.get(url);
  return newest === undefined ? all : [newest, ...all.filter((host) => host !== newest)];
}

/** True if another session of this thread has left a host since, because the host no longer accepts writes. */
export function isLeft(url: string, host: string): boolean {
  const newest = newestHosts.get(url);
  return newest !== undefined && newest !== host;
}

export function noteHost(url: string, host: string): void {
  newestHosts.set(url, host);
}

interface Server {
  isStandby: boolean;
  identity: string;
}

/** Expression for the identity of the database. A standby that is promoted keeps it, and a restored backup has another. */
export const identityOfDatabase = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Expression that makes the server end a session, and release its locks, when its gym disappears without closing the
 * connection: within half a minute if the gym's machine is down, and within seconds during a statement. A server
 * without one of the settings, such as a version before 14, leaves it out.
 */
const watchingConnection = `(SELECT count(set_config(name, CASE name
    WHEN 'tcp_keepalives_idle' THEN '10' WHEN 'tcp_keepalives_interval' THEN '5' WHEN 'tcp_keepalives_count' THEN '3'
    WHEN 'tcp_user_timeout' THEN '25s' ELSE '5s' END, false))
  FROM pg_settings AS known WHERE known.name IN ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count',
    'tcp_user_timeout') OR known.name = 'client_connection_check_interval' AND version() LIKE '%linux%')`;

/**
 * Makes commits of the connection survive at least a crash of the server, whatever the server's default is.
 *
 * @returns the reason why the server cannot be used now, or null
 * @throws {LogLost} the server has another database than the one that was used before
 */
export async function takeServer(client: pg.Client, url: string): Promise<string | null> {
  const { rows } = await client.query<Server>(`SELECT
      pg_is_in_recovery() AS "isStandby",
      ${identityOfDatabase} AS identity,
      set_config('synchronous_commit', CASE setting WHEN 'remote_apply' THEN setting ELSE 'on' END, false),
      ${watchingConnection}
    FROM pg_settings WHERE name = 'synchronous_commit'`);
  const { isStandby, identity } = rows[0] as Server;
  const before = known.get(url);
  if (before !== undefined && before !== identity)
    throw new LogLost(
      "the server has another database than the one that this gym has written to, such as a restored backup. Start the gym again to use it",
    );
  if (isStandby) return "the server is a standby, which takes no writes";
  if (before === undefined && remembered.has(url)) known.set(url, identity);
  return null;
}

const remembered = new Set<string>();

/** Requires that later connections of this thread to the URL find the same database. */
export function expectSameDatabase(url: string): void {
  remembered.add(url);
}
