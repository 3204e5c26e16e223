/** The shape of the wordings of questions, and the graph's properties that they name. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { knowledgeGraph } from "#palestra/envs/shared/knowledge/graph.js";
import {
  type AttributeWords,
  attributes,
  type KindWords,
  kinds,
  type RelationWords,
  relations,
  territories,
} from "#palestra/envs/shared/synthesis/lexicon.js";
import { distinct, sentences, testDataFiles } from "../../../support/data-shapes.js";

const withPhrase = sentences("").refine(
  (texts) => texts.every((text) => text.split("{}").length === 2),
  "expected `{}` once",
);

const attribute = z.strictObject({
  ask: z.union([withPhrase, z.tuple([])]),
  test: withPhrase.exactOptional(),
  most: z.string().exactOptional(),
  least: z.string().exactOptional(),
  more: z.string().exactOptional(),
  fewer: z.string().exactOptional(),
  query: z.string(),
  write: z.enum(["date", "plain"]).exactOptional(),
}) satisfies z.ZodType<AttributeWords>;

const relation = z.strictObject({
  to: z.string(),
  back: z.string().exactOptional(),
  one: withPhrase.exactOptional(),
  many: withPhrase.exactOptional(),
  test: withPhrase.exactOptional(),
  count: withPhrase.exactOptional(),
  query: z.string(),
}) satisfies z.ZodType<RelationWords>;

const kind = z.strictObject({ noun: z.string(), plural: z.string() }) satisfies z.ZodType<KindWords>;

describe("the wordings of questions", () => {
  testDataFiles("envs/shared/synthesis/data/lexicon", {
    "attributes.json": [attributes, z.record(z.string(), attribute)],
    "kinds.json": [kinds, z.record(z.string(), kind)],
    "relations.json": [relations, z.record(z.string(), relation)],
    "territories.json": [() => [...territories()], distinct],
  });

  test("each attribute is one of the graph", () => {
    const known = knowledgeGraph().entities.flatMap((one) =>
      Object.keys(one.attributes).map((at) => `${one.kind}.${at}`),
    );
    expect(Object.keys(attributes()).filter((name) => !known.includes(name))).toEqual([]);
  });

  test("each relation leads to its kind in the graph, and back", () => {
    const graph = knowledgeGraph();
    const edges = graph.entities.flatMap(({ kind: from, relations: known }) =>
      Object.entries(known).flatMap(([name, targets]) =>
        targets.map(({ to }) => `${from}.${name} ${graph.get(to).kind}`),
      ),
    );
    const known = new Set(edges);
    for (const [name, { to, back }] of Object.entries(relations())) {
      const [from] = name.split(".");
      expect(known).toContain(`${name} ${to}`);
      if (back !== undefined) expect(known).toContain(`${to}.${back} ${from}`);
    }
  });

  test("each territory is a country of the graph", () => {
    const codes = knowledgeGraph()
      .of("country")
      .map((country) => country.attributes.code);
    expect([...territories()].filter((code) => !codes.includes(code))).toEqual([]);
  });
});
