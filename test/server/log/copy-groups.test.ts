/** Reads of a log in PostgreSQL that has many small pages before large ones: each read returns some megabytes. */
import { join } from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { copyLog } from "#palestra/server/log/copy/copy.js";
import { verifyDatabase } from "#palestra/server/log/copy/postgres-verification.js";
import { checksum } from "#palestra/server/log/records/damage.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { verifyLog } from "#palestra/server/log/sqlite/verify.js";
import { emptyDatabase, gymDatabase } from "../../support/databases.js";
import { episodeRow } from "../../support/episode-row.js";
import { scratchDir } from "../../support/gym.js";
import { postgresFolder } from "../../support/postgres.js";
import { Rig } from "./postgres-rig.js";

/** Number of small rows, and of the large rows after them. */
const [small, large] = [3_000, 8];
const largeCharacters = 3_000_000;

/** Largest number of characters that a read may return. */
const mostCharacters = 2 ** 22;

const sizeOf = (i: number) => (i <= small ? 10 : largeCharacters);

function pageText(index: number, characters: number): string {
  const page = new StepPageWriter();
  page.add(1, index, "look", JSON.stringify({ observation: "x".repeat(characters) }), 0);
  return page.take().lines;
}

/** Adds small pages and reset results, and large ones after them. */
async function addRows(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("BEGIN");
    for (let i = 2; i <= small + large; i++) {
      const lines = pageText(i - 1, sizeOf(i));
      await client.query("INSERT INTO palestra.pages (page, lines, sum) VALUES ($1, $2, $3)", [
        i,
        lines,
        checksum(lines),
      ]);
    }
    const keys = `generate_series(2, ${small + large}) AS added (key)`;
    const others = Object.keys(episodeRow(1)).filter((name) => !["key", "id"].includes(name));
    const columns = others.map((name) => `"${name}"`).join(", ");
    await client.query(
      `INSERT INTO palestra.episodes (key, id, ${columns})
        SELECT added.key, 'ep-' || added.key, ${columns} FROM palestra.episodes AS first, ${keys}
        WHERE first.key = 1`,
    );
    for (const characters of [10, largeCharacters]) {
      const text = JSON.stringify({ observation: "x".repeat(characters) });
      const [from, to] = characters === 10 ? [2, small] : [small + 1, small + large];
      const insert =
        "INSERT INTO palestra.openings SELECT key, $1, $2 FROM generate_series($3::bigint, $4::bigint) AS key";
      await client.query(insert, [text, checksum(text), from, to]);
    }
    // The steps of the pages are indexed only in memory, as after the kill of a gym.
    await client.query("UPDATE palestra.fences SET settled = false");
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/**
 * Measures the results of all statements of this process. Returns a function that returns the characters of the largest
 * one.
 */
function measureResults(): () => number {
  let largest = 0;
  const query = pg.Client.prototype.query as (...args: unknown[]) => Promise<pg.QueryResult>;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(async function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const result = await query.apply(this, args);
    const texts = result.rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "string");
    largest = Math.max(
      largest,
      texts.reduce((sum, text) => sum + text.length, 0),
    );
    return result;
  } as never);
  onTestFinished(() => spy.mockRestore());
  return () => largest;
}

describe.skipIf(postgresFolder === null)("a log whose large rows follow small ones", () => {
  test("is copied and checked in reads of some megabytes", async () => {
    const url = await gymDatabase();
    const rig = await Rig.open({ url });
    await rig.call("createEpisode", episodeRow(1), "{}");
    expect(await rig.append([[1, 0]])).toBeNull();
    await rig.close();
    await addRows(url);
    const measured = measureResults();
    const to = join(scratchDir(), "episodes.db");
    const size = { episodes: small + large, pages: small + large };
    expect(await copyLog({ url }, { path: to })).toMatchObject({ ...size, steps: small + large });
    expect(measured(), "of a copy from PostgreSQL").toBeLessThan(mostCharacters);
    expect(await verifyDatabase(url)).toEqual({ ...size, damages: [] });
    expect(measured(), "of a check").toBeLessThan(mostCharacters);
    expect(verifyLog(to)).toEqual({ ...size, damages: [] });
    const copy = await emptyDatabase();
    expect(await copyLog({ path: to }, { url: copy })).toMatchObject({ ...size, steps: small + large });
    expect(measured(), "of a copy to PostgreSQL").toBeLessThan(mostCharacters);
    expect(await verifyDatabase(copy)).toEqual({ ...size, damages: [] });
  });
});
