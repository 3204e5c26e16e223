/**
 * Bearer tokens, and groups of tokens that share limits. The file stores only SHA-256 hashes. A token has 256 random
 * bits, so a hash without salt is safe. A running server reads changes of the file within a second.
 *
 * Fields that were added to the file after its first version are optional, and are written only if they are used. A file
 * with such fields is refused by versions of Palestra that do not know them.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { openDataDir } from "./data-dir.js";
import type { CallerQuotas } from "./episodes/quota.js";
import { OperatorError } from "./operator-error.js";

export const tokenRights = ["expert", "runs"] as const;

const limit = z.int().min(1);

const Token = z.strictObject({
  /** Owner of the episodes that are created with the token. */
  id: z.string(),
  name: z.string(),
  sha256: z.string(),
  rights: z.array(z.enum(tokenRights)),
  /** Limit on the token's live episodes at the same time. */
  maxEpisodes: limit,
  /** Limit in MiB on the bytes of the token's episodes in the log. Default: no limit. */
  maxLogMb: limit.optional(),
  /** Limit on the token's live episodes that hold a sandbox. Default: none. */
  maxSandboxEpisodes: limit.optional(),
  /** Limit on the token's steps of one UTC day. Default: none. */
  maxStepsPerDay: limit.optional(),
  createdAt: z.iso.datetime(),
  /** Time from which on the token is refused. Default: never. */
  expiresAt: z.iso.datetime().optional(),
  /** Name of the group whose limits the token shares. It does not change. */
  group: z.string().optional(),
});
export type Token = z.infer<typeof Token>;

/** Limits that the tokens of a group share. An absent limit does not limit. */
const TokenGroup = z.strictObject({
  name: z.string(),
  maxEpisodes: limit.optional(),
  maxSandboxEpisodes: limit.optional(),
  maxStepsPerDay: limit.optional(),
});
export type TokenGroup = z.infer<typeof TokenGroup>;

const TokenFile = z
  .strictObject({ tokens: z.array(Token), groups: z.array(TokenGroup).optional() })
  .superRefine(({ tokens, groups = [] }, context) => {
    const names = new Set(groups.map(({ name }) => name));
    for (const [i, { group }] of tokens.entries()) {
      if (group === undefined || names.has(group)) continue;
      const message = `expected one of the file's groups, but received ${JSON.stringify(group)}`;
      context.addIssue({ code: "custom", path: ["tokens", i, "group"], message });
    }
  });
type TokenFile = z.infer<typeof TokenFile>;

/** Properties that the creator of a token chooses. */
export type TokenOptions = Omit<Token, "id" | "sha256" | "createdAt">;

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
  private byGroup = new Map<string, TokenGroup>();
  private readVersion = "";
  private checkedAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;

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
    this.refreshQuietly();
    return this.byId.get(id);
  }

  /** Returns the limits of a token and of its group. A revoked token may open no episode. */
  quotasOf(id: string): CallerQuotas {
    const token = this.findById(id);
    if (!token) return { own: { kind: "token", name: id, quota: { maxEpisodes: 0 } }, group: null };
    const group = token.group === undefined ? undefined : this.byGroup.get(token.group);
    return {
      own: { kind: "token", name: token.name, quota: token },
      group: group ? { kind: "group", name: group.name, quota: group } : null,
    };
  }

  /** @throws {OperatorError} if the file cannot be read or is not a valid token file */
  list(): Token[] {
    this.refresh(true);
    return [...this.byId.values()];
  }

  /** @throws {OperatorError} if the file cannot be read or is not a valid token file */
  groups(): TokenGroup[] {
    this.refresh(true);
    return [...this.byGroup.values()];
  }

  /**
   * Creates a token. Only this method returns the token's secret. The token's group must exist. @throws {OperatorError}
   * if the file cannot be written
   */
  create(options: TokenOptions): { token: Token; secret: string } {
    const secret = newSecret();
    const token: Token = {
      id: randomBytes(6).toString("hex"),
      ...options,
      sha256: sha256(secret),
      createdAt: new Date().toISOString(),
    };
    this.write({ tokens: [...this.list(), token] });
    return { token, secret };
  }

  /**
   * Revokes the tokens with this id or name, and returns whether there were any. @throws {OperatorError} if the file
   * cannot be written
   */
  revoke(idOrName: string): boolean {
    const tokens = this.list();
    const kept = tokens.filter(({ id, name }) => id !== idOrName && name !== idOrName);
    this.write({ tokens: kept });
    return kept.length < tokens.length;
  }

  /** Creates a group, or replaces its limits. @throws {OperatorError} if the file cannot be written */
  setGroup(group: TokenGroup): void {
    this.write({ groups: [...this.groups().filter(({ name }) => name !== group.name), group] });
  }

  /** Removes a group, which must have no tokens. @throws {OperatorError} if the file cannot be written */
  removeGroup(name: string): void {
    this.write({ groups: this.groups().filter((group) => group.name !== name) });
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
      const { tokens, groups = [] } = version === "none" ? { tokens: [] } : readTokens(this.path);
      this.byHash = new Map(tokens.map((token) => [token.sha256, token]));
      this.byId = new Map(tokens.map((token) => [token.id, token]));
      this.byGroup = new Map(groups.map((group) => [group.name, group]));
    }
    // The version is set last, so that every call fails while the file cannot be read, and not only the first.
    this.readVersion = version;
    this.checkedAt = performance.now();
  }

  /** Writes the file with the given part replaced. */
  private write(changed: Partial<TokenFile>): void {
    const { tokens = this.list(), groups = this.groups() } = changed;
    const file: TokenFile = groups.length > 0 ? { tokens, groups } : { tokens };
    const { error } = TokenFile.safeParse(file);
    if (error) throw new Error(`expected tokens that fit their schema, but received: ${z.prettifyError(error)}`);
    openDataDir(dirname(this.path));
    const draft = `${this.path}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
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

function readTokens(path: string): TokenFile {
  const parsed = TokenFile.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
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
