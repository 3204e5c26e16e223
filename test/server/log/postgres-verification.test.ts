/** The verification of a log in PostgreSQL, also while a gym writes to the log. */
import { describe, expect, test } from "vitest";
import { verifyDatabase } from "#palestra/server/log/copy/postgres-verification.js";
import { copyOf, gymDatabase, missingDatabase } from "../../support/databases.js";
import { episodeRow } from "../../support/episode-row.js";
import { palestra } from "../../support/palestra.js";
import { postgresFolder, sql } from "../../support/postgres.js";
import { Rig } from "./postgres-rig.js";

/** A log with two episodes of 40 steps each, some of them on pages that both share, and a fork. */
async function playedLog(): Promise<{ url: string; rig: Rig }> {
  const url = await gymDatabase();
  const rig = await Rig.open({ url });
  for (const key of [1, 2]) await rig.call("createEpisode", episodeRow(key, { id: `ep-${key}-0` }), "{}");
  for (let index = 0; index < 40; index++)
    expect(
      await rig.append([
        [1, index],
        [2, index],
      ]),
    ).toBeNull();
  await rig.call("forkEpisode", episodeRow(3, { id: "ep-3-0" }), 1, 10);
  return { url, rig };
}

describe.skipIf(postgresFolder === null)("the check of a log in PostgreSQL", () => {
  test("finds no damage in an intact log, while its gym plays and afterwards", async () => {
    const { url, rig } = await playedLog();
    const intact = { episodes: 3, pages: 40, damages: [] };
    let parts = 0;
    expect(await verifyDatabase(url, (done, total) => (parts = done / total))).toEqual(intact);
    expect(parts).toBe(1);
    expect(await rig.append([[1, 40]])).toBeNull();
    await rig.close();
    await (await Rig.open({ url })).close();
    expect(await verifyDatabase(url)).toEqual({ ...intact, pages: 41 });
  });

  test("names each damaged part, and the episodes that need it", async () => {
    const { url, rig } = await playedLog();
    await rig.close();
    // The next gym has moved the index of all steps to the database.
    await (await Rig.open({ url })).close();
    const first = `(SELECT min(page) FROM palestra.pages)`;
    const damages: [sql: string, damages: object[]][] = [
      [
        `UPDATE palestra.pages SET lines = replace(lines, 'a0', 'b0') WHERE page = ${first}`,
        [{ part: "Page 1", episodes: ["ep-1-0", "ep-2-0", "ep-3-0"] }],
      ],
      [
        "UPDATE palestra.openings SET opening = '{ }' WHERE episode = 2",
        [{ part: "The reset result of episode 2", episodes: ["ep-2-0"] }],
      ],
      [
        "DELETE FROM palestra.openings WHERE episode = 2",
        [{ part: "The reset result of episode 2, which is missing", episodes: ["ep-2-0"] }],
      ],
      [
        "DELETE FROM palestra.pages WHERE page = 40",
        [1, 2].map((key) => ({ part: `The index of steps 0 to 39 of episode ${key}`, episodes: [`ep-${key}-0`] })),
      ],
      [
        `UPDATE palestra.extents SET places = '[' WHERE episode = 3`,
        [{ part: "The index of steps 10 to 9 of episode 3", episodes: ["ep-3-0"] }],
      ],
    ];
    for (const [damage, expected] of damages) {
      const copy = await copyOf(url);
      await sql(copy, damage);
      expect((await verifyDatabase(copy)).damages, damage).toEqual(expect.arrayContaining(expected));
    }
  });

  test("names a row with a changed character, and no read returns such a row", async () => {
    const { url, rig } = await playedLog();
    await rig.call("mark", 2, "closed", "");
    await rig.call("setAlias", { namespace: "maze", alias: 4, owner: "ada", episodeId: "ep-1-0" });
    await rig.close();
    const damages: [sql: string, part: RegExp, read: (damaged: Rig) => Promise<unknown>][] = [
      [
        "UPDATE palestra.episodes SET owner = 'adb' WHERE key = 1",
        /^The row of episode/,
        (log) => log.call("findEpisode", 1),
      ],
      [
        "UPDATE palestra.episodes SET seed = 8 WHERE key = 2",
        /^The row of episode/,
        (log) => log.call("listEpisodes", "ada", 9, 9),
      ],
      ["UPDATE palestra.marks SET kind = 'closec'", /^A mark of episode/, (log) => log.call("findEpisode", 2)],
      ["UPDATE palestra.marks SET episode = 1", /^A mark of episode/, (log) => log.call("findEpisode", 1)],
      [
        `UPDATE palestra.aliases SET "episodeId" = 'ep-2-0'`,
        /^The alias 4 of maze/,
        (log) => log.call("findAlias", "maze", 4),
      ],
      [
        `UPDATE palestra.extents SET places = replace(places, '4096', '4097') WHERE episode = 3`,
        /^The index of steps/,
        (log) => log.call("readSteps", 3, 0, 9),
      ],
    ];
    for (const [damage, part, read] of damages) {
      const copy = await copyOf(url);
      await sql(copy, damage);
      expect((await verifyDatabase(copy)).damages, damage).toContainEqual(
        expect.objectContaining({ part: expect.stringMatching(part) }),
      );
      const damaged = await Rig.open({ url: copy });
      await expect(read(damaged), damage).rejects.toMatchObject({
        code: "LOG_CORRUPT",
        message: expect.stringMatching(part),
      });
      // A changed time would remove an episode too early.
      if (damage.includes("episodes")) expect(await damaged.call("prune", Date.now(), [], 9)).toBe(2);
      await damaged.close();
    }
  });

  test("by the command reports its result as text, as JSON and as exit code", async () => {
    const { url } = await playedLog();
    const intact = await palestra(["--log", url, "log", "verify"]);
    expect(intact).toMatchObject({ code: 0, stdout: "The log is intact: 3 episodes, 40 pages of steps.\n" });
    await sql(url, "UPDATE palestra.pages SET sum = sum + 1 WHERE page = 7");
    const damaged = await palestra(["--log", url, "log", "verify"]);
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toContain("Page 7: ep-1-0, ep-2-0");
    expect(damaged.stdout).toContain("Restore a backup.");
    const json = await palestra(["--log", url, "log", "verify", "--json"]);
    expect(JSON.parse(json.stdout).damages[0]).toMatchObject({ part: "Page 7" });
    const absent = await palestra(["--log", (await missingDatabase()).replace("@", ":secret@"), "log", "verify"]);
    expect(absent.code).toBe(1);
    expect(absent.stderr).toContain('database "nothing" does not exist');
    expect(absent.stderr).not.toContain("secret");
  });
});
