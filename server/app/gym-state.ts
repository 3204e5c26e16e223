/**
 * The state that a gym keeps beside its log: tokens, judgments and counted steps. It is in files of the data directory if
 * the log is in a file, and in the database if the log is in a database.
 */
import type { Config } from "../config/config.js";
import { OperatorError } from "../config/operator-error.js";
import type { UsageStore } from "../episodes/gym-options.js";
import { dayOf, dayText, type Usage } from "../episodes/quotas/quota.js";
import type { JudgmentStore } from "../judging/judgment.js";
import { JudgmentFile } from "../judging/judgment-file.js";
import type { SharedDatabase } from "../log/postgres/session/shared-database.js";
import { TokenStore } from "../tokens/token-file.js";
import type { Tokens } from "../tokens/token-records.js";
import { UsageFile } from "../tokens/usage-file.js";

export type StatePlace = Pick<Config, "dataDir"> & { log: Pick<Config["log"], "url"> };

/** Receives a sentence for the operator. */
type Tell = (text: string) => void;

export interface GymState {
  tokens: Tokens;
  judgments: JudgmentStore;
  /** Keeps counted steps over a restart. With a log in a database, the log keeps them. */
  usage?: UsageStore;
  close(): Promise<void>;
}

/** The tokens and the steps of the day for a command. */
export interface TokenAdmin {
  tokens: Tokens;
  usage: Usage | null;
}

/** @throws {OperatorError} the token file cannot be read @throws {DatabaseFailed} */
export async function openState(place: StatePlace, tell: Tell): Promise<GymState> {
  const { dataDir, log } = place;
  if (log.url === undefined) {
    const usage = new UsageFile(dataDir, (error) => tell(`The usage is not stored: ${(error as Error).message}`));
    const [tokens, judgments] = [new TokenStore(dataDir), new JudgmentFile(dataDir)];
    return { tokens, judgments, usage, close: () => judgments.close() };
  }
  return openDatabase(log.url, true, async (database) => {
    const [{ TokenDatabase }, { JudgmentDatabase }] = await Promise.all([
      import("../tokens/token-database.js"),
      import("../judging/judgment-database.js"),
    ]);
    const tokens = await TokenDatabase.open(database, dataDir, tell);
    const judgments = new JudgmentDatabase(database);
    await judgments.adopt(dataDir, tell);
    tokens.watch();
    const close = async () => {
      tokens.close();
      await judgments.close();
      await database.close();
    };
    return { tokens, judgments, close };
  });
}

/** Opens the tokens for a command, and closes them when `use` is done. @throws {OperatorError} they cannot be used */
export async function withTokens<T>(place: StatePlace, tell: Tell, use: (admin: TokenAdmin) => Promise<T>): Promise<T> {
  const { dataDir, log } = place;
  if (log.url === undefined) {
    return use({ tokens: new TokenStore(dataDir), usage: new UsageFile(dataDir).read() });
  }
  try {
    // A command of a newer version must not end the gyms of the present one.
    return await openDatabase(log.url, false, async (database) => {
      const [{ TokenDatabase }, { usageIn }] = await Promise.all([
        import("../tokens/token-database.js"),
        import("../tokens/usage-database.js"),
      ]);
      const tokens = await TokenDatabase.open(database, dataDir, tell);
      const done = await use({ tokens, usage: await usageIn(database, dayText(dayOf(Date.now()))) });
      await database.close();
      return done;
    });
  } catch (error) {
    if (!(error instanceof DatabaseFailed)) throw error;
    throw OperatorError.of(
      "access to the PostgreSQL database of the tokens, which is the setting log.url",
      error.cause,
    );
  }
}

/** The database cannot be used, as the cause tells. */
export class DatabaseFailed extends Error {
  override readonly name = "DatabaseFailed";
}

/** Opens a database, and closes it if `use` fails. See `SharedDatabase.open`. @throws {DatabaseFailed} */
async function openDatabase<T>(
  url: string,
  isOwner: boolean,
  use: (database: SharedDatabase) => Promise<T>,
): Promise<T> {
  const [{ SharedDatabase }, { ConnectionLost, StatementRefused }] = await Promise.all([
    import("../log/postgres/session/shared-database.js"),
    import("../log/postgres/session/session.js"),
  ]);
  const failed = (cause: unknown) => new DatabaseFailed((cause as Error).message, { cause });
  const database = await SharedDatabase.open(url, isOwner).catch((error) => {
    throw failed(error);
  });
  try {
    return await use(database);
  } catch (error) {
    await database.close();
    const isOfDatabase = error instanceof ConnectionLost || error instanceof StatementRefused;
    throw isOfDatabase ? failed(error) : error;
  }
}
