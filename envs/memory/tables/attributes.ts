/** Attributes of a person that can change, with sentences that state their values and questions about them. */
import { jsonFile } from "../../shared/kept/data-file.js";

/**
 * Placeholders in sentences: `{v}` is the value, `{a v}` the value with an article, `{old}` the previous value,
 * `{wrong}` the withdrawn value, `{date}` a date, and `{who}` a person such as "my sister Ana" (`{Who}` at the start of
 * a sentence).
 */
export interface Attribute {
  topic: string;
  /** Noun phrase for the attribute in the titles of tasks. */
  title: string;
  values: readonly string[];
  /** Sentences in which the user states the first value. */
  first: readonly string[];
  /** Sentences in which the user states a new value. */
  change: readonly string[];
  /** Sentences in which the user withdraws the last value as wrong and states the right value. */
  correct: readonly string[];
  /** Sentences in which the user only considers a value. */
  idea: readonly string[];
  /** Sentences in which the user states the value of another person. Absent if only the user has this attribute. */
  other?: readonly string[];
  now: readonly string[];
  at: readonly string[];
  otherNow?: readonly string[];
  /** Replies of the assistant. */
  replies: readonly string[];
  /** True if the value can only decrease. */
  falls?: boolean;
}

/** Returns all attributes: those of all people first, and then those that only the user has. */
export const attributes = jsonFile<readonly Attribute[]>(new URL("../data/attributes.json", import.meta.url));
