/**
 * Archived pages that contradict the current pages, so that an agent has to find the newest statement. The gym invents
 * an archived figure: it changes the current figure by a percentage that depends on the entity's id. Each page with an
 * invented figure states that the figure is out of date. A correction always states the real figure.
 */
import type { Entity, KnowledgeGraph } from "./graph.js";
import { choose, hash } from "./hash.js";
import { atStart, inText, numberText } from "./names.js";

export interface Archived {
  entity: Entity;
  attribute: "population" | "elevation" | "area";
  current: number;
  /** The invented figure. Every page with this figure states that the figure is out of date. */
  superseded: number;
  /** Year of the edition with the invented figure, and in `corrected` the year of the correction. */
  edition: number;
  corrected: number;
}

export interface ArchivePage {
  id: string;
  title: string;
  text: string;
  /** Sentence with the real figure. */
  statement: string;
  names: readonly Entity[];
}

const attributes = { city: "population", country: "area", airport: "elevation" } as const;
const units = { population: "inhabitants", area: "square kilometres", elevation: "feet above sea level" };
const nouns = { population: "population", area: "total area", elevation: "elevation" };
/** Frequency of archived pages by kind: 12 means that one of 12 cities has archived pages. */
const oneIn = { city: 12, country: 5, airport: 20 };

/** Returns the archived figures of all entities that have one, in the order of the graph. */
export function archivedOf(graph: KnowledgeGraph): Archived[] {
  return (["airport", "city", "country"] as const).flatMap((kind) =>
    graph.of(kind).flatMap((entity) => {
      const current = entity.attributes[attributes[kind]];
      const isChosen = hash(`${entity.id} archive`) % oneIn[kind] === 0;
      return isChosen && typeof current === "number" && current >= 300
        ? [archived(entity, attributes[kind], current)]
        : [];
    }),
  );
}

function archived(entity: Entity, attribute: Archived["attribute"], current: number): Archived {
  const share = choose(`${entity.id} share`, [0.83, 0.86, 0.88, 0.91, 0.93, 1.06, 1.09, 1.12, 1.17]);
  const edition = choose(`${entity.id} edition`, [2008, 2010, 2011, 2013, 2015]);
  const corrected = edition + choose(`${entity.id} corrected`, [2, 3, 4, 6]);
  return { entity, attribute, current, superseded: Math.round(current * share), edition, corrected };
}

/** Returns the page of the older edition and the note that corrects the page. */
export function archivePages(record: Archived): [older: ArchivePage, correction: ArchivePage] {
  return [editionPage(record), correctionPage(record)];
}

function editionPage({ entity, attribute, superseded, edition }: Archived): ArchivePage {
  const name = inText(entity);
  const statement = choose(`${entity.id} older`, [
    `As of the ${edition} edition, the ${nouns[attribute]} of ${name} was given as ${numberText(superseded)} ${units[attribute]}.`,
    `The ${edition} edition put the ${nouns[attribute]} of ${name} at ${numberText(superseded)} ${units[attribute]}.`,
  ]);
  const text = [
    `This is the archived entry on ${name} from the ${edition} edition of this collection.`,
    statement,
    "The figure was an early estimate and has since been superseded; it is kept here only for the record.",
    "Readers who need the present figure should use the newest correction or the current entry.",
  ].join(" ");
  return {
    id: `archive/${edition}-${slugOf(entity)}`,
    title: `${entity.title}, ${edition} edition`,
    text,
    statement,
    names: [entity],
  };
}

function correctionPage({ entity, attribute, current, superseded, edition, corrected }: Archived): ArchivePage {
  const name = inText(entity);
  const statement = choose(`${entity.id} newer`, [
    `The ${nouns[attribute]} of ${name} is ${numberText(current)} ${units[attribute]}.`,
    `${atStart(nouns[attribute])} of ${name}, corrected: ${numberText(current)} ${units[attribute]}.`,
  ]);
  const text = [
    `In ${corrected} the editors of this collection corrected the entry on ${name}.`,
    `The ${edition} edition had given ${numberText(superseded)} ${units[attribute]}, which was wrong and is withdrawn.`,
    statement,
    "No later correction has been made, so this figure stands.",
  ].join(" ");
  return {
    id: `archive/correction-${slugOf(entity)}`,
    title: `Correction of ${corrected}: ${entity.title}`,
    text,
    statement,
    names: [entity],
  };
}

function slugOf({ id }: Entity): string {
  return id.replace("/", "-");
}
