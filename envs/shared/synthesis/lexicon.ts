/** Wordings for kinds, relations and attributes. `{}` stands for a noun phrase or a value. */
import { jsonFile, once } from "../kept/data-file.js";

export interface KindWords {
  noun: string;
  plural: string;
}

export interface RelationWords {
  /** Kind of the targets. */
  to: string;
  /** Name of the inverse relation, from a target to the source. */
  back?: string;
  /** Noun phrases for the target, if the relation has a single target: "the capital of {}". */
  one?: readonly string[];
  /** Noun phrases for all targets: "the countries that border {}". */
  many?: readonly string[];
  /** Clauses after a noun: "whose capital is {}". Several clauses can be joined with "and". */
  test?: readonly string[];
  /** Questions for the number of targets. Absent if the graph does not contain all targets. */
  count?: readonly string[];
  /** Words that form a search query together with the name of the subject. */
  query: string;
}

export interface AttributeWords {
  /** Questions for the value. */
  ask: readonly string[];
  /** Clauses after a noun. Absent for attributes that cannot identify an entity. */
  test?: readonly string[];
  /** Phrase such as "with the largest population", which is inserted between "the country" and "among the ...". */
  most?: string;
  least?: string;
  /** Phrase such as "has more inhabitants", which follows "Which of the two". */
  more?: string;
  fewer?: string;
  query: string;
  /**
   * Format of accepted answers: "date" for dates in both orders, "plain" for numbers without thousands separators, such
   * as years.
   */
  write?: "date" | "plain";
}

const folder = new URL("./data/lexicon/", import.meta.url);

/** Returns the wordings of kinds, by kind. */
export const kinds = jsonFile<Readonly<Record<string, KindWords>>>(new URL("kinds.json", folder));

/** Returns the wordings of relations, by "kind.relation". Questions do not use relations without wordings. */
export const relations = jsonFile<Readonly<Record<string, RelationWords>>>(new URL("relations.json", folder));

/** Returns the wordings of attributes, by "kind.attribute". Questions do not use attributes without wordings. */
export const attributes = jsonFile<Readonly<Record<string, AttributeWords>>>(new URL("attributes.json", folder));

const codes = jsonFile<readonly string[]>(new URL("territories.json", folder));

/** Returns the ISO codes of territories that are not sovereign states, which questions do not call countries. */
export const territories = once(() => new Set(codes()));
