import { crc32 } from "node:zlib";

/** A part of the log differs from the written data, because bits of the file have changed. */
export class LogDamage extends Error {
  override readonly name = "LogDamage";

  /**
   * @param what damaged part, such as "Page 12"
   * @param how statement on the damage, such as "3 commits follow the damaged part"
   */
  constructor(what: string, how?: string) {
    super(`${what} of the episode log is damaged${how === undefined ? "" : `: ${how}`}.`);
  }
}

/** The log can no longer be written, because its file was removed or another gym has taken the log over. */
export class LogLost extends Error {
  override readonly name = "LogLost";
}

/** Returns the checksum of a text (CRC-32 of its UTF-8 bytes), which is stored beside the text. */
export function checksum(text: string): number {
  return crc32(text);
}

/** A stored text with its checksum. A text that was written before schema version 4 has no checksum. */
export interface StoredText {
  text: string;
  sum: number | null;
}

export function isIntact({ text, sum }: StoredText): boolean {
  // In a damaged file, a column can have a value of another type.
  return typeof text === "string" && (sum === null || checksum(text) === sum);
}

/** @param what part of the log that holds the text, for the error @throws {LogDamage} the checksum is wrong */
export function checkedText(stored: StoredText, what: string): string {
  if (!isIntact(stored)) throw new LogDamage(what);
  return stored.text;
}

/**
 * SQLSTATEs of PostgreSQL: data_corrupted, index_corrupted, and a missing file, for example of a transaction that a
 * damaged row names.
 */
const damageCodes: ReadonlySet<string | undefined> = new Set([
  ...["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CORRUPT_INDEX"],
  ...["XX001", "XX002", "58P01"],
]);

/** Returns whether an error means that the log is damaged, and not only that it cannot be accessed. */
export function isDamage(error: unknown): boolean {
  return error instanceof LogDamage || damageCodes.has((error as { code?: string } | null)?.code);
}
