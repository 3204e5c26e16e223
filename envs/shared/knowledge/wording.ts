/** Sentences of the pages, by the kind of entity. */
import { jsonFile, once } from "../kept/data-file.js";

/**
 * Sentences of a property. Placeholders: `{s}` is the subject, `{v}` the value or the list of targets, `{n}` the number
 * of targets.
 */
export interface Wording {
  /** Name of the attribute or relation. */
  property: string;
  /** Variants of the sentence for one value or target. The subject determines which variant is used. */
  says: readonly string[];
  /** Variants of the sentence for several targets, if they differ from `says`. */
  many?: readonly string[];
  /** Format of the value. Default: numbers with thousands separators. */
  write?: "plain" | "offset" | "quoted";
  /** Text after the name of a target that shows the edge's amount, such as " (#km)". `#` stands for the number. */
  amount?: string;
  /**
   * Maximum number of targets in the sentence. The remaining targets are named on list pages, and their own pages name
   * the subject.
   */
  atMost?: number;
  /** Attribute by which the targets are sorted, the largest value first. */
  sortedBy?: string;
  /** Values for which the page has no sentence. */
  unless?: readonly (number | string)[];
}

/** Paragraphs of the page of a kind, in order. */
export interface PageWording {
  kind: string;
  /** Words that replace the subject's name after the first sentence of a paragraph, such as "The country". */
  pronouns: readonly string[];
  paragraphs: readonly (readonly Wording[])[];
}

const folder = new URL("./data/wording/", import.meta.url);
const files = ["world", "places", "science", "minecraft"].map((name) =>
  jsonFile<readonly PageWording[]>(new URL(`${name}.json`, folder)),
);

/** Returns the wording of the pages of each kind. */
export const wordings = once(() => new Map(files.flatMap((pages) => pages().map((page) => [page.kind, page]))));
