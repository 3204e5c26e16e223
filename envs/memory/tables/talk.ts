/** Everyday talk that answers no question. */

/** Placeholders: `{x}` for the first text of a pair, `{y}` for the second. */
export interface Talk {
  ask: readonly string[];
  answer: readonly string[];
  pairs: readonly (readonly [string, string])[];
  /** Optional continuations: words of the user and the reply. */
  more: readonly (readonly [string, string])[];
}
