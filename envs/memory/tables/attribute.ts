/** A fact about people that can change, with the sentences that state the fact and the questions about the fact. */

/**
 * Placeholders of sentences: `{v}` for the value and `{a v}` for the value with an article; `{old}` for the previous
 * value; `{wrong}` for the withdrawn value; `{date}`; `{who}` for another person, such as "my sister Ana", and `{Who}`
 * at the start of a sentence.
 */
export interface Attribute {
  topic: string;
  /** Noun phrase for the titles of tasks. */
  title: string;
  values: readonly string[];
  /** The user states the first value. */
  first: readonly string[];
  /** The user states a new value. */
  change: readonly string[];
  /** The user withdraws the last value, which was never valid. */
  correct: readonly string[];
  /** The user considers a value, which never becomes valid. */
  idea: readonly string[];
  /** The user states the value of another person. Absent if only the user has such a value. */
  other?: readonly string[];
  now: readonly string[];
  at: readonly string[];
  otherNow?: readonly string[];
  /** Replies of the assistant. */
  replies: readonly string[];
  /** True if every new value is lower than the previous value. */
  falls?: boolean;
}
