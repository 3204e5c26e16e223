/** Imports a thousand queries of Spider's kinds, and compares each with the same query in standard SQL. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EnginePool } from "#palestra/envs/sql/engine/pool.js";
import { databaseFiles, type ImportedQuestion, importsFolder, questionsFile } from "#palestra/envs/sql/imported.js";
import { judge } from "#palestra/envs/sql/judge.js";
import { setUpSql } from "#palestra/envs/sql/setup.js";
import { openGym, scratchDir } from "../../support/gym.js";
import { spiderLike } from "./spider-like.js";

process.env.XDG_DATA_HOME = scratchDir();
const { folder, pairs } = spiderLike(50);
const imported = join(importsFolder(), "spider");
const pool = new EnginePool(2, { queryMs: 20_000, memoryMb: 256 });
const { signal } = new AbortController();
let said: string;

beforeAll(async () => {
  said = await setUpSql({ from: folder, as: "spider" });
});
afterAll(() => pool.close());

describe("a thousand queries of Spider's kinds", () => {
  test("are all imported", () => {
    expect(new Set(pairs.map(({ query }) => query)).size).toBeGreaterThan(600);
    expect(said).toBe("split spider-dev: 1000 questions");
  });

  test("return the rows of the same queries with single quotes, whichever of the two is the gold query", async () => {
    const questions = JSON.parse(readFileSync(questionsFile(imported, "spider-dev"), "utf8")) as ImportedQuestion[];
    const wrong: string[] = [];
    for (const [at, { database, gold, ordered }] of questions.entries()) {
      const { reference } = pairs[at] as (typeof pairs)[0];
      const databases = databaseFiles(join(imported, "database"), database).map((file) => ({ file }));
      const judged = (asGold: string, sql: string) => {
        const problem = { question: "", family: "imported", difficulty: 3, gold: asGold, ordered };
        return judge(pool, { problem, schema: database, databases }, sql, signal);
      };
      const results = [await judged(gold, reference), await judged(reference, gold)];
      if (results.some(({ equal }) => !equal)) wrong.push(`${gold}: ${JSON.stringify(results)}`);
    }
    expect(wrong).toEqual([]);
  });

  test("are played with texts in double quotes, and whole numbers over 2^53 are shown exactly", async () => {
    const gym = await openGym();
    const index = pairs.findIndex(({ kind }) => kind === "count");
    const { episodeId } = await gym.create({ environment: "sql", task: { split: "spider-dev", index } });
    const act = (at: number, action: string) => gym.call("step", { episodeId, index: at, action });
    const shown = await act(
      0,
      'query SELECT "it works", "Name", 9007199254740993 AS big FROM person WHERE person_id = 2',
    );
    expect(shown.observation).toMatch(
      /^'it works' \| Name \| big\nit works \| [A-Z].* 2 \| 9007199254740993\n\(1 row\)$/,
    );
    expect(await act(1, `submit ${pairs[index]?.query}`)).toMatchObject({ reward: 1 });
  });
});
