import { describe, expect, test } from "vitest";
import { archivedOf, archivePages } from "#palestra/envs/shared/knowledge/archive.js";
import { knowledgeGraph } from "#palestra/envs/shared/knowledge/graph.js";
import { numberText } from "#palestra/envs/shared/knowledge/names.js";
import { allPages, pageLines, pageOf } from "#palestra/envs/shared/knowledge/pages.js";
import { paragraphsOf } from "#palestra/envs/shared/knowledge/statements.js";

const graph = knowledgeGraph();
const pages = allPages(graph);
const byId = new Map(pages.map((page) => [page.id, page]));
const textOf = (id: string) => byId.get(id)?.text ?? "";

describe("the knowledge graph", () => {
  test("has more than 5,000 entities with unique ids and titles", () => {
    expect(graph.entities.length).toBeGreaterThan(5_000);
    expect(new Set(graph.entities.map(({ id }) => id)).size).toBe(graph.entities.length);
    expect(new Set(graph.entities.map(({ title }) => title.toLowerCase())).size).toBe(graph.entities.length);
  });

  test.each([
    ["country/austria", "capital", "city/vienna"],
    ["city/vienna", "capitalOf", "country/austria"],
    ["country/france", "borders", "country/spain"],
    ["country/japan", "currency", "currency/japanese-yen"],
    ["airport/lhr", "city", "city/london-england-gb"],
    ["element/cobalt", "next", "element/nickel"],
    ["element/cobalt", "group", "group/9"],
    ["star/vega", "constellation", "constellation/lyra"],
    ["messier/m31", "type", "skytype/spiral-galaxy"],
    ["item/cake", "ingredient", "item/egg"],
    ["mob/creeper", "drops", "item/gunpowder"],
    ["item/gunpowder", "droppedBy", "mob/ghast"],
    ["country/norway", "memberOf", "organisation/nordic-council"],
    ["city/graz", "timezone", "timezone/europe-vienna"],
  ])("%s has %s %s", (id, relation, target) => {
    expect(graph.related(id, relation).map((entity) => entity.id)).toContain(target);
  });

  test.each([
    ["element/gold", "number", 79],
    ["country/germany", "callingCode", "+49"],
    ["airport/cdg", "icao", "LFPG"],
    ["item/apple", "food", 4],
    ["country/nepal", "highestPoint", "Mount Everest"],
    ["enchantment/sharpness", "levels", 5],
  ])("%s has %s %s", (id, attribute, value) => {
    expect(graph.get(id).attributes[attribute]).toBe(value);
  });

  test("states every land border from both sides", () => {
    const oneSided = graph
      .of("country")
      .flatMap(({ id }) => graph.related(id, "borders").map((other) => ({ id, other })))
      .filter(({ id, other }) => !graph.related(other.id, "borders").some((back) => back.id === id));
    expect(oneSided).toEqual([]);
  });

  test("refuses an unknown id", () => {
    expect(() => graph.get("country/atlantis")).toThrow(
      'expected the id of an entity, but received "country/atlantis"',
    );
  });
});

describe("the pages", () => {
  test("have unique ids and titles, and no dead links", () => {
    expect(byId.size).toBe(pages.length);
    expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
    expect(pages.flatMap(({ links }) => links).filter(({ id, title }) => byId.get(id)?.title !== title)).toEqual([]);
  });

  test("state facts in sentences that end with a full stop and have no unfilled placeholders", () => {
    const broken = graph.entities
      .flatMap((entity) => paragraphsOf(entity, graph).flat())
      .filter(({ text }) => !/^\S.*\.$/s.test(text) || /\{\w*\}|undefined|NaN|#|\s{2}/.test(text));
    expect(broken).toEqual([]);
  });

  test("describe a country at length", () => {
    expect(textOf("country/austria")).toContain("Liechtenstein (34 km)");
    expect(textOf("country/austria").length).toBeGreaterThan(1_500);
  });

  test("are the same at every call", () => {
    expect(pageOf(graph.get("city/graz"), graph)).toEqual(byId.get("city/graz"));
    expect([...pageLines(pages.slice(0, 3))]).toEqual([...pageLines(allPages(graph).slice(0, 3))]);
  });

  test("mark every archived figure as superseded, and correct it to the real one", () => {
    const archived = archivedOf(graph);
    expect(archived.length).toBeGreaterThan(300);
    for (const record of archived) {
      const [older, newer] = archivePages(record);
      expect(older.text).toContain("superseded");
      expect(newer.text).toContain("withdrawn");
      expect(newer.statement).toContain(numberText(record.current));
      expect(record.superseded).not.toBe(record.current);
      expect(textOf(record.entity.id)).not.toContain(numberText(record.superseded));
    }
  });
});
