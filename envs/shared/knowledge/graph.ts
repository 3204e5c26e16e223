/**
 * The bundled graph of public facts: about 12,000 entities with typed attributes, and relations in both directions.
 * Sources and licenses: README.md. test/peers/knowledge-facts.mjs writes the data.
 */
import { readdirSync } from "node:fs";
import { jsonLines, once } from "../kept/data-file.js";

/** Inverse relations: maps "kind.relation" to the name of the relation from the target back to the source. */
const inverses: Readonly<Record<string, string>> = {
  "country.capital": "capitalOf",
  "country.continent": "countries",
  "country.currency": "usedIn",
  "country.language": "spokenIn",
  "country.exportsTo": "mainMarketOf",
  "country.importsFrom": "mainSupplierOf",
  "country.independentFrom": "formerlyRuled",
  "organisation.member": "memberOf",
  "timezone.country": "timezones",
  "region.country": "regions",
  "city.country": "cities",
  "city.region": "cities",
  "city.timezone": "cities",
  "airport.country": "airports",
  "airport.city": "airports",
  "element.class": "elements",
  "element.group": "elements",
  "element.period": "elements",
  "element.next": "previous",
  "star.constellation": "stars",
  "messier.type": "objects",
  "item.ingredient": "usedFor",
  "mob.drops": "droppedBy",
};

export type Value = number | string | readonly string[];

/** An edge of the graph. `amount` is a length, a percentage or a number, depending on the relation. */
export interface Edge {
  to: string;
  amount?: number;
}

export interface Entity {
  /** Kind and slug, such as "country/france". */
  id: string;
  kind: string;
  name: string;
  /** Unique name in the graph. If several entities have the same name, a distinction follows in brackets. */
  title: string;
  /** Other accepted spellings. */
  aliases: readonly string[];
  attributes: Readonly<Record<string, Value>>;
  /** Edges by relation, including inverse relations: `capital` of a country, `capitalOf` of a city. */
  relations: Readonly<Record<string, readonly Edge[]>>;
}

interface Line {
  id: string;
  name: string;
  title?: string;
  aliases?: string[];
  a: Record<string, Value>;
  r: Record<string, (string | [string, number?])[]>;
}

type Editable = Entity & { relations: Record<string, Edge[]> };

export class KnowledgeGraph {
  private readonly byId = new Map<string, Editable>();
  private readonly byKind = new Map<string, Entity[]>();

  /** @param lines records of the data files; each target of a relation must have a record */
  constructor(lines: readonly Line[]) {
    for (const line of lines) this.add(line);
    for (const entity of [...this.byId.values()]) this.addInverses(entity);
  }

  /** All entities, sorted by kind and id. */
  get entities(): readonly Entity[] {
    return [...this.byId.values()];
  }

  get kinds(): readonly string[] {
    return [...this.byKind.keys()];
  }

  /** Returns the entities of a kind, sorted by id. The list is empty for an unknown kind. */
  of(kind: string): readonly Entity[] {
    return this.byKind.get(kind) ?? [];
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  /** @throws {RangeError} no entity has this id */
  get(id: string): Entity {
    const entity = this.byId.get(id);
    if (!entity) throw new RangeError(`expected the id of an entity, but received ${JSON.stringify(id)}`);
    return entity;
  }

  /**
   * Returns the targets of an entity's relation, in the order of the edges. The list is empty if the entity does not
   * have the relation.
   */
  related(id: string, relation: string): readonly Entity[] {
    return (this.get(id).relations[relation] ?? []).map(({ to }) => this.get(to));
  }

  private add({ id, name, title = name, aliases = [], a, r }: Line): void {
    const kind = id.slice(0, id.indexOf("/"));
    const relations = Object.fromEntries(Object.entries(r).map(([relation, edges]) => [relation, edges.map(toEdge)]));
    const entity = { id, kind, name, title, aliases, attributes: a, relations };
    this.byId.set(id, entity);
    const ofKind = this.byKind.get(kind);
    if (ofKind) ofKind.push(entity);
    else this.byKind.set(kind, [entity]);
  }

  private addInverses({ id, kind, relations }: Editable): void {
    for (const [relation, edges] of Object.entries(relations)) {
      const inverse = inverses[`${kind}.${relation}`];
      if (!inverse) continue;
      for (const { to, amount } of edges) {
        const target = this.byId.get(to);
        if (!target) throw new RangeError(`expected the targets of ${id} to be known entities, but received ${to}`);
        target.relations[inverse] ??= [];
        target.relations[inverse].push(amount === undefined ? { to: id } : { to: id, amount });
      }
    }
  }
}

function toEdge(edge: string | [string, number?]): Edge {
  if (typeof edge === "string") return { to: edge };
  const [to, amount] = edge;
  return amount === undefined ? { to } : { to, amount };
}

const folder = new URL("./data/", import.meta.url);

/** Returns the bundled graph. The first call loads the graph, which takes about 0.1 s. */
export const knowledgeGraph = once(() => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  return new KnowledgeGraph(files.flatMap((name) => jsonLines<Line>(new URL(name, folder))()));
});
