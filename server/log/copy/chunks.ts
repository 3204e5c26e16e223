/** Sizes of the groups of rows that are read and written together. */

/** Characters after which a group of rows ends. */
export const chunkCharacters = 2 ** 22;

/** Largest number of bytes of the texts in a group that PostgreSQL returns, unless the group has a single row. */
export const chunkBytes = 2 ** 22;

/** Largest number of rows in a group. */
export const mostChunkRows = 2_000;
