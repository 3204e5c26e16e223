import { describe, expect, test } from "vitest";
import { townOf } from "#palestra/envs/webarena-lab/seed/landmarks.js";
import { towns } from "#palestra/envs/webarena-lab/seed/region.js";
import { app as wiki } from "#palestra/envs/webarena-lab/sites/wiki/app.js";
import { withoutLinks } from "#palestra/envs/webarena-lab/sites/wiki/articles/article.js";
import { articles, categories } from "#palestra/envs/webarena-lab/sites/wiki/articles.js";
import { seasons } from "#palestra/envs/webarena-lab/sites/wiki/facts/league.js";
import { people, yearOf } from "#palestra/envs/webarena-lab/sites/wiki/facts/people.js";
import { works } from "#palestra/envs/webarena-lab/sites/wiki/facts/works.js";
import { openWorld } from "#palestra/envs/webarena-lab/world.js";

const world = openWorld();
const base = "/haldane_en_all/A";

async function read(path: string): Promise<{ status: number; html: string }> {
  const response = await wiki.request(path, {}, world);
  return { status: response.status, html: await response.text() };
}

describe("the encyclopedia", () => {
  test("has at least 600 articles, each with sections, references and categories", () => {
    expect(articles().size).toBeGreaterThanOrEqual(600);
    for (const article of articles().values()) {
      expect(article.sections.length, article.title).toBeGreaterThan(1);
      expect(article.references.length, article.title).toBeGreaterThan(1);
      expect(article.categories.length, article.title).toBeGreaterThan(0);
    }
  });

  test("fills every slot of its sentence patterns", () => {
    for (const { title, sections } of articles().values()) {
      const text = sections.flatMap(({ paragraphs = [] }) => paragraphs).join(" ");
      expect(text, title).not.toMatch(/[{}]|undefined|\ba [aeio]/i);
    }
  });

  test("links to articles that exist", () => {
    const missing = new Set<string>();
    for (const { facts, sections, seeAlso } of articles().values()) {
      const texts = sections.flatMap(({ paragraphs = [], items = [], table }) => [
        ...[...paragraphs, ...items],
        ...(table?.rows.flat() ?? []),
      ]);
      const links = [...facts.flat(), ...texts].join(" ").matchAll(/\[\[([^\]|]+)/g);
      for (const title of [...seeAlso, ...[...links].map(([, title]) => title as string)])
        if (!articles().has(title)) missing.add(title);
    }
    expect([...missing]).toEqual([]);
  });

  test("states the same facts in all articles", () => {
    for (const { name, town } of people()) expect(textOf(town.name)).toContain(withoutLinks(name));
    for (const { title, by, year } of works()) expect(textOf(by.name)).toContain(`${title} (${year}`);
    for (const { name } of towns) expect(textOf("List of towns in Haldane by population")).toContain(name);
  });

  test("has no births in a town before its foundation, and no works before birth", () => {
    for (const { name, born, town } of people()) expect(yearOf(born), name).toBeGreaterThanOrEqual(town.founded);
    for (const { title, by, year, museum } of works()) {
      expect(year, title).toBeGreaterThan(yearOf(by.born));
      if (by.died !== undefined) expect(year, title).toBeLessThanOrEqual(yearOf(by.died));
      if (museum) expect(museum.subject).toBe("painting and sculpture");
    }
  });

  test("has football tables that add up", () => {
    for (const { table, name } of seasons()) {
      const sum = (key: "scored" | "conceded" | "won" | "lost") => table.reduce((total, one) => total + one[key], 0);
      expect(sum("scored"), name).toBe(sum("conceded"));
      expect(sum("won"), name).toBe(sum("lost"));
      for (const { won, drawn, lost, points } of table) {
        expect(won + drawn + lost).toBe(22);
        expect(points).toBe(won * 3 + drawn);
      }
    }
  });
});

describe("its pages", () => {
  test("shows an article with its infobox, its links and its categories", async () => {
    const { status, html } = await read(`${base}/Port_Alder`);
    expect(status).toBe(200);
    expect(html).toContain("418,300");
    expect(html).toContain(`<a href="${base}/River_Alder">River Alder</a>`);
    expect(html).toContain(`<a href="${base}/Category:Towns_in_Haldane">`);
  });

  test("sorts a list by the column and the direction in the address", async () => {
    const list = `${base}/List_of_towns_in_Haldane_by_population`;
    const first = async (query: string) => {
      const { html } = await read(`${list}${query}`);
      return /<tbody><tr><td>\d+<\/td><td><a[^>]*>([^<]+)/.exec(html)?.[1];
    };
    expect(await first("")).toBe("Port Alder");
    expect(await first("?sort=3&order=asc")).toBe("Sable Point");
    expect(await first("?sort=1&order=desc")).toBe("Whitlock");
    expect(await first("?sort=<script>")).toBe("Port Alder");
  });

  test("shows the article with the searched title first, and pages through the rest", async () => {
    const { html } = await read("/search?content=haldane_en_all&pattern=orrbridge");
    expect(html).toMatch(/Results 1-25 of \d+/);
    expect(/<ol[^>]*><li><a href="([^"]+)"/.exec(html)?.[1]).toBe(`${base}/Orrbridge`);
    const next = await read("/search?content=haldane_en_all&pattern=orrbridge&start=25");
    expect(next.html).toMatch(/Results 26-/);
    expect(next.html).toContain("Previous");
    expect((await read("/search?pattern=orrbridge&start=-9")).html).toContain("Results 1-25");
  });

  test("escapes the search text", async () => {
    const { html } = await read(`/search?pattern=${encodeURIComponent(`<script>alert(1)</script>'"&`)}`);
    expect(html).not.toContain("<script>");
    expect(html).toContain("No results");
  });

  test.each([`${base}/Nowhere`, `${base}/Category:Nothing`, "/other", `${base}/%3Cscript%3E`])(
    "answers 404 for %s",
    async (path) => {
      const { status, html } = await read(path);
      expect(status).toBe(404);
      expect(html).not.toContain("<script>");
    },
  );

  test("lists the articles of a category", async () => {
    const { html } = await read(`${base}/Category:Football_clubs_in_Haldane`);
    expect(html).toContain("There are 12 pages");
    expect((await read(`${base}/Special:Categories`)).html).toContain(`Category:People_from_${townOf("Venn").name}`);
    expect(categories().get("Towns in Haldane")).toHaveLength(24);
  });

  test("returns the same bytes each time", async () => {
    for (const path of ["/", `${base}/Haldane`, "/search?pattern=river"])
      expect((await read(path)).html).toBe((await read(path)).html);
  });
});

function textOf(title: string): string {
  const { sections = [] } = articles().get(title) ?? {};
  return withoutLinks(
    sections
      .flatMap(({ paragraphs = [], items = [], table }) => [...paragraphs, ...items, ...(table?.rows.flat() ?? [])])
      .join(" "),
  );
}
