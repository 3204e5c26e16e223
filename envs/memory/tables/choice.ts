/** A choice that depends on the limits of the user, some of which are no longer valid. */

export interface Limit {
  id: string;
  /** The user states the limit. */
  say: readonly string[];
  /** The user withdraws the limit. */
  lift: readonly string[];
  /** The limit is valid for another person, `{who}`, and not for the user. */
  other: string;
  /** Features that break the limit. */
  features: readonly string[];
}

export interface Choice {
  topic: string;
  /** Words for the titles of tasks. */
  title: string;
  ask: readonly string[];
  names: readonly string[];
  /** Features that break no limit. */
  neutral: readonly string[];
  limits: readonly Limit[];
  replies: readonly string[];
}
