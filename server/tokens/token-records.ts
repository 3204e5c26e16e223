/**
 * Bearer tokens, and groups of tokens that share limits, as a file or a database stores them: with SHA-256 hashes instead
 * of the tokens themselves. A token has 256 random bits, so a hash without salt is safe.
 *
 * Fields that were added to the records after their first version are optional, and are written only if they are used.
 * Records with such fields are refused by versions of Palestra that do not know them.
 */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { CallerQuotas } from "../episodes/quotas/quota.js";
import { tokenPrefix } from "../formats/secrets.js";

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

const TokenRecords = z
  .strictObject({ tokens: z.array(Token), groups: z.array(TokenGroup).optional() })
  .superRefine(({ tokens, groups = [] }, context) => {
    const names = new Set(groups.map(({ name }) => name));
    for (const [i, { group }] of tokens.entries()) {
      if (group === undefined || names.has(group)) continue;
      const message = `expected one of the file's groups, but received ${JSON.stringify(group)}`;
      context.addIssue({ code: "custom", path: ["tokens", i, "group"], message });
    }
  });
export type TokenRecords = z.infer<typeof TokenRecords>;

/** Properties that the creator of a token chooses. */
export type TokenOptions = Omit<Token, "id" | "sha256" | "createdAt">;

/** The tokens of a gym. Lookups do not wait: they use the records that were read last. */
export interface Tokens {
  find(secret: string): Token | undefined;
  /** Reads the records again, and looks for a token that the last reading did not have. */
  lookUp?(secret: string): Promise<Token | undefined>;
  findById(id: string): Token | undefined;
  /** Returns the limits of a token and of its group. A revoked token may open no episode. */
  quotasOf(id: string): CallerQuotas;
  list(): Token[];
  groups(): TokenGroup[];
  /** Creates a token. Only this method returns the token's secret. The token's group must exist. */
  create(options: TokenOptions): NewToken | Promise<NewToken>;
  /** Revokes the tokens with this id or name, and returns whether there were any. */
  revoke(idOrName: string): boolean | Promise<boolean>;
  /** Creates a group, or replaces its limits. */
  setGroup(group: TokenGroup): void | Promise<void>;
  /** Removes a group, which must have no tokens. */
  removeGroup(name: string): void | Promise<void>;
}

export interface NewToken {
  token: Token;
  secret: string;
}

/** Records by their keys. */
export class TokenIndex {
  private readonly byHash: ReadonlyMap<string, Token>;
  private readonly byId: ReadonlyMap<string, Token>;
  private readonly byGroup: ReadonlyMap<string, TokenGroup>;

  constructor({ tokens, groups = [] }: TokenRecords) {
    this.byHash = new Map(tokens.map((token) => [token.sha256, token]));
    this.byId = new Map(tokens.map((token) => [token.id, token]));
    this.byGroup = new Map(groups.map((group) => [group.name, group]));
  }

  get tokens(): Token[] {
    return [...this.byId.values()];
  }

  get groups(): TokenGroup[] {
    return [...this.byGroup.values()];
  }

  find(secret: string): Token | undefined {
    return this.byHash.get(sha256(secret));
  }

  findById(id: string): Token | undefined {
    return this.byId.get(id);
  }

  /** See `Tokens.quotasOf`. */
  quotasOf(id: string): CallerQuotas {
    const token = this.byId.get(id);
    if (!token) return { own: { kind: "token", name: id, quota: { maxEpisodes: 0 } }, group: null };
    const group = token.group === undefined ? undefined : this.byGroup.get(token.group);
    return {
      own: { kind: "token", name: token.name, quota: token },
      group: group ? { kind: "group", name: group.name, quota: group } : null,
    };
  }
}

export function newToken(options: TokenOptions): NewToken {
  const secret = newSecret();
  const token: Token = {
    id: randomBytes(6).toString("hex"),
    ...options,
    sha256: sha256(secret),
    createdAt: new Date().toISOString(),
  };
  return { token, secret };
}

/** Returns the records as text. @throws {Error} the records do not fit their schema, which is a mistake of the program */
export function textOfRecords(tokens: readonly Token[], groups: readonly TokenGroup[]): string {
  const records = groups.length > 0 ? { tokens, groups } : { tokens };
  const { error } = TokenRecords.safeParse(records);
  if (error) throw new Error(`expected tokens that fit their schema, but received: ${z.prettifyError(error)}`);
  return `${JSON.stringify(records, null, 2)}\n`;
}

/** @throws {Error} the text is not JSON, or its value is not a valid set of records */
export function recordsIn(text: string): TokenRecords {
  const parsed = TokenRecords.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join(".") || "the whole file"}: ${issue?.message}`);
}

/** Returns the tokens without those that have this id or name. */
export function withoutToken(tokens: readonly Token[], idOrName: string): Token[] {
  return tokens.filter(({ id, name }) => id !== idOrName && name !== idOrName);
}

/** Returns the groups with a group, which replaces one of the same name. */
export function withGroup(groups: readonly TokenGroup[], group: TokenGroup): TokenGroup[] {
  return [...withoutGroup(groups, group.name), group];
}

export function withoutGroup(groups: readonly TokenGroup[], name: string): TokenGroup[] {
  return groups.filter((group) => group.name !== name);
}

export function newSecret(): string {
  return tokenPrefix + randomBytes(32).toString("base64url");
}

export function sha256(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
