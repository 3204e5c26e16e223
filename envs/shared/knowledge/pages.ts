/**
 * Text pages of the bundled graph: a page for each entity, lists, pages that list entities with the same name, and
 * archived pages.
 */
import { archivedOf, archivePages } from "./archive.js";
import { type Entity, type KnowledgeGraph, knowledgeGraph } from "./graph.js";
import { atStart, inText, listText } from "./names.js";
import { paragraphsOf } from "./statements.js";

export interface Link {
  id: string;
  title: string;
}

export interface Page {
  /** Id of the entity, or "list/...", "names/..." or "archive/...". */
  id: string;
  /** Title, unique among the pages. */
  title: string;
  /** Paragraphs, separated by empty lines. */
  text: string;
  /** Links to the entities that the text names, without duplicates, in the order of the text. */
  links: Link[];
}

/**
 * Minimum number of cities or airports with which a country gets a list page of them, since its own page does not name
 * all of them.
 */
const fewestInList = { cities: 30, airports: 40 };

/** Returns the page of an entity. */
export function pageOf(entity: Entity, graph: KnowledgeGraph = knowledgeGraph()): Page {
  const paragraphs = paragraphsOf(entity, graph);
  const text = paragraphs.map((statements) => statements.map((stated) => stated.text).join(" ")).join("\n\n");
  return page(
    entity.id,
    entity.title,
    text,
    paragraphs.flatMap((statements) => statements.flatMap(({ names }) => names)),
  );
}

/** Returns every page of the collection, sorted by id. The call takes about a second. */
export function allPages(graph: KnowledgeGraph = knowledgeGraph()): Page[] {
  const pages = [
    ...graph.entities.map((entity) => pageOf(entity, graph)),
    ...listPages(graph),
    ...sharedNamePages(graph),
    ...archivedOf(graph)
      .flatMap(archivePages)
      .map(({ id, title, text, names }) => page(id, title, text, names)),
  ];
  return pages.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns the pages as JSON lines: `{"id", "title", "text", "links"}`. */
export function* pageLines(pages: Iterable<Page> = allPages()): Generator<string> {
  for (const { id, title, text, links } of pages) yield JSON.stringify({ id, title, text, links });
}

function page(id: string, title: string, text: string, names: readonly Entity[]): Page {
  const links = new Map<string, Link>();
  for (const { id: target, title: name } of names) if (target !== id) links.set(target, { id: target, title: name });
  return { id, title, text, links: [...links.values()] };
}

function listPages(graph: KnowledgeGraph): Page[] {
  return graph.of("country").flatMap((country) =>
    (["cities", "airports"] as const).flatMap((what) => {
      const members = [...graph.related(country.id, what)].sort((a, b) => (a.title < b.title ? -1 : 1));
      if (members.length <= fewestInList[what]) return [];
      const text = `This list names the ${members.length} ${what} of ${inText(country)} that have a page in this collection, from A to Z. ${atStart(listText(members.map(inText)))}.`;
      const id = `list/${what}-of-${country.id.slice("country/".length)}`;
      return [page(id, `List of ${what} of ${inText(country)}`, text, [country, ...members])];
    }),
  );
}

/** Returns a page such as "Springfield (name)", which lists the entities with that name. */
function sharedNamePages(graph: KnowledgeGraph): Page[] {
  const byName = new Map<string, Entity[]>();
  for (const entity of graph.entities) byName.set(entity.name, [...(byName.get(entity.name) ?? []), entity]);
  return [...byName]
    .filter(([, entities]) => entities.length > 1)
    .map(([name, entities]) => {
      const meanings = entities.map((entity) => `${inText(entity)}, which is ${whatIs(entity, graph)}`);
      const text = `The name ${name} stands for ${entities.length} things in this collection: ${meanings.join("; ")}.`;
      return page(`names/${entities[0]?.id.replace("/", "-")}`, `${name} (name)`, text, entities);
    });
}

function whatIs({ id, kind }: Entity, graph: KnowledgeGraph): string {
  const place = graph.related(id, "country").map(inText)[0];
  const noun = nouns[kind] ?? kind;
  const article = /^[aeiou]/.test(noun) ? "an" : "a";
  return `${article} ${noun}${place ? ` in ${place}` : ""}`;
}

const nouns: Record<string, string> = {
  item: "item of Minecraft",
  mob: "creature of Minecraft",
  biome: "biome of Minecraft",
  element: "chemical element",
  timezone: "time zone",
};
