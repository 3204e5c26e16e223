/**
 * Damage in the files of PostgreSQL's tables and indexes. Each read of the gym returns the written data, or fails with
 * the reason. If PostgreSQL keeps checksums of its pages, every loss is also reported.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { verifyDatabase } from "#palestra/server/log/copy/postgres-verification.js";
import type { AliasRow, EpisodeRow } from "#palestra/server/log/records/protocol.js";
import { episodeRow } from "../../support/episode-row.js";
import { createDatabase, newName, PostgresServer, postgresFolder } from "../../support/postgres.js";
import { Rig } from "./postgres-rig.js";

const [trials, episodes, steps] = [40, 12, 8];
const pageBytes = 8_192;

const rows = Array.from({ length: episodes }, (_, i): EpisodeRow => {
  return episodeRow(i + 1, { id: `ep-${i + 1}-0`, seed: 900 + i, options: `{"level":"number ${i}"}` });
});
const aliasOf = ({ key, id }: EpisodeRow): AliasRow => ({ namespace: "maze", alias: key, owner: "ada", episodeId: id });

async function record(url: string): Promise<void> {
  const rig = await Rig.open({ url });
  for (const row of rows) {
    await rig.call("createEpisode", row, `{"observation":"start of ${row.id}"}`);
    await rig.call("setAlias", aliasOf(row));
    if (row.key % 3 === 0) await rig.call("mark", row.key, "closed", "");
  }
  for (let index = 0; index < steps; index++)
    expect(await rig.append(rows.map(({ key }) => [key, index, `action ${index} of ${key}`] as const))).toBeNull();
  await rig.close();
  // The next gym moves the index of all steps to the database.
  await (await Rig.open({ url })).close();
}

type Part = readonly [expected: unknown, read: () => Promise<unknown>];

function partsOf(rig: Rig): Part[] {
  return rows.flatMap((row): Part[] => {
    const { key } = row;
    const state = async () => {
      const found = await rig.call("findEpisode", key);
      return found && [found.row, found.steps, found.phase];
    };
    const actions = async () => (await rig.call("readSteps", key, 0, 99)).map(({ action }) => action);
    return [
      [[row, steps, key % 3 === 0 ? "closed" : "running"], state],
      [`{"observation":"start of ${row.id}"}`, () => rig.call("readResetResult", key)],
      [Array.from({ length: steps }, (_, index) => `action ${index} of ${key}`), actions],
      [aliasOf(row), () => rig.call("findAlias", "maze", key)],
    ];
  });
}

type Outcome = "refused" | "told" | "whole";

async function outcomeOf(url: string, about: string): Promise<Outcome> {
  let rig: Rig;
  try {
    rig = await Rig.open({ url });
  } catch (error) {
    expect(error, about).toMatchObject({ code: expect.stringMatching(/^LOG_/) });
    return "refused";
  }
  let outcome: Outcome = "whole";
  for (const [expected, read] of partsOf(rig)) {
    try {
      const found = await read();
      if (found === null) outcome = "told";
      else expect(found, about).toEqual(expected);
    } catch (error) {
      if ((error as Error).name === "AssertionError") throw error;
      expect(error, about).toMatchObject({ code: expect.stringMatching(/^LOG_/) });
      outcome = "told";
    }
  }
  await rig.close();
  return outcome;
}

/** Damages the bytes of a file, and returns whether it found something to damage. */
type Damage = (bytes: Buffer, random: MersenneTwister) => boolean;
const somewhere = (length: number, random: MersenneTwister) => Math.floor(random.random() * length);

const anywhere: Damage = (bytes, random) => {
  const at = somewhere(bytes.length, random);
  const kind = somewhere(3, random);
  if (kind === 0) bytes[at] = (bytes[at] as number) ^ (1 << somewhere(8, random));
  if (kind === 1) bytes.fill(0x5a, at, at + 16);
  // PostgreSQL reads a page of zeros as a new, empty page.
  if (kind === 2) bytes.fill(0x55, at - (at % pageBytes), at - (at % pageBytes) + pageBytes);
  return true;
};

/** Changes a letter or digit of a row's text. */
const ofText: Damage = (bytes, random) => {
  const texts = ["ada", "maze@1", '"level":"number', "closed", "action", "start of", "ep-", "[4096,"];
  const places = texts.flatMap((text) => {
    const found: number[] = [];
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
      found.push(at + somewhere(text.length, random));
    return found;
  });
  const at = places[somewhere(places.length, random)];
  if (at === undefined) return false;
  bytes[at] = (bytes[at] as number) ^ 1;
  return true;
};

/** Damages one file, from a random one on the first that has something to damage. */
function damageOne(paths: readonly string[], damage: Damage, random: MersenneTwister): void {
  const first = somewhere(paths.length, random);
  for (const path of [...paths.slice(first), ...paths.slice(0, first)]) {
    const bytes = readFileSync(path);
    if (damage(bytes, random)) return writeFileSync(path, bytes);
  }
  throw new Error("expected a file to damage, but found none");
}

describe.skipIf(postgresFolder === null)("damage in the files of PostgreSQL", () => {
  test.for([
    ["on", "changed bits, bytes and pages", anywhere, ["--data-checksums"]],
    ["off", "changed characters", ofText, []],
  ] as const)(
    "gives no false data and no silent loss with checksums of pages: %s and %s",
    { timeout: 600_000 },
    async ([sums, kind, damage, making]) => {
      const server = await PostgresServer.start(making);
      const original = await server.createDatabase();
      await record(original);
      const template = new URL(original).pathname.slice(1);
      const urls: string[] = [];
      for (let trial = 0; trial < trials; trial++)
        urls.push(await createDatabase(server.urlOf("postgres"), newName(), template));
      const files = await Promise.all(urls.map((url) => filesOf(server, url)));
      await server.stop();
      for (const [trial, paths] of files.entries()) {
        damageOne(paths, damage, new MersenneTwister(trial));
      }
      await server.begin();
      const outcomes = { refused: 0, told: 0, whole: 0 };
      for (const [trial, url] of urls.entries()) {
        const about = `checksums ${sums}, trial ${trial}`;
        const { damages } = await verifyDatabase(url);
        const outcome = await outcomeOf(url, about);
        outcomes[outcome] += 1;
        // Reads use indexes that a verification does not need.
        if (outcome !== "whole" && sums === "off") expect(damages, about).not.toEqual([]);
      }
      console.info(`checksums of pages ${sums}, ${kind}: ${JSON.stringify(outcomes)}`);
      expect(outcomes.told + outcomes.refused).toBeGreaterThan(trials / 8);
    },
  );

  test("can go unnoticed without checksums, so the gym prints a warning", async () => {
    const server = await PostgresServer.start();
    const rig = await Rig.open({ url: await server.createDatabase() });
    expect(rig.log.warning).toMatch(/^PostgreSQL has no checksums of its pages, .*`pg_checksums --enable`$/);
  });
});

/** Returns the files of the log's tables and indexes that are not empty. */
async function filesOf(server: PostgresServer, url: string): Promise<string[]> {
  const found = await server.sql<{ path: string }>(
    url,
    `SELECT pg_relation_filepath(c.oid) AS path FROM pg_class c
      WHERE (relnamespace = 'palestra'::regnamespace OR c.oid IN (SELECT reltoastrelid FROM pg_class
        WHERE relnamespace = 'palestra'::regnamespace)) AND relkind IN ('r', 'i', 't') AND pg_relation_size(c.oid) > 0`,
  );
  return found.map(({ path }) => join(server.data, path));
}
