/**
 * Token of the user who runs the gym. Only this user can read the token's file, so the token proves that a caller is
 * the same user on the same machine. With the token, a caller owns the episodes of callers without a token and has the
 * right `expert`.
 *
 * Every start creates a new token in memory. The token in the file of a killed gym is therefore invalid. The tokens of open
 * studios have the same rights, and outlast a restart (`studio-tokens.ts`).
 * `trainer/gym/local-gym.ts` reads the file: `{"url": "http://127.0.0.1:8700", "hostname": "...", "token":
 * "pal_..."}`.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isNoRoom, roomRemedy } from "../config/data-dir.js";
import { OperatorError } from "../config/operator-error.js";
import { isLoopback } from "../formats/loopback.js";
import { isPrivate, StudioTokens } from "./studio-tokens.js";
import { newSecret, sha256 } from "./token-records.js";

export const localTokenFile = "local-gym.json";

export class LocalToken {
  private readonly secret = newSecret();
  private readonly hash = sha256(this.secret);
  private readonly path: string;
  private readonly studios: StudioTokens;

  constructor(dataDir: string) {
    this.path = join(dataDir, localTokenFile);
    this.studios = new StudioTokens(dataDir);
  }

  /** Compares hashes, so that the duration reveals nothing about the secret. */
  matches(secret: string): boolean {
    return sha256(secret) === this.hash || this.studios.matches(secret);
  }

  /**
   * Writes the file, and returns whether it was written. No file is written if the address is not loopback, or if the
   * file system cannot keep the file private. If the port is known, call this method before the gym listens. Clients
   * then find the new token as soon as they can connect.
   *
   * @param warn called if the disk is full: the gym can still serve what is in its log
   * @throws {OperatorError} if the data directory cannot be written
   */
  publish(host: string, port: number, warn: (message: string) => void = () => {}): boolean {
    const url = loopbackUrl(host, port);
    if (url === undefined) return false;
    const draft = `${this.path}.${process.pid}`;
    try {
      rmSync(draft, { force: true });
      const record = { url, hostname: hostname(), token: this.secret };
      writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: "wx" });
      if (isPrivate(draft)) renameSync(draft, this.path);
      else rmSync(draft);
    } catch (error) {
      if (isNoRoom(error)) {
        for (const path of [draft, this.path]) rmSync(path, { force: true });
        warn(`commands on this machine do not find the gym's token: ${(error as Error).message}. ${roomRemedy}`);
        return false;
      }
      throw new OperatorError(`a writable token file ${this.path}`, error);
    }
    return true;
  }

  /** Removes the file. The file belongs to this gym, because the log's lock allows only one gym per data directory. */
  withdraw(): void {
    rmSync(this.path, { force: true });
  }
}

/** Returns the URL for clients on this machine, or undefined if the gym does not listen on a loopback address. */
function loopbackUrl(host: string, port: number): string | undefined {
  const isWildcard = host === "0.0.0.0" || host === "::";
  if (!isWildcard && !isLoopback(host)) return undefined;
  const address = isWildcard || host === "localhost" ? "127.0.0.1" : host;
  return `http://${address.includes(":") ? `[${address.replace(/[[\]]/g, "")}]` : address}:${port}`;
}
