/** The hosts that a sandbox or a browser session can reach. */
import { isIP } from "node:net";
import { SandboxError } from "../sandbox.js";

interface Entry {
  /** Canonical name or address without brackets. The host of `*.name` is `name`, and the host of `*` is empty. */
  host: string;
  hasWildcard: boolean;
  /** Port, or undefined for 80 and 443. */
  port: number | undefined;
}

/** A host and port in the canonical form of URLs. */
export interface Destination {
  /** Name or address without brackets and without a dot at the end. */
  host: string;
  port: number;
}

const ordinaryPorts = [80, 443];
const mostEntries = 10_000;

export class HostList {
  private readonly entries: readonly Entry[];

  /** @throws {SandboxError} REFUSED for an invalid entry */
  constructor(entries: readonly string[]) {
    if (entries.length > mostEntries)
      throw new SandboxError("REFUSED", `at most ${mostEntries} hosts`, `${entries.length}`);
    this.entries = entries.map(parse);
  }

  allows({ host, port }: Destination): boolean {
    return this.entries.some((entry) => isHostOf(entry, host) && isPortOf(entry, port));
  }

  /** Whether an entry names exactly this host and port. Only a host with such an entry may have private addresses. */
  names({ host, port }: Destination): boolean {
    return this.entries.some((entry) => !entry.hasWildcard && entry.host === host && entry.port === port);
  }

  /** Whether a page may request the URL. The check runs before the host's name is resolved. */
  allowsUrl(text: string): boolean {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url !== undefined && portOf(url) !== undefined && this.allows(destinationOf(url));
  }
}

/** Returns the destination of an http, https, ws or wss URL. */
export function destinationOf(url: URL): Destination {
  return { host: bare(url.hostname), port: portOf(url) ?? 0 };
}

/** Parses `name:port` or `[address]:port`. Returns undefined for any other text. */
export function parseAuthority(text: string): Destination | undefined {
  if (!/^[^\s/?#@\\]+:[0-9]{1,5}$/.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  return destinationOf(new URL(`http://${text}`));
}

function portOf({ protocol, port }: URL): number | undefined {
  const ordinary = { "http:": 80, "ws:": 80, "https:": 443, "wss:": 443 }[protocol];
  return ordinary === undefined || port === "" ? ordinary : Number(port);
}

function parse(text: string): Entry {
  const refuse = () =>
    new SandboxError(
      "REFUSED",
      "a host of the form `name`, `*.name`, `*`, `name:port`, an address, `address:port` or `[address]:port`",
      JSON.stringify(text),
      "Leave out the scheme and the path",
    );
  if (typeof text !== "string" || !/^[^\s/?#@\\%]+$/.test(text)) throw refuse();
  if (text === "*") return { host: "", hasWildcard: true, port: undefined };
  const hasWildcard = text.startsWith("*.");
  const rest = hasWildcard ? text.slice(2) : text;
  const [, host = "", port] =
    isIP(rest) === 6 ? [rest, `[${rest}]`] : (/^(\[.*\]|[^:]+)(?::([0-9]+))?$/.exec(rest) ?? []);
  if (host === "" || host.includes("*") || !URL.canParse(`http://${host}`)) throw refuse();
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) throw refuse();
  const canonical = bare(new URL(`http://${host}`).hostname);
  if (canonical === "" || (hasWildcard && isIP(canonical) !== 0)) throw refuse();
  return { host: canonical, hasWildcard, port: port === undefined ? undefined : Number(port) };
}

function isHostOf(entry: Entry, host: string): boolean {
  if (entry.hasWildcard && entry.host === "") return true;
  return entry.hasWildcard ? host.endsWith(`.${entry.host}`) : host === entry.host;
}

function isPortOf(entry: Entry, port: number): boolean {
  return entry.port === undefined ? ordinaryPorts.includes(port) : entry.port === port;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}
