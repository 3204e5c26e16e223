/**
 * Partitions of the table of pages. A partition has the pages of about a day: a gym takes a new block of page numbers each
 * day, and the first block of a day begins a new partition. Once no episode needs any of its pages, the partition is
 * dropped, which takes the same time for any number of pages and leaves nothing to vacuum.
 */

import { trialBytes } from "../../records/step-page.js";
import type { PageRange } from "../../sqlite/unneeded-pages.js";
import type { Readers } from "./readers.js";
import { makingTables, pagesPerBlock } from "./schema.js";
import { type Statement, StatementRefused } from "./session.js";

const dayMs = 86_400_000;

/** Milliseconds after which a gym takes a new block. */
export const blockMs = dayMs;

/** Largest number of freed ranges that are read at a time. */
const rangesAtOnce = 256;

const blocksPerPartition = 4_096;
const pagesPerPartition = blocksPerPartition * pagesPerBlock;

/**
 * Retention in milliseconds from which on freed pages stay until their partition is dropped, at most two days later.
 */
const longRetentionMs = 8 * dayMs;

/** SQLSTATE of a statement that waited too long for a lock. */
const lockNotAvailable = "55P03";

export function partitionOf(page: number): number {
  return Math.floor(page / pagesPerPartition);
}

/** Marks the partitions of a copied log, each of which may have the pages of several days. */
export const ageAllPartitions = `UPDATE palestra.partitions SET "openedAt" = '-infinity'`;

/**
 * Statements of a migration: the existing pages become the first partition.
 *
 * `open_block` gives a gym a block of page numbers. `drop_partition` drops a partition if no gym writes into it and no
 * episode needs its pages. It returns whether the partition was dropped. It gives up while another transaction has
 * locked the table of pages, since later statements would wait behind it.
 */
export const partitionTables = `
  ALTER TABLE palestra.pages RENAME TO pages_0;
  ALTER INDEX palestra.pages_pkey RENAME TO pages_0_pkey;
  CREATE TABLE palestra.pages (page bigint PRIMARY KEY, lines text NOT NULL, sum bigint NOT NULL, "atMs" bigint)
    PARTITION BY RANGE (page);
  ALTER TABLE palestra.pages ALTER COLUMN lines SET STORAGE EXTERNAL;
  ALTER TABLE palestra.pages ATTACH PARTITION palestra.pages_0 FOR VALUES FROM (0) TO (${pagesPerPartition});
  CREATE TABLE palestra.partitions (
    partition bigint PRIMARY KEY, "openedAt" timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  INSERT INTO palestra.partitions VALUES (0);

  CREATE FUNCTION palestra.open_partition(number bigint) RETURNS void LANGUAGE plpgsql AS $body$
    BEGIN
      EXECUTE format('CREATE TABLE palestra.pages_%s (LIKE palestra.pages INCLUDING ALL)', number);
      EXECUTE format('ALTER TABLE palestra.pages ATTACH PARTITION palestra.pages_%s FOR VALUES FROM (%s) TO (%s)',
        number, number * ${pagesPerPartition}, (number + 1) * ${pagesPerPartition});
      INSERT INTO palestra.partitions VALUES (number);
    END $body$;

  CREATE FUNCTION palestra.open_block(gym bigint) RETURNS bigint LANGUAGE plpgsql AS $body$
    DECLARE
      newest palestra.partitions;
      opened bigint;
    BEGIN
      PERFORM pg_advisory_xact_lock(${makingTables});
      SELECT * INTO newest FROM palestra.partitions ORDER BY partition DESC LIMIT 1;
      opened := greatest(nextval(pg_get_serial_sequence('palestra.blocks', 'block')), newest.partition * ${blocksPerPartition});
      IF opened >= (newest.partition + 1) * ${blocksPerPartition} OR newest."openedAt" < clock_timestamp() - interval '1 day' THEN
        PERFORM palestra.open_partition(newest.partition + 1);
        opened := (newest.partition + 1) * ${blocksPerPartition};
      END IF;
      PERFORM setval(pg_get_serial_sequence('palestra.blocks', 'block'), opened);
      INSERT INTO palestra.blocks (block, incarnation) OVERRIDING SYSTEM VALUE VALUES (opened, gym);
      RETURN opened;
    END $body$;

  CREATE FUNCTION palestra.drop_partition(number bigint) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '200ms' AS $body$
    DECLARE
      numbers int8range := int8range(number * ${pagesPerPartition}, (number + 1) * ${pagesPerPartition});
      ofBlocks int8range := int8range(number * ${blocksPerPartition}, (number + 1) * ${blocksPerPartition});
    BEGIN
      PERFORM pg_advisory_xact_lock(${makingTables});
      IF number >= (SELECT max(partition) FROM palestra.partitions)
        OR NOT EXISTS (SELECT 1 FROM palestra.partitions WHERE partition = number)
        OR EXISTS (SELECT 1 FROM palestra.blocks JOIN palestra.fences USING (incarnation) LEFT JOIN palestra.indexed USING (incarnation)
          WHERE block <@ ofBlocks AND NOT settled AND coalesce(page, 0) < upper(numbers))
        OR EXISTS (SELECT 1 FROM palestra.extents WHERE int8range("firstPage", "lastPage", '[]') && numbers)
      THEN RETURN false; END IF;
      EXECUTE format('DROP TABLE palestra.pages_%s', number);
      DELETE FROM palestra.partitions WHERE partition = number;
      DELETE FROM palestra.blocks WHERE block <@ ofBlocks;
      DELETE FROM palestra.freed WHERE "firstPage" <@ numbers;
      RETURN true;
    END $body$;`;

/**
 * Stores a page and removes it again, to find out whether the database has room. No page of steps has the first number
 * of a partition.
 */
export const trialPage: Statement = {
  text: `DO $body$
    BEGIN
      INSERT INTO palestra.pages
        SELECT max(partition) * ${pagesPerPartition}, repeat(E'\\n', ${trialBytes}), 0, NULL FROM palestra.partitions;
      RAISE SQLSTATE 'PT001';
    EXCEPTION WHEN SQLSTATE 'PT001' THEN
    END $body$`,
};

/** Drops the partitions whose pages no episode needs. */
export async function dropPartitions(readers: Readers): Promise<void> {
  const partitions = await readers.run<{ partition: number }>({
    text: "SELECT partition FROM palestra.partitions ORDER BY partition",
  });
  for (const { partition } of partitions.slice(0, -1)) {
    try {
      await readers.runLong({ text: "SELECT palestra.drop_partition($1)", values: [partition] });
    } catch (error) {
      // Another transaction has the table of pages locked, such as one of pg_dump. The next removal tries again.
      if (error instanceof StatementRefused && error.code === lockNotAvailable) return;
      throw error;
    }
  }
}

/**
 * Returns ranges of freed pages to remove now. Other freed pages stay until their partition is dropped. A partition of
 * several days, such as that of a copied log, would be dropped too late for its first pages.
 *
 * @param retentionMs time for which episodes are kept
 */
export function freedRanges(readers: Readers, retentionMs: number): Promise<PageRange[]> {
  const isLong = retentionMs >= longRetentionMs;
  return readers.run({
    text: `SELECT DISTINCT "firstPage", "lastPage" FROM palestra.freed WHERE NOT $1 OR NOT EXISTS (
        SELECT 1 FROM palestra.partitions own JOIN palestra.partitions next ON own.partition = next.partition - 1
          WHERE own.partition = "firstPage" / ${pagesPerPartition}
            AND next."openedAt" > clock_timestamp() - make_interval(secs => $2) - interval '1 day'
            AND own."openedAt" >= next."openedAt" - interval '2 days')
      ORDER BY "firstPage", "lastPage" LIMIT ${rangesAtOnce}`,
    values: [isLong, isLong ? Math.min(retentionMs / 1_000, 1e10) : 0],
  });
}
