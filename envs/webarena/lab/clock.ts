/** The fixed time of every episode, so that pages do not change over time. */

/** Friday, 15 March 2024, 12:00 UTC, in milliseconds since the epoch. */
export const now = Date.UTC(2024, 2, 15, 12);

export const day = 86_400_000;
