/**
 * Tokens in the URLs that `palestra ui` prints. They have the rights of the user who runs the gym, and outlast a restart of
 * the gym, so that an open page goes on.
 *
 * The command writes the SHA-256 hash of a new token into the data directory, which only that user can write. No file has
 * the token itself, so a copy of the directory gives nobody access.
 */
import { lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { tokenPrefix } from "../formats/secrets.js";
import { newSecret, sha256 } from "./token-records.js";

export const studioTokenFile = "studio-tokens.json";

/** Beginning of a studio's token. The file is read for these tokens only. */
const studioPrefix = `${tokenPrefix}ui_`;
/** Milliseconds for which a token is valid: seven days. */
const validMs = 7 * 86_400_000;
/** Tokens that are kept, the newest ones. */
const mostTokens = 50;
/** Milliseconds after which a known token is looked up in the file again. */
const rereadAfterMs = 1_000;

const Records = z.strictObject({
  tokens: z.array(z.strictObject({ sha256: z.string(), expiresAt: z.iso.datetime() })),
});
type StudioToken = z.infer<typeof Records>["tokens"][number];

export class StudioTokens {
  private readonly path: string;
  private expiries: ReadonlyMap<string, number> = new Map();
  private readVersion = "none";
  private checkedAt = Number.NEGATIVE_INFINITY;

  constructor(dataDir: string) {
    this.path = join(dataDir, studioTokenFile);
  }

  /**
   * Creates a token. Only this method returns it.
   *
   * @throws {Error} the file cannot be written, or its file system cannot keep it private
   */
  create(now = Date.now()): string {
    const secret = studioPrefix + newSecret().slice(tokenPrefix.length);
    const created: StudioToken = { sha256: sha256(secret), expiresAt: new Date(now + validMs).toISOString() };
    const valid = this.read().filter(({ expiresAt }) => Date.parse(expiresAt) > now);
    this.write([...valid, created].slice(-mostTokens));
    return secret;
  }

  /** Whether a token was created by this user, and has neither expired nor been removed from the file. */
  matches(secret: string, now = Date.now()): boolean {
    if (!secret.startsWith(studioPrefix)) return false;
    const hash = sha256(secret);
    this.refresh(!this.expiries.has(hash));
    return now < (this.expiries.get(hash) ?? 0);
  }

  private refresh(isUnknown: boolean): void {
    const at = performance.now();
    if (!isUnknown && at - this.checkedAt < rereadAfterMs) return;
    this.checkedAt = at;
    const version = versionOf(this.path);
    if (version === this.readVersion) return;
    this.readVersion = version;
    this.expiries = new Map(this.read().map(({ sha256: hash, expiresAt }) => [hash, Date.parse(expiresAt)]));
  }

  /** Returns the tokens of the file: none if it is missing, damaged, or open to other users. */
  private read(): StudioToken[] {
    try {
      return isPrivate(this.path) ? Records.parse(JSON.parse(readFileSync(this.path, "utf8"))).tokens : [];
    } catch {
      return [];
    }
  }

  private write(tokens: readonly StudioToken[]): void {
    const draft = `${this.path}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify({ tokens })}\n`, { mode: 0o600, flag: "wx" });
      if (!isPrivate(draft)) throw new Error(`expected a file that only its user can read, but received ${draft}`);
      renameSync(draft, this.path);
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ctimeMs}:${stats.mtimeMs}:${stats.size}:${stats.ino}` : "none";
}

/**
 * Whether the file system applies the mode of a file that only its user can read. On some file systems, such as FAT, every
 * user can read every file. Windows has no modes.
 */
export function isPrivate(path: string): boolean {
  return process.platform === "win32" || (lstatSync(path).mode & 0o077) === 0;
}
