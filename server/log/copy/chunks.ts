/** Sizes of the groups of rows that are read and written together. */

/** Characters after which a group of rows ends. */
export const chunkCharacters = 2 ** 22;

/** Largest number of rows in a group. */
export const mostChunkRows = 2_000;
