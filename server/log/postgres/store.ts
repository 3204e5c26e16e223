/**
 * The append-only episode log in PostgreSQL. It has the same tables as the log in SQLite, and the same rules: rows are
 * inserted and never updated, and the newest row of a key is its current value.
 *
 * The writes of a commit are one statement, so a commit takes one round trip, and no lock outlives it. `Turns`
 * describes the handling of broken connections.
 */
import { usualTimes } from "../../config/times.js";
import { checksum } from "../records/damage.js";
import type { MarkKind } from "../records/episode-state.js";
import type { AliasRow, EpisodeRow, FleetState, LogCall, LogDurability, PostgresLogData } from "../records/protocol.js";
import { placesPerPage, type StepPage } from "../records/step-page.js";
import type { Turn } from "../records/turn.js";
import { FleetNode } from "./fleet/fleet-node.js";
import { Alone, type Membership } from "./fleet/membership.js";
import { Reads } from "./reads.js";
import { expectSameDatabase } from "./session/database.js";
import { checksumWarning, noStandby, readDurability } from "./session/durability.js";
import { GymLock } from "./session/gym-lock.js";
import { prepareTables } from "./session/migrations.js";
import { blockMs } from "./session/partitions.js";
import { Readers } from "./session/readers.js";
import { expectFinishedCopy, pagesPerBlock } from "./session/schema.js";
import { Session } from "./session/session.js";
import { extentRow } from "./steps/extents.js";
import { Indexing } from "./steps/indexing.js";
import { NewestSteps } from "./steps/newest-steps.js";
import { StepReader } from "./steps/step-reader.js";
import { TurnRows } from "./steps/turn-rows.js";
import { type NumberedPage, Turns } from "./steps/turns.js";
import { bytesOfEpisode } from "./steps/usage.js";

/** Largest number of characters of a page with the steps of several hosts. */
const mostPageCharacters = 2 ** 22;

/** Content of a transaction. */
type Content = Pick<Turn, "pages" | "writes" | "endings">;

/** Result of a transaction. */
export interface Committed {
  /** Keys of episodes that were not created, because another gym has created one with the same idempotency key. */
  twins: ReadonlySet<number>;
  /** Time of the transaction's steps, in milliseconds since the Unix epoch. */
  atMs: number;
}

export class PostgresStore {
  /** Next free page, the first page of the next block, and the monotonic time at which the block was taken. */
  private pages = { next: 0, end: 0, openedAt: 0 };
  private readonly newest = new NewestSteps();
  private writtenBytes = 0;
  private readonly turns: Turns;
  private readonly indexing: Indexing;
  private readonly steps: StepReader;
  private readonly reads: Reads;
  /** Settles when the newest transaction is sent. */
  private tail: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly session: Session,
    private readonly readers: Readers,
    private readonly membership: Membership,
    url: string,
  ) {
    this.turns = new Turns(session, membership.incarnation);
    this.indexing = new Indexing(url, membership.incarnation, this.newest);
    this.steps = new StepReader(readers, this.newest);
    this.reads = new Reads(readers, this.steps, {
      membership,
      unindexedBytes: () => this.newest.bytes(),
      indexed: () => this.indexing.indexed,
      written: () => ({ writtenBytes: this.writtenBytes, failure: this.turns.failure }),
      tryToWrite: () => this.turns.tryToWrite(),
      index: () => this.index(),
    });
  }

  /** @throws {Error} the database cannot be used, or another gym uses it */
  static async open({ url, node, durability, times = usualTimes.fleet }: PostgresLogData): Promise<PostgresStore> {
    await prepareTables(url);
    expectSameDatabase(url);
    const session = new Session(url, { isPipelined: true, silentMs: times.writeMs, connectMs: times.connectMs });
    const lock = await GymLock.take(url, node ? "shared" : "alone", times.lockMs);
    try {
      await expectFinishedCopy(session);
      if (durability === "replicated" && (await readDurability((each) => session.run(each))) === "local")
        throw new Error(noStandby);
      const membership = node
        ? await FleetNode.join(lock, session, { url, times, ...node })
        : await Alone.begin(lock, session);
      return new PostgresStore(session, new Readers(url), membership, url);
    } catch (error) {
      await Promise.all([lock.release(), session.close()]);
      throw error;
    }
  }

  /**
   * Runs one transaction. `sent` resolves when the next one can be sent. `done` resolves when its rows are in the log,
   * after the rows of all earlier transactions, and after an outage of the database of any length.
   *
   * `done` rejects with `LogLost` if another gym has taken over the log or the database has lost transactions, and with
   * `StatementRefused` if the transaction had no effect.
   */
  commit(turn: Content): { sent: Promise<void>; done: Promise<Committed> } {
    const written = this.alone(() => this.write(turn));
    const sent = written.then(
      () => {},
      () => {},
    );
    return { sent, done: written.then(({ done }) => done) };
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

  /** @param listener called with the description of a problem of the fleet, every second while the problem lasts */
  set onTrouble(listener: (message: string) => void) {
    this.membership.onTrouble = listener;
  }

  /** Returns a warning for the operator, or null. */
  warning(): Promise<string | null> {
    return checksumWarning((statement) => this.readers.run(statement));
  }

  /** @throws {ConnectionLost} the database cannot be reached for some seconds */
  durability(): Promise<LogDurability> {
    return readDurability((statement) => this.readers.run(statement));
  }

  /** Renews the membership of this gym. @throws {LogLost} another gym has taken over the log */
  renew(): Promise<boolean> {
    return this.membership.renew();
  }

  async close(): Promise<void> {
    await this.tail;
    await this.turns.settled();
    await this.reads.stop();
    await Promise.all([this.session.close(), this.indexing.close(), this.readers.close(), this.membership.leave()]);
  }

  /** Moves the index of the newest steps from memory to the database. */
  private async index(): Promise<void> {
    await this.alone(async () => {
      await this.turns.settled();
      await this.indexing.moveAll();
    });
  }

  /** Sends a transaction. The promise of its result is wrapped in an object, so that `await` does not wait for it. */
  private async write({ pages, writes, endings }: Content): Promise<{ done: Promise<Committed> }> {
    const atMs = Date.now();
    const rows = new TurnRows();
    for (const { method, args } of writes) await this.add(rows, method, args);
    for (const ending of endings) rows.marks.push({ ...ending, atMs });
    await this.indexing.makeRoom();
    const numbered = await this.numbered(joined(pages));
    const done = this.turns.carryOut(numbered, rows, atMs).then((created) => {
      for (const page of numbered) this.writtenBytes += this.newest.add(page);
      return { atMs, twins: new Set(rows.episodes.map(({ key }) => key).filter((key) => !created.includes(key))) };
    });
    done.catch(() => {});
    return { done };
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
        return void rows.aliases.push({ ...(args[0] as AliasRow), atMs: Date.now() });
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

  /** Page numbers are never reused, even if the transaction of the pages is refused. */
  private async numbered(pages: readonly StepPage[]): Promise<NumberedPage[]> {
    const { end, openedAt } = this.pages;
    if (pages.length > 0 && (this.pages.next + pages.length > end || performance.now() - openedAt > blockMs)) {
      // An extent never reaches from one block into another, since the pages between them may be another gym's.
      await this.turns.settled();
      await this.indexing.moveAll();
      this.pages = await this.openBlock();
    }
    const { next } = this.pages;
    this.pages.next += pages.length;
    return pages.map((page, i) => ({ ...page, page: next + i }));
  }

  private async openBlock(): Promise<typeof this.pages> {
    // A repeated attempt may leave an empty block.
    const [opened] = await this.session.runUntilAnswered<{ block: number }>({
      text: "SELECT palestra.open_block($1) AS block",
      values: [this.membership.incarnation],
    });
    const { block } = opened as { block: number };
    // Page 0 is never used: it stands for "no page" in `indexed`.
    return { next: block * pagesPerBlock + 1, end: (block + 1) * pagesPerBlock, openedAt: performance.now() };
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

/** Joins small pages, so that the database stores fewer rows. */
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
