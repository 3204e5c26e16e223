import { crc32 } from "node:zlib";

/** A part of the log that does not hold what was written: bits of the file have changed. */
export class LogDamage extends Error {
  override readonly name = "LogDamage";

  /** @param what damaged part, such as "Page 12" */
  constructor(what: string, cause?: unknown) {
    super(`${what} of the episode log is damaged.`, { cause });
  }
}

/** Returns the checksum of a text (CRC-32 of its UTF-8 bytes), which is stored beside the text. */
export function checksum(text: string): number {
  return crc32(text);
}

/**
 * Returns the text if its checksum is right. Texts that were written before schema version 4 have no checksum.
 *
 * @param what part of the log that holds the text, for the error
 * @throws {LogDamage}
 */
export function checkedText({ text, sum }: { text: string; sum: number | null }, what: string): string {
  if (sum !== null && checksum(text) !== sum) throw new LogDamage(what);
  return text;
}

const damageCodes: ReadonlySet<string | undefined> = new Set([
  "SQLITE_CORRUPT",
  "SQLITE_NOTADB",
  "SQLITE_CORRUPT_INDEX",
]);

/** Whether an error of the log tells that its file is damaged, instead of that it cannot be accessed. */
export function isDamage(error: unknown): boolean {
  return error instanceof LogDamage || damageCodes.has((error as { code?: string } | null)?.code);
}
