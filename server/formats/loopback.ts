import { isIPv4 } from "node:net";

/** Returns whether only this machine can reach the host. @param host name or address, with or without brackets */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}
