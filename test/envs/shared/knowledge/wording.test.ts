/** The shape of the sentences of the pages. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { knowledgeGraph } from "#palestra/envs/shared/knowledge/graph.js";
import { type PageWording, type Wording, wordings } from "#palestra/envs/shared/knowledge/wording.js";
import { sentences, testDataFiles } from "../../../support/data-shapes.js";
import { root } from "../../../support/tracked-files.js";

const wording = z.strictObject({
  property: z.string(),
  says: sentences("s", "v", "n"),
  many: sentences("s", "v", "n").exactOptional(),
  write: z.enum(["plain", "offset", "quoted"]).exactOptional(),
  amount: z.string().exactOptional(),
  atMost: z.int().positive().exactOptional(),
  sortedBy: z.string().exactOptional(),
  unless: z.array(z.union([z.number(), z.string()])).exactOptional(),
}) satisfies z.ZodType<Wording>;

const pages = z.array(
  z.strictObject({
    kind: z.string(),
    pronouns: sentences(),
    paragraphs: z.array(z.array(wording).min(1)).min(1),
  }) satisfies z.ZodType<PageWording>,
);

const folder = "envs/shared/knowledge/data/wording";
const read = (name: string) => () => JSON.parse(readFileSync(`${root}/${folder}/${name}`, "utf8"));

describe("the sentences of the pages", () => {
  testDataFiles(
    folder,
    Object.fromEntries(
      ["minecraft.json", "places.json", "science.json", "world.json"].map((name) => [name, [read(name), pages]]),
    ),
  );

  test("each kind of the graph has sentences, and no other kind", () => {
    expect([...wordings().keys()].sort()).toEqual([...knowledgeGraph().kinds].sort());
  });

  test("each property has its sentences once, and an entity with it", () => {
    for (const { kind, paragraphs } of wordings().values()) {
      const properties = paragraphs.flat().map(({ property }) => property);
      const known = new Set(
        knowledgeGraph()
          .of(kind)
          .flatMap(({ attributes, relations }) => [...Object.keys(attributes), ...Object.keys(relations)]),
      );
      expect(properties.filter((property, at) => properties.indexOf(property) !== at)).toEqual([]);
      expect(properties.filter((property) => !known.has(property))).toEqual([]);
    }
  });
});
