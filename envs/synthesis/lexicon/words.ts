/** Wordings for kinds, relations and attributes. `{}` is a noun phrase or a value. */
export interface KindWords {
  noun: string;
  plural: string;
}

export interface RelationWords {
  /** Kind of the targets. */
  to: string;
  /** Inverse relation, from a target. */
  back?: string;
  /** Noun phrases for the only target: "the capital of {}". */
  one?: readonly string[];
  /** Noun phrases for all targets: "the countries that border {}". */
  many?: readonly string[];
  /** Clauses after a noun: "whose capital is {}". Clauses of one entity can be joined by "and". */
  test?: readonly string[];
  /** Questions for the number of targets, if the collection is complete. */
  count?: readonly string[];
  /** Search words that go with the name of the subject. */
  query: string;
}

export interface AttributeWords {
  /** Questions for the value. */
  ask: readonly string[];
  /** Clauses after a noun, for attributes that can identify an entity. */
  test?: readonly string[];
  /** "with the largest population", between "the country" and "among the ...". */
  most?: string;
  least?: string;
  /** "has more inhabitants": after "Which of the two". */
  more?: string;
  fewer?: string;
  query: string;
  /** Format of golden answers: dates in both orders, years without a separator. */
  write?: "date" | "plain";
}
