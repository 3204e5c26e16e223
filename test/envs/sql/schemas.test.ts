/** The shape of the schemas and word lists of generated databases. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type SchemaFile, schemaNames, schemaOf } from "#palestra/envs/sql/schemas/index.js";
import { wordLists } from "#palestra/envs/sql/schemas/words.js";
import { distinct, testDataFiles } from "../../support/data-shapes.js";
import { root } from "../../support/tracked-files.js";

const share = z.number().min(0).max(1);
const common = { name: z.string().regex(/^[a-z_]+$/), nulls: share.exactOptional() };
const column = z.discriminatedUnion("kind", [
  z.strictObject({ ...common, kind: z.literal("ref"), table: z.string(), without: share }),
  z.strictObject({ ...common, kind: z.literal("integer"), low: z.int(), high: z.int(), skewed: z.boolean() }),
  z.strictObject({ ...common, kind: z.literal("real"), low: z.number(), high: z.number(), decimals: z.int() }),
  z.strictObject({ ...common, kind: z.literal("date"), from: z.iso.date(), to: z.iso.date() }),
  z.strictObject({ ...common, kind: z.literal("choice"), values: distinct }),
  z.strictObject({ ...common, kind: z.literal("text"), pattern: z.string() }),
]);
const schema = z.strictObject({
  name: z.enum(schemaNames),
  about: z.string(),
  tables: z.array(
    z.strictObject({ one: z.string(), many: z.string(), rows: z.tuple([z.int(), z.int()]), columns: z.array(column) }),
  ),
}) satisfies z.ZodType<SchemaFile>;

const folder = "envs/sql/data/schemas";
const read = (name: string) => () => JSON.parse(readFileSync(`${root}/${folder}/${name}.json`, "utf8"));

describe("the data of sql", () => {
  testDataFiles(folder, Object.fromEntries(schemaNames.map((name) => [`${name}.json`, [read(name), schema]])));

  test("envs/sql/data/words.json has its shape", () => {
    expect(z.record(z.string(), distinct).safeParse(wordLists()).error).toBeUndefined();
  });

  test.each(schemaNames)("%s references earlier tables and has word lists for its patterns", (name) => {
    const earlier: string[] = [];
    const lists = [...Object.keys(wordLists()), "digits", "letter"];
    for (const table of schemaOf(name).tables) {
      for (const { make } of table.columns) {
        if (make.kind === "ref") expect(earlier).toContain(make.table);
        if (make.kind === "text")
          for (const [, list] of make.pattern.matchAll(/\{(\w+)\}/g)) expect(lists).toContain(list);
      }
      earlier.push(table.name);
    }
  });
});
