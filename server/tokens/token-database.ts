/**
 * Tokens in the PostgreSQL database of the log, where all gyms of a fleet find them. Each gym looks for changes once a
 * second. The first gym or command on a database without tokens copies the file `tokens.json` into it.
 */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { CallerQuotas } from "../episodes/quotas/quota.js";
import { counted } from "../formats/counted.js";
import type { SharedDatabase } from "../log/postgres/session/shared-database.js";
import { readTokens, tokenFile } from "./token-file.js";
import {
  type NewToken,
  newToken,
  recordsIn,
  type Token,
  type TokenGroup,
  TokenIndex,
  type TokenOptions,
  type Tokens,
  textOfRecords,
  withGroup,
  withoutGroup,
  withoutToken,
} from "./token-records.js";

const pollMs = 1_000;

/** Milliseconds for which the refusal of an unknown token waits for the database. */
const lookUpMs = 1_000;

export class TokenDatabase implements Tokens {
  private index = new TokenIndex({ tokens: [] });
  private version = 0;
  private reading: Promise<void> | null = null;
  /** Reading that begins after the present one. */
  private next: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  private constructor(private readonly database: SharedDatabase) {}

  /**
   * @param tell receives a sentence about the file `tokens.json` in the data directory, if there is one
   * @throws {OperatorError} the file cannot be read
   * @throws {Error} the database cannot be used
   */
  static async open(database: SharedDatabase, dataDir: string, tell: (text: string) => void): Promise<TokenDatabase> {
    const tokens = new TokenDatabase(database);
    await tokens.read();
    await tokens.adopt(tokenFile(dataDir), tell);
    await tokens.read();
    return tokens;
  }

  /** Looks for changes from now on. */
  watch(): void {
    // A database that cannot be reached leaves the gym with the tokens that it knows.
    const poll = () => void (this.reading ?? this.reread().catch(() => {}));
    this.timer = setInterval(poll, pollMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  find(secret: string): Token | undefined {
    return this.index.find(secret);
  }

  async lookUp(secret: string): Promise<Token | undefined> {
    const stop = new AbortController();
    const waited = sleep(lookUpMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    await Promise.race([this.reread().catch(() => {}), waited]);
    stop.abort();
    return this.index.find(secret);
  }

  findById(id: string): Token | undefined {
    return this.index.findById(id);
  }

  quotasOf(id: string): CallerQuotas {
    return this.index.quotasOf(id);
  }

  list(): Token[] {
    return this.index.tokens;
  }

  groups(): TokenGroup[] {
    return this.index.groups;
  }

  async create(options: TokenOptions): Promise<NewToken> {
    const created = newToken(options);
    await this.change(() =>
      this.findById(created.token.id) ? null : { tokens: [...this.list(), created.token], groups: this.groups() },
    );
    return created;
  }

  async revoke(idOrName: string): Promise<boolean> {
    let revoked = false;
    await this.change(() => {
      const tokens = withoutToken(this.list(), idOrName);
      revoked ||= tokens.length < this.list().length;
      return { tokens, groups: this.groups() };
    });
    return revoked;
  }

  async setGroup(group: TokenGroup): Promise<void> {
    await this.change(() => ({ tokens: this.list(), groups: withGroup(this.groups(), group) }));
  }

  async removeGroup(name: string): Promise<void> {
    await this.change(() => ({ tokens: this.list(), groups: withoutGroup(this.groups(), name) }));
  }

  /** Copies the token file into a database whose tokens were never changed. */
  private async adopt(path: string, tell: (text: string) => void): Promise<void> {
    if (!existsSync(path)) return;
    const { tokens, groups = [] } = readTokens(path);
    const before = this.version;
    if (before === 0 && (await this.replace(0, textOfRecords(tokens, groups)))) {
      const found = `${counted(tokens.length, "token")} and ${counted(groups.length, "group")} of ${path} were copied into it`;
      return tell(`The database had no tokens, so ${found}. From now on, the file is not used.`);
    }
    await this.read();
    const missing = tokens.filter(({ id }) => !this.findById(id)).length;
    const lacks =
      missing === 0 ? "" : ` The database lacks ${counted(missing, "token")} of the file, so they are refused.`;
    tell(`The tokens are in the database, so the file ${path} is not used.${lacks} Remove the file.`);
  }

  /**
   * Replaces the records, and begins again if they were changed meanwhile.
   *
   * @param next returns the records that follow those in memory, or null if these are right
   */
  private async change(next: () => { tokens: Token[]; groups: TokenGroup[] } | null): Promise<void> {
    for (;;) {
      await this.read();
      const records = next();
      if (records === null) return;
      if (await this.replace(this.version, textOfRecords(records.tokens, records.groups))) break;
    }
    await this.read();
  }

  /** Returns whether the records were replaced. After a broken connection, they may have been although it is false. */
  private async replace(version: number, text: string): Promise<boolean> {
    const replaced = await this.database.run({
      text: "UPDATE palestra.tokens SET version = version + 1, records = $2 WHERE version = $1 RETURNING 1",
      values: [version, text],
    });
    return replaced.length > 0;
  }

  /** Reads the records as they are now or later. Thousands of callers share a reading. */
  private reread(): Promise<void> {
    if (this.reading) {
      this.next ??= this.reading
        .catch(() => {})
        .then(() => {
          this.next = null;
          return this.reread();
        });
      return this.next;
    }
    this.reading = this.read().finally(() => (this.reading = null));
    return this.reading;
  }

  private async read(): Promise<void> {
    const [changed] = await this.database.run<{ version: number; records: string }>({
      text: "SELECT version, records FROM palestra.tokens WHERE version <> $1",
      values: [this.version],
    });
    if (!changed || changed.version < this.version) return;
    this.index = new TokenIndex(recordsIn(changed.records));
    this.version = changed.version;
  }
}
