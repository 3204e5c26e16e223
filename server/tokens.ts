/**
 * Bearer tokens. The file stores only SHA-256 hashes. A token has 256 random bits, so a hash without salt is safe. A
 * running server reads changes of the file within a second.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { openDataDir } from "./data-dir.js";
import { OperatorError } from "./operator-error.js";

export const tokenRights = ["expert"] as const;

const Token = z.strictObject({
  /** Owner of the episodes that are created with the token. */
  id: z.string(),
  name: z.string(),
  sha256: z.string(),
  rights: z.array(z.enum(tokenRights)),
  /** Limit on the token's live episodes at the same time. */
  maxEpisodes: z.int().min(1),
  /** Limit in MiB on the bytes of the token's episodes in the log. Default: no limit. */
  maxLogMb: z.int().min(1).optional(),
  createdAt: z.iso.datetime(),
});
export type Token = z.infer<typeof Token>;

const TokenFile = z.strictObject({ tokens: z.array(Token) });

const rereadAfterMs = 1_000;
const prefix = "pal_";
/** A token, of which a URL may have percent-encoded any character. */
const secrets = new RegExp(`${[...prefix].map(orEncoded).join("")}(?:[A-Za-z0-9_-]|%[0-9A-Fa-f]{2})+`, "gi");

function orEncoded(character: string): string {
  return `(?:${character}|%${character.charCodeAt(0).toString(16)})`;
}

/** Replaces everything in a text that could be a token, so that the text can be logged. */
export function withoutSecrets(text: string): string {
  return text.replace(secrets, `${prefix}…`);
}

export class TokenStore {
  private readonly path: string;
  private byHash = new Map<string, Token>();
  private byId = new Map<string, Token>();
  private readVersion = "";
  private checkedAt = Number.NEGATIVE_INFINITY;

  constructor(dataDir: string) {
    this.path = join(dataDir, "tokens.json");
  }

  find(secret: string): Token | undefined {
    this.refresh();
    const hash = sha256(secret);
    const known = this.byHash.get(hash);
    if (known) return known;
    // The file is read again at once, so that a new token is valid at once.
    this.refresh(true);
    return this.byHash.get(hash);
  }

  findById(id: string): Token | undefined {
    try {
      this.refresh();
    } catch {
      // New callers get the error from `find`. Running work continues with the tokens that were read last.
    }
    return this.byId.get(id);
  }

  /** @throws {OperatorError} if the file cannot be read or is not a valid token file */
  list(): Token[] {
    this.refresh(true);
    return [...this.byId.values()];
  }

  /**
   * Creates a token. Only this method returns the token's secret. @throws {OperatorError} if the file cannot be written
   */
  create(options: Pick<Token, "name" | "rights" | "maxEpisodes" | "maxLogMb">): { token: Token; secret: string } {
    const secret = newSecret();
    const token: Token = {
      id: randomBytes(6).toString("hex"),
      ...options,
      sha256: sha256(secret),
      createdAt: new Date().toISOString(),
    };
    this.write([...this.list(), token]);
    return { token, secret };
  }

  /**
   * Revokes the tokens with this id or name, and returns whether there were any. @throws {OperatorError} if the file
   * cannot be written
   */
  revoke(idOrName: string): boolean {
    const tokens = this.list();
    const kept = tokens.filter(({ id, name }) => id !== idOrName && name !== idOrName);
    this.write(kept);
    return kept.length < tokens.length;
  }

  private refresh(now = false): void {
    if (!now && performance.now() - this.checkedAt < rereadAfterMs) return;
    const version = versionOf(this.path);
    if (version !== this.readVersion) {
      const tokens = version === "none" ? [] : readTokens(this.path);
      this.byHash = new Map(tokens.map((token) => [token.sha256, token]));
      this.byId = new Map(tokens.map((token) => [token.id, token]));
    }
    // The version is set last, so that every call fails while the file cannot be read, and not only the first.
    this.readVersion = version;
    this.checkedAt = performance.now();
  }

  private write(tokens: Token[]): void {
    const { error } = TokenFile.safeParse({ tokens });
    if (error) throw new Error(`expected tokens that fit their schema, but received: ${z.prettifyError(error)}`);
    openDataDir(dirname(this.path));
    const draft = `${this.path}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify({ tokens }, null, 2)}\n`, { mode: 0o600 });
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

function readTokens(path: string): Token[] {
  const parsed = TokenFile.safeParse(readJson(path));
  if (parsed.success) return parsed.data.tokens;
  const [issue] = parsed.error.issues;
  throw notTokens(path, `${issue?.path.join(".") || "the whole file"}: ${issue?.message}`);
}

/**
 * Reads JSON from the token file. Invalid JSON is reported as an invalid token file, and not as a syntax error of a
 * caller.
 */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw notTokens(path, error);
  }
}

function notTokens(path: string, received: unknown): OperatorError {
  return new OperatorError(`a valid token file ${path}`, received);
}

export function newSecret(): string {
  return prefix + randomBytes(32).toString("base64url");
}

export function sha256(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
