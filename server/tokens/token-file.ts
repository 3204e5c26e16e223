/** The file `tokens.json` in the data directory. A running gym reads changes of the file within a second. */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDataDir } from "../config/data-dir.js";
import { OperatorError } from "../config/operator-error.js";
import type { CallerQuotas } from "../episodes/quotas/quota.js";
import {
  type NewToken,
  newToken,
  recordsIn,
  type Token,
  type TokenGroup,
  TokenIndex,
  type TokenOptions,
  type TokenRecords,
  type Tokens,
  textOfRecords,
  withGroup,
  withoutGroup,
  withoutToken,
} from "./token-records.js";

const rereadAfterMs = 1_000;

/** Returns the path of the token file in a data directory. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, "tokens.json");
}

export class TokenStore implements Tokens {
  private readonly path: string;
  private index = new TokenIndex({ tokens: [] });
  private readVersion = "";
  private checkedAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;

  constructor(dataDir: string) {
    this.path = tokenFile(dataDir);
  }

  find(secret: string): Token | undefined {
    this.refresh();
    const known = this.index.find(secret);
    if (known) return known;
    // The file is read again at once, so that a new token is valid at once.
    this.refresh(true);
    return this.index.find(secret);
  }

  findById(id: string): Token | undefined {
    this.refreshQuietly();
    return this.index.findById(id);
  }

  quotasOf(id: string): CallerQuotas {
    this.refreshQuietly();
    return this.index.quotasOf(id);
  }

  /** @throws {OperatorError} if the file cannot be read or is not a valid token file */
  list(): Token[] {
    this.refresh(true);
    return this.index.tokens;
  }

  /** @throws {OperatorError} if the file cannot be read or is not a valid token file */
  groups(): TokenGroup[] {
    this.refresh(true);
    return this.index.groups;
  }

  /** @throws {OperatorError} if the file cannot be written */
  create(options: TokenOptions): NewToken {
    const created = newToken(options);
    this.write({ tokens: [...this.list(), created.token] });
    return created;
  }

  /** @throws {OperatorError} if the file cannot be written */
  revoke(idOrName: string): boolean {
    const tokens = this.list();
    const kept = withoutToken(tokens, idOrName);
    this.write({ tokens: kept });
    return kept.length < tokens.length;
  }

  /** @throws {OperatorError} if the file cannot be written */
  setGroup(group: TokenGroup): void {
    this.write({ groups: withGroup(this.groups(), group) });
  }

  /** @throws {OperatorError} if the file cannot be written */
  removeGroup(name: string): void {
    this.write({ groups: withoutGroup(this.groups(), name) });
  }

  /** New callers get the error of a broken file from `find`. Running work continues with the tokens that were read last. */
  private refreshQuietly(): void {
    // A broken file is not read again for each of thousands of callers.
    if (performance.now() - this.failedAt < rereadAfterMs) return;
    try {
      this.refresh();
    } catch {
      this.failedAt = performance.now();
    }
  }

  private refresh(now = false): void {
    if (!now && performance.now() - this.checkedAt < rereadAfterMs) return;
    const version = versionOf(this.path);
    if (version !== this.readVersion) {
      this.index = new TokenIndex(version === "none" ? { tokens: [] } : readTokens(this.path));
    }
    // The version is set last, so that every call fails while the file cannot be read, and not only the first.
    this.readVersion = version;
    this.checkedAt = performance.now();
  }

  /** Writes the file with the given part replaced. */
  private write({ tokens = this.list(), groups = this.groups() }: Partial<TokenRecords>): void {
    const text = textOfRecords(tokens, groups);
    openDataDir(dirname(this.path));
    const draft = `${this.path}.${process.pid}`;
    try {
      writeFileSync(draft, text, { mode: 0o600 });
      renameSync(draft, this.path);
    } catch (error) {
      throw new OperatorError(`a writable token file ${this.path}`, error);
    }
    this.refresh(true);
  }
}

function versionOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : "none";
  } catch (error) {
    throw notTokens(path, error);
  }
}

/**
 * Reads a token file. Invalid JSON is reported as an invalid token file, and not as a syntax error of a caller.
 *
 * @throws {OperatorError}
 */
export function readTokens(path: string): TokenRecords {
  try {
    return recordsIn(readFileSync(path, "utf8"));
  } catch (error) {
    throw notTokens(path, error);
  }
}

function notTokens(path: string, received: unknown): OperatorError {
  return new OperatorError(`a valid token file ${path}`, received);
}
