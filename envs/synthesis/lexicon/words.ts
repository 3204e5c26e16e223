/** Wordings for kinds, relations and attributes. `{}` stands for a noun phrase or a value. */
export interface KindWords {
  noun: string;
  plural: string;
}

export interface RelationWords {
  /** Kind of the targets. */
  to: string;
  /** Name of the inverse relation, which leads from a target back to the source. */
  back?: string;
  /** Noun phrases for the only target: "the capital of {}". */
  one?: readonly string[];
  /** Noun phrases for all targets: "the countries that border {}". */
  many?: readonly string[];
  /** Clauses after a noun: "whose capital is {}". Clauses of one entity can be joined by "and". */
  test?: readonly string[];
  /** Questions for the number of targets, if the graph contains all targets. */
  count?: readonly string[];
  /** Search words that are combined with the name of the subject. */
  query: string;
}

export interface AttributeWords {
  /** Questions for the value. */
  ask: readonly string[];
  /** Clauses after a noun, for attributes that can identify an entity. */
  test?: readonly string[];
  /** Phrase such as "with the largest population", used between "the country" and "among the ...". */
  most?: string;
  least?: string;
  /** Phrase such as "has more inhabitants", used after "Which of the two". */
  more?: string;
  fewer?: string;
  query: string;
  /** Format of golden answers: dates in both orders, or years without a thousands separator. */
  write?: "date" | "plain";
}
