/**
 * The life of a gym in the database, from its start to its end. An ended incarnation is fenced: from then on, its
 * transactions have no effect. Then another gym indexes the steps that the incarnation had indexed only in memory.
 */
import { checkedText, LogDamage, type StoredText } from "../../records/damage.js";
import { UnindexedSteps } from "../../records/unindexed-steps.js";
import { pagesPerBlock } from "../session/schema.js";
import { type Session, StatementRefused } from "../session/session.js";
import { addBytes, extentColumns, insertSummed, rowsOf } from "../session/sql.js";
import { addPage, extentRows, pageFrom } from "../steps/extents.js";
import { moveIndexed, rowsText } from "../steps/indexing.js";
import { tellingFleet } from "./fleet-map.js";

/** Number of pages that are read at a time. A page may have megabytes. */
const chunk = 16;

/** Begins an incarnation, and ends all others. Returns its number. */
export async function beginAlone(session: Session): Promise<number> {
  // A repeated attempt may leave an unused incarnation, which the next statement ends.
  const [begun] = await session.runUntilAnswered<{ incarnation: number }>({
    text: "INSERT INTO palestra.fences DEFAULT VALUES RETURNING incarnation",
  });
  const { incarnation } = begun as { incarnation: number };
  await session.runUntilAnswered({
    text: "UPDATE palestra.fences SET live = false WHERE incarnation <> $1 AND live",
    values: [incarnation],
  });
  await settleEnded(session);
  return incarnation;
}

/** Fences an incarnation. Waits for a transaction of it that is still running in the database. */
export async function fence(session: Session, incarnation: number, givenUpAt?: number): Promise<void> {
  await session.runUntilAnswered(
    { text: "UPDATE palestra.fences SET live = false WHERE incarnation = $1 AND live", values: [incarnation] },
    givenUpAt,
  );
}

/**
 * Fences gyms that used the database alone. The caller must hold the lock of the gyms, so that no such gym uses the
 * database any more.
 */
export async function fenceAlone(session: Session): Promise<void> {
  await session.runUntilAnswered({
    text: `UPDATE palestra.fences SET live = false
      WHERE live AND NOT EXISTS (SELECT 1 FROM palestra.nodes WHERE nodes.incarnation = fences.incarnation)`,
  });
}

export interface Settling {
  /** See `Session.runUntilAnswered`. */
  givenUpAt?: number;
  /**
   * Called with the error of an incarnation whose newest steps cannot be indexed, for example because a page is
   * damaged. Its shards stay without an owner. Default: the error is thrown.
   */
  onTrouble?: (error: Error) => void;
}

/**
 * Indexes the newest steps of all incarnations that have ended, and takes their shards from them.
 *
 * @throws {LogDamage} @throws {StatementRefused}
 */
export async function settleEnded(session: Session, { givenUpAt, onTrouble }: Settling = {}): Promise<void> {
  const ended = await session.runUntilAnswered<{ incarnation: number }>(
    { text: "SELECT incarnation FROM palestra.fences WHERE NOT live AND NOT settled ORDER BY incarnation" },
    givenUpAt,
  );
  for (const { incarnation } of ended) {
    try {
      while (!(await settle(session, incarnation)));
    } catch (error) {
      if (!onTrouble || !(error instanceof LogDamage || error instanceof StatementRefused)) throw error;
      onTrouble(error);
    }
  }
  await session.runUntilAnswered(
    {
      text: `WITH gone AS (
          DELETE FROM palestra.nodes USING palestra.fences f WHERE nodes.incarnation = f.incarnation AND settled
        ), unpinned AS (
          UPDATE palestra.shards SET "pinnedTo" = NULL FROM palestra.fences f
            WHERE "pinnedTo" = f.incarnation AND settled AND shards.incarnation IS DISTINCT FROM f.incarnation
        ), freed AS (
          UPDATE palestra.shards SET incarnation = NULL, "pinnedTo" = NULL FROM palestra.fences f
            WHERE shards.incarnation = f.incarnation AND settled RETURNING shard
        ) ${tellingFleet("freed")}`,
    },
    givenUpAt,
  );
}

/**
 * Moves the index of an ended incarnation's newest steps to `extents`. Returns false if a part of the index has been
 * moved meanwhile: by another gym, or by the ended gym itself, which had written all of its pages before.
 */
async function settle(session: Session, incarnation: number): Promise<boolean> {
  const [found] = await session.runUntilAnswered<{ page: number }>({
    text: "SELECT page FROM palestra.indexed WHERE incarnation = $1",
    values: [incarnation],
  });
  const indexed = found?.page ?? 0;
  const { steps, last } = await unindexedSteps(session, incarnation, indexed);
  const rows = [...steps.values()].flatMap(extentRows);
  const [done] = await session.runUntilAnswered<{ done: boolean }>({
    text: `WITH own AS (${moveIndexed}), fence AS (
        UPDATE palestra.fences SET settled = true FROM own WHERE incarnation = $1 AND NOT live AND NOT settled RETURNING 1
      ), extent AS (
        ${insertSummed("extents")} FROM fence, ${rowsOf(4, extentColumns)} RETURNING episode, bytes
      ), counted AS (
        DELETE FROM palestra.usage USING fence WHERE incarnation = $1 RETURNING owner, bytes
      ), used AS (
        INSERT INTO palestra.usage AS usage SELECT owner, 0, sum(bytes) FROM (
          SELECT owner, bytes FROM counted UNION ALL SELECT owner, bytes FROM extent JOIN palestra.episodes ON key = episode
        ) AS all_bytes GROUP BY owner ORDER BY owner ${addBytes}
      )
      SELECT EXISTS (SELECT 1 FROM fence) OR (SELECT settled FROM palestra.fences WHERE incarnation = $1) AS done`,
    values: [incarnation, indexed, last, rowsText(rows)],
  });
  return done?.done ?? true;
}

/** Returns the index of the pages after a page, by block: an extent never reaches from one block into another. */
async function unindexedSteps(
  session: Session,
  incarnation: number,
  indexed: number,
): Promise<{ steps: Map<number, UnindexedSteps>; last: number }> {
  const steps = new Map<number, UnindexedSteps>();
  let last = indexed;
  for await (const { page, ...stored } of pagesAfter(session, incarnation, indexed)) {
    const block = Math.floor(page / pagesPerBlock);
    const ofBlock = steps.get(block) ?? new UnindexedSteps();
    steps.set(block, ofBlock);
    addPage(ofBlock, page, pageFrom(checkedText(stored, `Page ${page}`)));
    last = page;
  }
  return { steps, last };
}

async function* pagesAfter(
  session: Session,
  incarnation: number,
  indexed: number,
): AsyncIterable<StoredText & { page: number }> {
  for (let after = indexed; ; ) {
    const pages = await session.runUntilAnswered<StoredText & { page: number }>({
      text: `SELECT page, lines AS text, sum FROM palestra.blocks JOIN palestra.pages
          ON page > $2 AND page BETWEEN block * ${pagesPerBlock} AND (block + 1) * ${pagesPerBlock} - 1
        WHERE incarnation = $1 AND (block + 1) * ${pagesPerBlock} > $2 ORDER BY page LIMIT ${chunk}`,
      values: [incarnation, after],
    });
    yield* pages;
    if (pages.length < chunk) return;
    after = (pages.at(-1) as { page: number }).page;
  }
}
