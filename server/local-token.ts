/**
 * The token of the user who runs the gym. It lies in a file that this user alone can read, so holding it proves that a
 * caller is the same user on the same machine. It stands for the callers without a token, with the right `expert`.
 *
 * Every start makes a new one, and only the running gym knows it: the file that a killed gym leaves behind opens nothing.
 * `trainer/commands/local-gym.ts` reads the file: `{"url": "http://127.0.0.1:8700", "hostname": "...", "token": "pal_..."}`.
 */
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { OperatorError } from "./operator-error.js";
import { isLoopback } from "./plugins/auth.js";
import { newSecret, sha256 } from "./tokens.js";

export const localTokenFile = "local-gym.json";

export class LocalToken {
  private readonly secret = newSecret();
  private readonly hash = sha256(this.secret);
  private readonly path: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, localTokenFile);
  }

  /** Compares hashes, so that the time taken says nothing about the secret. */
  matches(secret: string): boolean {
    return sha256(secret) === this.hash;
  }

  /**
   * Writes the file. Call it before the gym listens wherever the port is known, so that a client of the gym before this
   * one finds the new token as soon as it can connect. Nothing is written for an address that is not this machine's
   * loopback, nor on a file system that cannot keep the file private.
   *
   * @returns whether the file was written
   * @throws {OperatorError} the data directory cannot be written
   */
  publish(host: string, port: number): boolean {
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
      throw new OperatorError(`to write ${this.path}`, error);
    }
    return true;
  }

  /** Removes the file. The log's lock keeps two gyms out of one data directory, so the file is this gym's own. */
  withdraw(): void {
    rmSync(this.path, { force: true });
  }
}

/** Where clients on this machine reach a gym that listens there; undefined where that is no loopback address. */
function loopbackUrl(host: string, port: number): string | undefined {
  const isWildcard = host === "0.0.0.0" || host === "::";
  if (!isWildcard && !isLoopback(host)) return undefined;
  const address = isWildcard || host === "localhost" ? "127.0.0.1" : host;
  return `http://${address.includes(":") ? `[${address.replace(/[[\]]/g, "")}]` : address}:${port}`;
}

/** Whether the file system heeds the mode: some, such as FAT, show every file to every user. Windows has no modes. */
function isPrivate(path: string): boolean {
  return process.platform === "win32" || (lstatSync(path).mode & 0o077) === 0;
}
