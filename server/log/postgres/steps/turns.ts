/**
 * The transactions of one incarnation. Each has a number and a random text, and changes the incarnation's row in
 * `fences` from those of the previous transaction to its own. Therefore the transactions take effect in order, each
 * once, however often they are sent. After a broken connection, it is unknown whether a transaction has taken effect.
 *
 * A transaction may be sent before the reply to the previous one, so that the database need not wait for this gym.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { checksum, LogLost } from "../../records/damage.js";
import type { StepPage } from "../../records/step-page.js";
import { trialPage } from "../session/partitions.js";
import { ConnectionLost, type Session, StatementRefused } from "../session/session.js";
import { type PageRow, type TurnRows, turnStatement } from "./turn-rows.js";

/** Milliseconds between attempts of a transaction: the first pause, and the longest. */
const [firstPauseMs, longestPauseMs] = [20, 1_000];

/**
 * SQLSTATEs of refusals after which a repetition can succeed: a failed serialization, a deadlock, and a timeout of a
 * lock.
 */
const passing: readonly (string | undefined)[] = ["40001", "40P01", "55P03"];

export type NumberedPage = StepPage & { page: number };

interface Link {
  turn: number;
  /** Null before the first transaction. */
  nonce: string | null;
}

interface Fence extends Link {
  live: boolean;
}

type Created = { created: number[] } | undefined;

export class Turns {
  /** Newest transaction that has taken effect. */
  private last: Link = { turn: 0, nonce: null };
  /** Transactions begun after `last`, oldest first. */
  private readonly begun: Link[] = [];
  /** Settles when the newest transaction is done. */
  private tail: Promise<unknown> = Promise.resolve();
  /** Error of the newest attempt, or null if the attempt succeeded. */
  private error: Error | null = null;

  constructor(
    private readonly session: Session,
    private readonly incarnation: number,
  ) {}

  /**
   * Sends a transaction. Resolves with the keys of the created episodes when the transaction has taken effect, after
   * all earlier transactions, and after an outage of the database of any length.
   *
   * @throws {LogLost} another gym has taken over the log, or the database has lost transactions
   * @throws {StatementRefused} the transaction, or one before it that was not yet carried out, had no effect
   */
  carryOut(pages: readonly NumberedPage[], rows: TurnRows, atMs: number): Promise<readonly number[]> {
    const before = this.begun.at(-1) ?? this.last;
    const link = { turn: before.turn + 1, nonce: randomUUID() };
    this.begun.push(link);
    const written: PageRow[] = pages.map(({ page, lines }) => ({ page, lines, sum: checksum(lines) }));
    const { incarnation } = this;
    const statement = turnStatement({ incarnation, ...link, before: before.nonce, pages: written, atMs, rows });
    const send = async () => (await this.session.run<{ created: number[] }>(statement))[0];
    const first = send();
    first.catch(() => {});
    const done = this.tail
      .then(() => this.finish(link, before, first, send))
      .finally(() => this.begun.splice(this.begun.indexOf(link), 1))
      .then((created) => created ?? this.existing(rows.episodes.map(({ key }) => key)));
    this.tail = done.catch(() => {});
    return done;
  }

  /** Reason why the newest attempt failed, or null. */
  get failure(): string | null {
    return this.error?.message ?? null;
  }

  /** After a refusal, tries whether the database accepts writes again. Clients may send no step before. */
  async tryToWrite(): Promise<void> {
    if (!(this.error instanceof StatementRefused)) return;
    try {
      await this.session.run(trialPage);
      this.error = null;
    } catch {
      // The error of the refused transaction is kept.
    }
  }

  /** Resolves when all transactions are done. */
  async settled(): Promise<void> {
    await this.tail;
  }

  /** Returns the keys of the created episodes, or null if they are unknown. */
  private async finish(
    link: Link,
    before: Link,
    first: Promise<Created>,
    send: () => Promise<Created>,
  ): Promise<readonly number[] | null> {
    let done: Created;
    let attempt = first;
    for (let pauseMs = firstPauseMs; ; attempt = send()) {
      if (this.last !== before) throw new StatementRefused("an earlier transaction was refused");
      try {
        done = await attempt;
        if (done || (await this.isDone(link, before))) break;
      } catch (error) {
        this.error = error as Error;
        if (error instanceof LogLost) throw error;
        if (error instanceof ConnectionLost) {
          await sleep(pauseMs);
          pauseMs = Math.min(2 * pauseMs, longestPauseMs);
          // An earlier attempt may have taken effect after its connection broke.
        } else if (await this.isCarriedOut(link)) break;
        else if (!(error instanceof StatementRefused && passing.includes(error.code))) throw error;
      }
    }
    this.error = null;
    this.last = link;
    return done?.created ?? null;
  }

  /**
   * Returns whether a transaction whose newest attempt changed nothing has taken effect by an earlier attempt. If not,
   * the newest attempt came before the previous transaction had taken effect.
   *
   * @throws {LogLost} the transaction has not taken effect, and never will
   */
  private async isDone(link: Link, before: Link): Promise<boolean> {
    const fence = await this.fence();
    if (fence && this.isFrom(link, fence)) return true;
    if (!fence?.live) throw new LogLost("another gym has taken over the log");
    if (fence.turn < before.turn)
      throw new LogLost(`the database has lost ${before.turn - fence.turn} acknowledged transactions`);
    if (fence.turn === before.turn && fence.nonce === before.nonce) return false;
    throw new LogLost("the database has carried out a transaction after it had refused it");
  }

  private async isCarriedOut(link: Link): Promise<boolean> {
    const fence = await this.fence();
    return fence !== undefined && this.isFrom(link, fence);
  }

  /** Returns whether the newest transaction in the database is this one or a later one. */
  private isFrom(link: Link, fence: Fence): boolean {
    return this.begun.slice(this.begun.indexOf(link)).some(({ turn, nonce }) => {
      return turn === fence.turn && nonce === fence.nonce;
    });
  }

  /** Returns the incarnation's row. Waits for an attempt that is still running in the database. */
  private async fence(): Promise<Fence | undefined> {
    const [fence] = await this.session.runUntilAnswered<Fence>({
      text: "SELECT live, turn, nonce FROM palestra.fences WHERE incarnation = $1 FOR SHARE",
      values: [this.incarnation],
    });
    return fence;
  }

  /**
   * Returns the keys of existing episodes. It waits for the database as long as necessary, since the transaction has
   * taken effect.
   */
  private async existing(keys: readonly number[]): Promise<number[]> {
    if (keys.length === 0) return [];
    const rows = await this.session.runUntilAnswered<{ key: number }>({
      text: "SELECT key FROM palestra.episodes WHERE key = ANY($1::bigint[])",
      values: [keys],
    });
    return rows.map(({ key }) => key);
  }
}
