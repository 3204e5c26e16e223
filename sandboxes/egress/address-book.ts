/** Addresses of hosts of a session, used instead of DNS. */
import { isIP } from "node:net";
import { SandboxError } from "../sandbox.js";
import { type Destination, type HostList, parseAuthority } from "./hosts.js";

export class AddressBook {
  private readonly byHost: ReadonlyMap<string, Destination>;

  /**
   * @param entries map from `name` (port 80) or `name:port` to `address:port`
   * @throws {SandboxError} REFUSED for an invalid entry, or an entry whose host is not on the list
   */
  constructor(entries: Readonly<Record<string, string>>, hosts: HostList) {
    this.byHost = new Map(
      Object.entries(entries).map(([name, address]) => {
        const host = parseAuthority(/:\d+$/.test(name) ? name : `${name}:80`);
        if (!host || !hosts.allows(host)) throw refused("a host on the session's list as the name of an address", name);
        const destination = parseAuthority(address);
        if (!destination || isIP(destination.host) === 0) throw refused("an address such as 127.0.0.1:8080", address);
        return [keyOf(host), destination];
      }),
    );
  }

  find(host: Destination): Destination | undefined {
    return this.byHost.get(keyOf(host));
  }
}

function keyOf({ host, port }: Destination): string {
  return `${host}:${port}`;
}

function refused(expected: string, received: unknown): SandboxError {
  return new SandboxError("REFUSED", expected, JSON.stringify(received) ?? "none");
}
