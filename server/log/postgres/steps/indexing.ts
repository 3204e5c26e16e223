/**
 * Moves the index of the newest steps from memory to `extents`. The move has its own connection, so that transactions
 * with later steps continue meanwhile: a move of 16,384 steps takes the database some milliseconds.
 *
 * The row in `indexed` has the last page whose steps are in `extents`. A statement that moves steps changes this row to
 * their last page, and only if the row has the page before their first one. Therefore it takes effect once, however
 * often it is sent. The steps of a fenced gym are moved either by that gym or by the gym that takes over, and never by
 * both.
 */
import { LogLost } from "../../records/damage.js";
import type { UnindexedSteps } from "../../records/unindexed-steps.js";
import { Session, type Statement } from "../session/session.js";
import { addBytes, extentColumns, insertSummed, rowsOf } from "../session/sql.js";
import { type ExtentRow, extentRows } from "./extents.js";
import type { NewestSteps } from "./newest-steps.js";

/**
 * Limits on the steps that are indexed only in memory, and on the characters of their pages. Above a limit, steps are
 * moved. Above twice the limit, the next transaction waits. After a restart, these pages are read again.
 */
const most = { count: 16_384, characters: 2 ** 24 };

export class Indexing {
  private readonly session: Session;
  /** Last page whose steps are in `extents`. */
  indexed = 0;
  /** Settles when the sealed steps are moved, or null if none are moved. */
  private moving: Promise<void> | null = null;

  constructor(
    url: string,
    private readonly incarnation: number,
    private readonly newest: NewestSteps,
  ) {
    this.session = new Session(url);
  }

  /** Moves steps if there are many. Resolves when memory has room for more. @throws {StatementRefused} */
  async makeRoom(): Promise<void> {
    if (!this.isFull(1)) return;
    const moved = this.move();
    if (this.isFull(2)) return moved;
    // Steps that could not be moved stay in memory, and the next transaction tries again.
    moved.catch(() => {});
  }

  /** Moves all steps. @throws {StatementRefused} */
  async moveAll(): Promise<void> {
    // The first call waits for the steps that are sealed, and the second moves the others.
    await this.move();
    await this.move();
  }

  async close(): Promise<void> {
    await Promise.all([this.session.close(), this.moving?.catch(() => {})]);
  }

  private isFull(times: number): boolean {
    const { count, characters } = this.newest.unsealed;
    return count >= times * most.count || characters >= times * most.characters;
  }

  private move(): Promise<void> {
    this.moving ??= this.moveSealed().finally(() => {
      this.moving = null;
    });
    return this.moving;
  }

  private async moveSealed(): Promise<void> {
    const sealed = this.newest.seal();
    if (!sealed) return;
    const { steps, lastPage } = sealed;
    const [moved] = await this.session.runUntilAnswered<{ isMoved: boolean }>(this.statement(steps, lastPage));
    if (!moved?.isMoved && (await this.lastIndexed()) !== lastPage)
      throw new LogLost(
        "another gym has indexed the steps of this gym, or the database has lost a part of their index",
      );
    this.indexed = lastPage;
    this.newest.forgetSealed();
  }

  /** If the statement was sent twice, the first attempt has moved the steps. */
  private async lastIndexed(): Promise<number> {
    const [row] = await this.session.runUntilAnswered<{ page: number }>({
      text: "SELECT page FROM palestra.indexed WHERE incarnation = $1",
      values: [this.incarnation],
    });
    return row?.page ?? 0;
  }

  private statement(steps: UnindexedSteps, lastPage: number): Statement {
    return {
      name: "index",
      text: `WITH own AS (${moveIndexed}),
        extent AS (${insertSummed("extents")} FROM own, ${rowsOf(4, extentColumns)}),
        used AS (INSERT INTO palestra.usage AS usage SELECT owner, $1, sum(bytes)
          FROM own, ${rowsOf(4, extentColumns)} JOIN palestra.episodes ON key = episode
          GROUP BY owner ORDER BY owner ${addBytes})
        SELECT EXISTS (SELECT 1 FROM own) AS "isMoved"`,
      values: [this.incarnation, this.indexed, lastPage, rowsText(extentRows(steps))],
    };
  }
}

/**
 * Changes the last indexed page of the incarnation `$1` from `$2` to `$3`. Returns a row if the last indexed page was
 * `$2`.
 */
export const moveIndexed = `INSERT INTO palestra.indexed AS indexed
    SELECT $1::bigint, $3::bigint WHERE $2::bigint = 0 OR EXISTS (SELECT 1 FROM palestra.indexed WHERE incarnation = $1::bigint)
  ON CONFLICT (incarnation) DO UPDATE SET page = excluded.page WHERE indexed.page = $2::bigint RETURNING 1`;

export function rowsText(rows: readonly ExtentRow[]): string {
  return JSON.stringify(rows);
}
