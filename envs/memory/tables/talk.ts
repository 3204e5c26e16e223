/** Everyday conversations, which are irrelevant to all questions. */

/** Placeholders: Placeholders in sentences: `{x}` is the first text of a pair, `{y}` the second. */
export interface Talk {
  ask: readonly string[];
  answer: readonly string[];
  pairs: readonly (readonly [string, string])[];
  /** Optional continuations: a message of the user and the reply. */
  more: readonly (readonly [string, string])[];
}
