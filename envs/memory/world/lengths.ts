/** Lengths of histories. */
export interface Scale {
  sessions: number;
  /** Minimum and maximum number of days between sessions. */
  days: readonly [number, number];
  /** Number of subjects of the user that the question does not ask about. */
  threads: number;
  /** Maximum number of events of one kind. */
  events: number;
  /** Minimum and maximum number of everyday conversations in a session. */
  talks: readonly [number, number];
  /** Minimum number of sessions between two values, for questions about a day between them. */
  gap: number;
}

export const lengths = {
  short: { sessions: 10, days: [8, 18], threads: 4, events: 6, talks: [1, 3], gap: 3 },
  medium: { sessions: 40, days: [4, 12], threads: 10, events: 9, talks: [1, 3], gap: 6 },
  long: { sessions: 120, days: [2, 6], threads: 17, events: 12, talks: [1, 3], gap: 12 },
} satisfies Record<string, Scale>;

export type Length = keyof typeof lengths;
