/**
 * A connection for data that the gyms of a database share besides the log, such as tokens. Its statements are rare, and
 * no step waits for them.
 */
import { prepareTables } from "./migrations.js";
import { Readers } from "./readers.js";
import { expectFinishedCopy } from "./schema.js";
import { Session, type Statement } from "./session.js";

/** Milliseconds for which a start waits for a database that cannot be reached. */
const giveUpMs = 3_000;

export class SharedDatabase {
  private constructor(private readonly connection: Readers) {}

  /**
   * Creates the tables of an empty database.
   *
   * @param isOwner whether tables of an older version are migrated
   * @throws {Error} the database cannot be used
   */
  static async open(url: string, isOwner: boolean): Promise<SharedDatabase> {
    const session = new Session(url);
    try {
      await session.runUntilAnswered({ text: "SELECT 1" }, performance.now() + giveUpMs);
      await prepareTables(url, isOwner);
      await expectFinishedCopy(session);
    } finally {
      await session.close();
    }
    return new SharedDatabase(new Readers(url, 1));
  }

  /**
   * Runs a statement that may be repeated.
   *
   * @throws {ConnectionLost} the database cannot be reached for some seconds @throws {StatementRefused}
   */
  run<Row>(statement: Statement): Promise<Row[]> {
    return this.connection.run<Row>(statement);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
