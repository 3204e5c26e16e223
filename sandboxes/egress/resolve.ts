/** Resolves a destination to the addresses that a session may connect to. */
import { lookup as lookUp } from "node:dns/promises";
import { isIP } from "node:net";
import { isLinkLocal, isLoopback, isOwn, isPublic } from "./addresses.js";
import type { Destination, HostList } from "./hosts.js";

/** Returns the addresses of a name. Rejects if the name has no address. */
export type Lookup = (name: string) => Promise<string[]>;

/** Thrown for a destination that is forbidden or cannot be reached. */
export class NoWay extends Error {
  /** @param status HTTP status: 403 forbidden, 502 no answer, 503 too many requests at once */
  constructor(
    readonly status: 403 | 502 | 503,
    message: string,
    /** Whether the client has started TLS, so that the refusal is sent as a TLS alert. */
    readonly isInTls = false,
  ) {
    super(message);
  }
}

const lookupMs = 5_000;

export async function systemLookup(name: string): Promise<string[]> {
  return (await lookUp(name, { all: true })).map(({ address }) => address);
}

/**
 * Returns addresses to connect to, in the order to try them. Connecting to a checked address instead of the name prevents
 * DNS rebinding.
 *
 * @throws {NoWay}
 */
export async function resolve(destination: Destination, hosts: HostList, lookup: Lookup): Promise<string[]> {
  const { host, port } = destination;
  if (!hosts.allows(destination)) throw new NoWay(403, `${host}:${port} is not among the session's hosts`);
  const isNamed = hosts.names(destination);
  if (isIP(host) !== 0) {
    if (isOutside(host) || isNamed) return [host];
    throw new NoWay(
      403,
      `${host} is not a public address of another machine, and no entry of the hosts is ${host}:${port}`,
    );
  }
  const addresses = await addressesOf(host, lookup);
  const permitted = addresses.filter((address) => isOutside(address) || (isNamed && !isLinkLocal(address)));
  if (permitted.length > 0) return permitted;
  throw new NoWay(403, `${host} leads to ${addresses.join(", ")}, which is no public address of another machine`);
}

function isOutside(address: string): boolean {
  return isPublic(address) && !isOwn(address);
}

async function addressesOf(host: string, lookup: Lookup): Promise<string[]> {
  // By RFC 6761, localhost is always this machine, even if a name server returns another address.
  if (host === "localhost" || host.endsWith(".localhost")) return ["127.0.0.1"];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoWay(502, `${host} was not resolved within ${lookupMs} ms`)), lookupMs);
  });
  try {
    return await Promise.race([lookup(host), late]);
  } catch (error) {
    throw error instanceof NoWay ? error : new NoWay(502, `${host} has no address: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Ports of Palestra's proxies. A session that reached another session's proxy could use
 * its hosts.
 */
const proxyPorts = new Set<number>();

/** Forbids connections to a port of this machine. Returns a function that allows such connections again. */
export function keepOut(port: number): () => void {
  proxyPorts.add(port);
  return () => void proxyPorts.delete(port);
}

/** Checks that the address is not one of Palestra's proxies. @throws {NoWay} */
export function checkNoProxy(address: string, port: number): void {
  if (proxyPorts.has(port) && isLoopback(address)) throw new NoWay(403, `${address}:${port} is a proxy of the gym`);
}
