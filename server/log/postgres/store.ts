/**
 * The append-only episode log in PostgreSQL. It has the same tables as the log in SQLite, and the same rules: rows are
 * inserted and never updated, and the newest row of a key is its current value.
 *
 * All writes of one moment are one statement, so a commit takes one round trip, and no lock outlives it. The statement
 * also counts up the incarnation's number of transactions. Therefore a statement whose outcome is unknown, because the
 * connection broke, can be sent again: it takes effect once.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { checksum, LogLost } from "../damage.js";
import type { MarkKind } from "../episode-state.js";
import type { AliasRow, EpisodeRow, FleetState, LogCall, PostgresLogData } from "../protocol.js";
import { placesPerPage, type StepPage } from "../step-page.js";
import { UnindexedSteps } from "../unindexed-steps.js";
import { addPage, extentRow, extentRows } from "./extents.js";
import { FleetNode } from "./fleet-node.js";
import { GymLock } from "./gym-lock.js";
import { Alone, type Membership } from "./membership.js";
import { Readers } from "./readers.js";
import { Reads } from "./reads.js";
import { expectFinishedCopy, pagesPerBlock, prepareTables } from "./schema.js";
import { ConnectionLost, Session } from "./session.js";
import { StepReader } from "./step-reader.js";
import { type PageRow, TurnRows, turnStatement } from "./turn-rows.js";
import { bytesOfEpisode } from "./usage.js";

/**
 * Limits on the steps that are indexed in memory only, and on the characters of their pages. After a restart, these
 * pages are read again. The statement that indexes them delays the steps of one transaction by some milliseconds.
 */
const mostUnindexed = 16_384;
const mostUnindexedCharacters = 2 ** 24;

/** Largest number of characters of a page that is made of the steps of several hosts. */
const mostPageCharacters = 2 ** 22;

/** Milliseconds between attempts to carry out a transaction: the first pause, and the longest. */
const [firstPauseMs, longestPauseMs] = [20, 1_000];

export class PostgresStore {
  private turn = 0;
  /** Next free page, and the first page of the next block. */
  private pages = { next: 0, end: 0 };
  private unindexed = new UnindexedSteps();
  /** Last page whose steps are not in `unindexed`. */
  private indexed = 0;
  private writtenBytes = 0;
  private readonly steps: StepReader;
  private readonly reads: Reads;
  /** Settles when the last transaction is done. */
  private tail: Promise<unknown> = Promise.resolve();
  /** Error of the last transaction, or null if it was carried out. */
  private failure: string | null = null;
  /** Time of the steps of the newest transaction, in milliseconds since the Unix epoch. */
  newestAtMs = 0;

  private constructor(
    private readonly session: Session,
    private readonly readers: Readers,
    private readonly membership: Membership,
  ) {
    this.steps = new StepReader(readers, () => this.unindexed);
    this.reads = new Reads(readers, this.steps, {
      membership,
      unindexedBytes: () => this.unindexed.bytes(),
      indexed: () => this.indexed,
      written: () => ({ writtenBytes: this.writtenBytes, failure: this.failure }),
      index: () => this.index(),
    });
  }

  /** @throws {Error} the database cannot be used, or another gym uses it */
  static async open({ url, node }: PostgresLogData): Promise<PostgresStore> {
    const session = new Session(url);
    const lock = await GymLock.take(url, node ? "shared" : "alone");
    try {
      await prepareTables(session);
      await expectFinishedCopy(session);
      const membership = node
        ? await FleetNode.join(lock, session, { url, ...node })
        : await Alone.begin(lock, session);
      return new PostgresStore(session, new Readers(url), membership);
    } catch (error) {
      await Promise.all([lock.release(), session.close()]);
      throw error;
    }
  }

  /**
   * Carries out one transaction. Resolves when its rows are in the log, however long the database cannot be reached, with
   * the keys of episodes that were not created, because another gym has created one with the same idempotency key.
   *
   * @throws {LogLost} another gym has taken over the log, or the database has lost transactions
   * @throws {StatementRefused} the transaction had no effect
   */
  commit(pages: readonly StepPage[], writes: readonly LogCall[]): Promise<ReadonlySet<number>> {
    return this.alone(() => this.write(pages, writes));
  }

  /** Answers a call that writes nothing, or removes rows. */
  answer({ method, args }: LogCall): Promise<unknown> {
    return this.reads.answer(method, args);
  }

  /** State of the fleet, or null for a gym that is alone. */
  get fleet(): FleetState | null {
    return this.membership.fleet;
  }

  /** @param listener called when another gym has changed the fleet */
  set onNews(listener: () => void) {
    this.membership.onNews = listener;
  }

  /** Renews the membership of this gym. @throws {LogLost} another gym has taken over the log */
  renew(): Promise<boolean> {
    return this.membership.renew();
  }

  async close(): Promise<void> {
    await this.tail;
    await Promise.all([this.session.close(), this.readers.close(), this.membership.leave()]);
  }

  /** Moves the index of the newest steps from memory to the database. */
  private async index(): Promise<void> {
    await this.alone(() => this.run([], new TurnRows(), true));
  }

  private async write(pages: readonly StepPage[], writes: readonly LogCall[]): Promise<ReadonlySet<number>> {
    this.newestAtMs = Date.now();
    const rows = new TurnRows();
    for (const { method, args } of writes) await this.add(rows, method, args);
    const { count, characters } = this.unindexed;
    const created = await this.run(
      joined(pages),
      rows,
      count >= mostUnindexed || characters >= mostUnindexedCharacters,
    );
    return new Set(rows.episodes.map(({ key }) => key).filter((key) => !created.includes(key)));
  }

  private async add(rows: TurnRows, method: string, args: readonly unknown[]): Promise<void> {
    switch (method) {
      case "createEpisode": {
        const [row, opening] = args as [EpisodeRow, string];
        rows.episodes.push(row);
        rows.openings.push({ episode: row.key, opening, sum: checksum(opening) });
        return addEpisodeUsage(rows, row, Buffer.byteLength(opening));
      }
      case "forkEpisode":
        return this.addFork(rows, ...(args as [EpisodeRow, number, number]));
      case "mark": {
        const [episode, kind, detail] = args as [number, MarkKind, string];
        return void rows.marks.push({ episode, kind, detail, atMs: Date.now() });
      }
      case "setAlias":
        return void rows.aliases.push(args[0] as AliasRow);
      default:
        throw new Error(`expected a call that adds rows, but received ${method}`);
    }
  }

  private async addFork(rows: TurnRows, row: EpisodeRow, parent: number, count: number): Promise<void> {
    const [extents, openingBytes] = await Promise.all([
      this.steps.firstExtents(parent, count),
      this.reads.openingBytes(parent),
    ]);
    rows.episodes.push(row);
    rows.forks.push({ episode: row.key, parent });
    addEpisodeUsage(rows, row, openingBytes);
    for (const extent of extents) {
      const shared = extentRow(row.key, extent, 0);
      rows.extents.push(shared);
      rows.usage.push({ owner: row.owner, bytes: shared.bytes, episode: row.key });
    }
  }

  /** @param indexes whether the steps that are indexed in memory only are indexed in the database */
  private async run(pages: readonly StepPage[], rows: TurnRows, indexes: boolean): Promise<readonly number[]> {
    const isNewBlock = this.pages.next + pages.length > this.pages.end;
    const begin = isNewBlock && pages.length > 0 ? await this.openBlock() : this.pages;
    // An extent never reaches from one block into another, since the pages between them may be another gym's.
    const isIndexed = indexes || isNewBlock;
    if (isIndexed) await this.addIndex(rows);
    const numbered = pages.map((page, i) => ({ ...page, page: begin.next + i }));
    const indexed = isIndexed ? known(this.pages.next - 1) : null;
    const created = await this.carryOut(numbered, rows, indexed);
    if (isIndexed) this.unindexed = new UnindexedSteps();
    this.indexed = indexed ?? this.indexed;
    this.pages = { next: begin.next + pages.length, end: begin.end };
    for (const { page, ...steps } of numbered) this.writtenBytes += addPage(this.unindexed, page, steps);
    return created;
  }

  private async addIndex(rows: TurnRows): Promise<void> {
    const extents = extentRows(this.unindexed);
    const owners = await this.reads.ownersOf(extents.map(({ episode }) => episode));
    rows.extents.push(...extents);
    for (const { episode, bytes } of extents) {
      const owner = owners.get(episode);
      if (owner !== undefined) rows.usage.push({ owner, bytes, episode: null });
    }
  }

  private async openBlock(): Promise<{ next: number; end: number }> {
    // A repeated attempt may leave a block that stays empty.
    const [opened] = await this.session.runUntilAnswered<{ block: number }>({
      text: "INSERT INTO palestra.blocks (incarnation) VALUES ($1) RETURNING block",
      values: [this.membership.incarnation],
    });
    const { block } = opened as { block: number };
    // Page 0 is never used: it stands for "no page" in `indexed`.
    return { next: block * pagesPerBlock + 1, end: (block + 1) * pagesPerBlock };
  }

  private async carryOut(
    pages: readonly (StepPage & { page: number })[],
    rows: TurnRows,
    indexed: number | null,
  ): Promise<readonly number[]> {
    const written: PageRow[] = pages.map(({ page, lines }) => ({ page, lines, sum: checksum(lines) }));
    const turn = this.turn + 1;
    const { membership, newestAtMs: atMs } = this;
    const { incarnation } = membership;
    const nonce = randomUUID();
    const statement = turnStatement({ nonce, incarnation, turn, indexed, pages: written, atMs, rows });
    let done: { created: number[] } | undefined;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        [done] = await this.session.run<{ created: number[] }>(statement);
        if (!done) await this.expectDone(turn, nonce);
        break;
      } catch (error) {
        this.failure = (error as Error).message;
        if (!(error instanceof ConnectionLost)) {
          // An attempt before this one may have been carried out after its connection broke.
          if (await this.isDone(turn, nonce)) break;
          throw error;
        }
      }
      await sleep(pauseMs);
    }
    this.failure = null;
    this.turn = turn;
    return done?.created ?? this.existing(rows.episodes.map(({ key }) => key));
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

  /** @throws {LogLost} the transaction was not carried out, and never will be */
  private async expectDone(turn: number, nonce: string): Promise<void> {
    const fence = await this.fence();
    if (fence?.turn === turn && fence.nonce === nonce) return;
    if (fence?.turn === turn) throw new LogLost("the database has carried out a transaction after it had refused it");
    if (fence?.live) throw new LogLost(`the database has lost ${this.turn - fence.turn} acknowledged transactions`);
    throw new LogLost("another gym has taken over the log");
  }

  private async isDone(turn: number, nonce: string): Promise<boolean> {
    const fence = await this.fence();
    return fence?.turn === turn && fence.nonce === nonce;
  }

  /** Waits for an attempt that the database still carries out. */
  private async fence(): Promise<{ live: boolean; turn: number; nonce: string } | undefined> {
    const [fence] = await this.session.runUntilAnswered<{ live: boolean; turn: number; nonce: string }>({
      text: "SELECT live, turn, nonce FROM palestra.fences WHERE incarnation = $1 FOR SHARE",
      values: [this.membership.incarnation],
    });
    return fence;
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.tail.then(work);
    this.tail = done.catch(() => {});
    return done;
  }
}

function addEpisodeUsage(rows: TurnRows, row: EpisodeRow, openingBytes: number): void {
  rows.usage.push({ owner: row.owner, bytes: bytesOfEpisode(row, openingBytes), episode: row.key });
}

/** Before the first page there is nothing to index. */
function known(page: number | null): number | null {
  return page !== null && page > 0 ? page : null;
}

/** Joins pages, since each page is a row in the database. */
function joined(pages: readonly StepPage[]): StepPage[] {
  const all: StepPage[] = [];
  for (const { places, lines } of pages) {
    if (places.length === 0) continue;
    const last = all.at(-1);
    const fits =
      last &&
      last.places.length + places.length <= 2 * placesPerPage &&
      last.lines.length + lines.length <= mostPageCharacters;
    if (fits) all[all.length - 1] = { places: last.places.concat(places), lines: last.lines + lines };
    else all.push({ places, lines });
  }
  return all;
}
