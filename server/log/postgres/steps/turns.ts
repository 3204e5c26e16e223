/**
 * The transactions of one incarnation. Each has a number, and changes the incarnation's row in `fences` from the number and
 * the random text of the transaction before it to its own. Therefore they take effect in their order, each once, however
 * often they are sent: after a broken connection it is unknown whether they have taken effect.
 *
 * A transaction may be sent before the one before it has been answered, so that the database need not wait for this gym.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { checksum, LogLost } from "../../records/damage.js";
import type { StepPage } from "../../records/step-page.js";
import { trialPage } from "../session/partitions.js";
import { ConnectionLost, type Session, StatementRefused } from "../session/session.js";
import { type PageRow, type TurnRows, turnStatement } from "./turn-rows.js";

/** Milliseconds between attempts to carry out a transaction: the first pause, and the longest. */
const [firstPauseMs, longestPauseMs] = [20, 1_000];

/** SQLSTATEs of refusals that a repetition mends: a failed serialization, a deadlock, and a lock that took too long. */
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
  /** Newest transaction that was carried out. */
  private last: Link = { turn: 0, nonce: null };
  /** Transactions that were begun after it, oldest first. */
  private readonly begun: Link[] = [];
  /** Settles when the newest transaction is done. */
  private tail: Promise<unknown> = Promise.resolve();
  /** Error of the newest attempt, or null if it was carried out. */
  private error: Error | null = null;

  constructor(
    private readonly session: Session,
    private readonly incarnation: number,
  ) {}

  /**
   * Sends a transaction. Resolves when it is carried out, after all transactions before it and however long the database
   * cannot be reached, with the keys of the episodes that it has created.
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

  /** Why the newest attempt was not carried out, or null. */
  get failure(): string | null {
    return this.error?.message ?? null;
  }

  /** Learns after a refusal whether the database takes writes again, since no client may write until it is known. */
  async tryToWrite(): Promise<void> {
    if (!(this.error instanceof StatementRefused)) return;
    try {
      await this.session.run(trialPage);
      this.error = null;
    } catch {
      // The error of the refused transaction stays.
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
          // An attempt before this one may have been carried out after its connection broke.
        } else if (await this.isCarriedOut(link)) break;
        else if (!(error instanceof StatementRefused && passing.includes(error.code))) throw error;
      }
    }
    this.error = null;
    this.last = link;
    return done?.created ?? null;
  }

  /**
   * Whether a transaction was carried out, whose newest attempt has changed nothing. Otherwise that attempt came before the
   * transaction before it was carried out.
   *
   * @throws {LogLost} the transaction was not carried out, and never will be
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

  /** Whether the newest transaction in the database is this one, or one after it. */
  private isFrom(link: Link, fence: Fence): boolean {
    return this.begun.slice(this.begun.indexOf(link)).some(({ turn, nonce }) => {
      return turn === fence.turn && nonce === fence.nonce;
    });
  }

  /** Waits for an attempt that the database still carries out. */
  private async fence(): Promise<Fence | undefined> {
    const [fence] = await this.session.runUntilAnswered<Fence>({
      text: "SELECT live, turn, nonce FROM palestra.fences WHERE incarnation = $1 FOR SHARE",
      values: [this.incarnation],
    });
    return fence;
  }

  /** Returns the keys that episodes have. It waits for the database, since the transaction has been carried out. */
  private async existing(keys: readonly number[]): Promise<number[]> {
    if (keys.length === 0) return [];
    const rows = await this.session.runUntilAnswered<{ key: number }>({
      text: "SELECT key FROM palestra.episodes WHERE key = ANY($1::bigint[])",
      values: [keys],
    });
    return rows.map(({ key }) => key);
  }
}
