/** The current time in all episodes. It is fixed, so that pages do not depend on the date. */

/** Friday, 15 March 2024, 12:00 UTC, in milliseconds since the epoch. */
export const now = Date.UTC(2024, 2, 15, 12);

export const day = 86_400_000;
