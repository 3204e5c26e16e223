/** Lengths of histories. */
export interface Scale {
  sessions: number;
  /** Smallest and largest number of days between sessions. */
  days: readonly [number, number];
  /** Number of other subjects of the user. */
  threads: number;
  /** Largest number of events of one kind. */
  events: number;
  /** Smallest and largest number of everyday talks in a session. */
  talks: readonly [number, number];
  /** Smallest number of sessions between two statements if the question names a day between them. */
  gap: number;
}

export const lengths = {
  short: { sessions: 10, days: [8, 18], threads: 4, events: 6, talks: [1, 3], gap: 3 },
  medium: { sessions: 40, days: [4, 12], threads: 10, events: 9, talks: [1, 3], gap: 6 },
  long: { sessions: 120, days: [2, 6], threads: 17, events: 12, talks: [1, 3], gap: 12 },
} satisfies Record<string, Scale>;

export type Length = keyof typeof lengths;
