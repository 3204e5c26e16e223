/**
 * The life of a gym in the database, from its start to its end. An incarnation that has ended is fenced: from then on, its
 * transactions give nothing. Then another gym indexes the steps that it had indexed in memory only.
 */
import { checkedText, type StoredText } from "../damage.js";
import { UnindexedSteps } from "../unindexed-steps.js";
import { addPage, extentRows, pageFrom } from "./extents.js";
import { tellingFleet } from "./fleet-map.js";
import { pagesPerBlock } from "./schema.js";
import type { Session } from "./session.js";
import { addBytes, extentColumns, listOf, rowsOf } from "./sql.js";

/** Number of pages that are read at a time. */
const chunk = 64;

/** Begins an incarnation, and ends all others. Returns its number. */
export async function beginAlone(session: Session): Promise<number> {
  // A repeated attempt may leave an incarnation that nobody uses, which the next statement ends.
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

/** Fences an incarnation. Waits for a transaction that the database still carries out for it. */
export async function fence(session: Session, incarnation: number, givenUpAt?: number): Promise<void> {
  await session.runUntilAnswered(
    { text: "UPDATE palestra.fences SET live = false WHERE incarnation = $1 AND live", values: [incarnation] },
    givenUpAt,
  );
}

/** Indexes the newest steps of all incarnations that have ended, and takes their shards from them. */
export async function settleEnded(session: Session, givenUpAt?: number): Promise<void> {
  const ended = await session.runUntilAnswered<Ended>(
    { text: "SELECT incarnation, indexed FROM palestra.fences WHERE NOT live AND NOT settled ORDER BY incarnation" },
    givenUpAt,
  );
  for (const each of ended) await settle(session, each);
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

interface Ended {
  incarnation: number;
  indexed: number;
}

/** Moves the index of an ended incarnation's newest steps to `extents`. */
async function settle(session: Session, { incarnation, indexed }: Ended): Promise<void> {
  const steps = new UnindexedSteps();
  let last = indexed;
  for await (const { page, ...stored } of pagesAfter(session, incarnation, indexed)) {
    addPage(steps, page, pageFrom(checkedText(stored, `Page ${page}`)));
    last = page;
  }
  await session.runUntilAnswered({
    text: `WITH fence AS (
        UPDATE palestra.fences SET settled = true, indexed = $2
          WHERE incarnation = $1 AND NOT live AND NOT settled RETURNING 1
      ), extent AS (
        INSERT INTO palestra.extents (${listOf(extentColumns)})
          SELECT r.* FROM fence, ${rowsOf(3, extentColumns)} RETURNING episode, bytes
      ), counted AS (
        DELETE FROM palestra.usage USING fence WHERE incarnation = $1 RETURNING owner, bytes
      )
      INSERT INTO palestra.usage AS usage SELECT owner, 0, sum(bytes) FROM (
        SELECT owner, bytes FROM counted UNION ALL SELECT owner, bytes FROM extent JOIN palestra.episodes ON key = episode
      ) AS all_bytes GROUP BY owner ${addBytes}`,
    values: [incarnation, last, JSON.stringify(extentRows(steps))],
  });
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
