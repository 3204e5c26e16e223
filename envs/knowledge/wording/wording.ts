/** Sentences of a property. `{s}` is the subject, `{v}` the value or the list of targets, `{n}` the number of targets. */
export interface Wording {
  /** Name of the attribute or relation. */
  property: string;
  /** Variants for one value or target. The subject determines the choice. */
  says: readonly string[];
  /** Variants for several targets, if they differ from `says`. */
  many?: readonly string[];
  /** Formats a value. Default: numbers have thousands separators. */
  write?: "plain" | "offset" | "ordinal" | "quoted";
  /** Text with the amount of the edge, shown after the name of a target, such as " (#km)". `#` stands for the number. */
  amount?: string;
  /** Largest number of targets in the sentence. Further targets are on the targets' own pages and on lists. */
  atMost?: number;
  /** Attribute by which the targets are sorted. The target with the largest value comes first. */
  sortedBy?: string;
  /** Values for which the page has no sentence. */
  unless?: readonly (number | string)[];
}

/** Paragraphs of the page of a kind, in order. */
export interface PageWording {
  kind: string;
  /** Words for the subject after the first sentence of a paragraph, such as "The country". */
  pronouns: readonly string[];
  paragraphs: readonly (readonly Wording[])[];
}
