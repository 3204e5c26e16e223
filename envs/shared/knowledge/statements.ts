/**
 * The sentences of the page of an entity. Every sentence states one property, so that a proof can cite one sentence per
 * fact. The wording depends only on the entity and is the same on every machine.
 */
import type { Edge, Entity, KnowledgeGraph, Value } from "./graph.js";
import { choose, hash } from "./hash.js";
import { atStart, inText, listText, numberText, offsetText } from "./names.js";
import { type PageWording, type Wording, wordings } from "./wording.js";

/** A sentence, and the entities that it names in addition to its subject. */
export interface Statement {
  property: string;
  text: string;
  names: readonly Entity[];
}

/** Returns the paragraphs of an entity's page as lists of statements. @throws {RangeError} the kind has no wording */
export function paragraphsOf(entity: Entity, graph: KnowledgeGraph): Statement[][] {
  const page = wordings().get(entity.kind);
  if (!page) throw new RangeError(`expected an entity of a kind with a wording, but received the kind ${entity.kind}`);
  return page.paragraphs
    .map((paragraph, at) => {
      const stated = paragraph.filter((wording) => isStated(entity, wording));
      return stated.map((wording, place) => statement(entity, graph, page, wording, at === 0 && place === 0));
    })
    .filter((paragraph) => paragraph.length > 0);
}

/**
 * Returns the sentence that states a property of an entity, or undefined if the entity's page does not state the
 * property.
 */
export function statementOf(entity: Entity, property: string, graph: KnowledgeGraph): Statement | undefined {
  return paragraphsOf(entity, graph)
    .flat()
    .find((stated) => stated.property === property);
}

function isStated(entity: Entity, { property, unless = [] }: Wording): boolean {
  const value = entity.attributes[property];
  const isKnown = value !== undefined && !unless.includes(value as number | string);
  return isKnown || (entity.relations[property]?.length ?? 0) > 0;
}

function statement(
  entity: Entity,
  graph: KnowledgeGraph,
  page: PageWording,
  wording: Wording,
  isFirst: boolean,
): Statement {
  const { property, says, many = says } = wording;
  const edges = entity.relations[property] ?? [];
  const template = choose(`${entity.id} ${property}`, edges.length > 1 ? many : says);
  const named = namedTargets(edges, wording, graph);
  const value = entity.attributes[property];
  const stated = value === undefined ? targetsText(named, edges.length, wording) : valueText(value, wording);
  const text = template
    .replaceAll("{n}", String(edges.length))
    .replaceAll("{s}", (_, offset: number) => subjectText(entity, page, property, isFirst, offset === 0))
    .replaceAll("{v}", () => stated);
  return { property, text: atStart(text), names: named.map(([target]) => target) };
}

function subjectText(entity: Entity, page: PageWording, property: string, isFirst: boolean, isStart: boolean): string {
  const names = isFirst || hash(`${entity.id} ${property} subject`) % 3 === 0;
  if (names) return inText(entity);
  const pronoun = isStart ? choose(`${entity.id} ${property} pronoun`, page.pronouns) : (page.pronouns[0] as string);
  return isStart ? pronoun : pronoun.charAt(0).toLowerCase() + pronoun.slice(1);
}

function namedTargets(edges: readonly Edge[], { sortedBy, atMost }: Wording, graph: KnowledgeGraph): [Entity, Edge][] {
  const named = edges.map((edge): [Entity, Edge] => [graph.get(edge.to), edge]);
  if (sortedBy !== undefined) named.sort(([a], [b]) => amountOf(b, sortedBy) - amountOf(a, sortedBy));
  return atMost === undefined ? named : named.slice(0, atMost);
}

function amountOf({ attributes }: Entity, attribute: string): number {
  const value = attributes[attribute];
  return typeof value === "number" ? value : 0;
}

function targetsText(named: readonly [Entity, Edge][], all: number, { amount }: Wording): string {
  const parts = named.map(([target, edge]) => {
    const after = amount && edge.amount !== undefined ? amount.replace("#", numberText(edge.amount)) : "";
    return `${inText(target)}${after}`;
  });
  return all > parts.length ? `${parts.join(", ")} and ${all - parts.length} more` : listText(parts);
}

/** Formats the value of an attribute for prose. */
export function valueText(value: Value, { write }: Pick<Wording, "write">): string {
  if (typeof value !== "number") return write === "quoted" ? `"${value}"` : listText([value].flat());
  if (write === "offset") return offsetText(value);
  return write === "plain" ? String(value) : numberText(value);
}

/** Returns the wording for a property of a kind of entity, or undefined if pages do not state the property. */
export function wordingOf(kind: string, property: string): Wording | undefined {
  return wordings()
    .get(kind)
    ?.paragraphs.flat()
    .find((wording) => wording.property === property);
}
