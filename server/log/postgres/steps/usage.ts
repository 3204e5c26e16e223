/** The bytes that an episode takes in the log. */
import type { EpisodeRow } from "../../records/protocol.js";

/** Bytes of an episode's row without its texts, and of the row's entries in indexes. */
const rowBytes = 256;

/** Returns the bytes of an episode without its steps. @param openingBytes bytes of the reset result */
export function bytesOfEpisode({ options, requestDigest }: EpisodeRow, openingBytes: number): number {
  return rowBytes + Buffer.byteLength(options) + Buffer.byteLength(requestDigest ?? "") + openingBytes;
}

/** SQL expression of the same number, over rows of `episodes` and `openings`. */
export const episodeBytes = `${rowBytes} + octet_length(options) + coalesce(octet_length("requestDigest"), 0) + octet_length(opening)`;
