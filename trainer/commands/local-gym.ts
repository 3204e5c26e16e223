/** A gym of this user on this machine, as it says of itself in its data directory: `server/local-token.ts` writes it. */
import { lstatSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

export interface LocalGym {
  /** A literal loopback address, so that the token goes to nobody whom a name happens to mean. */
  readonly url: string;
  /** Has the right `expert`. */
  readonly token: string;
}

/**
 * The gym that keeps its data there, if it listens at `url`; undefined where the file is missing, another user's,
 * readable by others, another machine's, or a gym's at another address.
 *
 * @param url with a path or without; `localhost` stands for the address that the gym named
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
    // No gym has run there, or the file is none of a gym's.
    return undefined;
  }
}

function isOwn(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  // Windows has neither.
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}
