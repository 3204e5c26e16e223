/** Finds a gym that this user runs on this machine, by a file in its data directory (`server/tokens/local-token.ts`). */
import { lstatSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

export interface LocalGym {
  /** URL with a literal loopback address, so that no host name can redirect the token to another machine. */
  readonly url: string;
  /** Token with the right `expert`. */
  readonly token: string;
}

/**
 * Finds the gym of a data directory, if it listens at `url`. Undefined if the file is missing, belongs to another user
 * or machine, is readable by other users, or contains another address.
 *
 * @param url URL with or without a path; `localhost` matches the address in the file
 */
export function localGym(dataDir: string | undefined, url: string): LocalGym | undefined {
  if (dataDir === undefined || !URL.canParse(url)) return undefined;
  const gym = read(join(dataDir, "local-gym.json"));
  if (!gym || gym.hostname !== hostname()) return undefined;
  const [asked, own] = [new URL(url), new URL(gym.url)];
  if (asked.protocol !== own.protocol || asked.port !== own.port) return undefined;
  if (asked.hostname !== own.hostname && asked.hostname !== "localhost") return undefined;
  return { url: `${own.origin}${asked.pathname}`, token: gym.token };
}

function read(path: string): (LocalGym & { hostname: string }) | undefined {
  try {
    if (!isOwn(path)) return undefined;
    const { url, hostname, token } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    const fits = typeof url === "string" && URL.canParse(url) && typeof token === "string";
    return fits && typeof hostname === "string" ? { url, hostname, token } : undefined;
  } catch {
    // No gym has run with this data directory, or the file has another format.
    return undefined;
  }
}

function isOwn(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  // Windows has no such user ids and file modes.
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}
