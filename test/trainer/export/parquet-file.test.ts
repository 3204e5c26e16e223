/** A Parquet file appears only once it is complete. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ParquetFile } from "#palestra/trainer/export/parquet-file.js";
import { scratch } from "../../support/serving.js";

test("an abandoned file leaves nothing behind", async () => {
  const folder = scratch();
  const file = ParquetFile.open(join(folder, "chats.parquet"), "openai");
  expect(readdirSync(folder)).toHaveLength(1);
  await file.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test("a file gets its name once it is complete", async () => {
  const folder = scratch();
  const path = join(folder, "chats.parquet");
  const file = ParquetFile.open(path, "openai");
  expect(readdirSync(folder)).not.toContain("chats.parquet");
  await file.end();
  expect(readdirSync(folder)).toEqual(["chats.parquet"]);
  expect(readFileSync(path).subarray(0, 4).toString()).toBe("PAR1");
});
