/**
 * The file `usage.json` in the data directory: the steps of the current UTC day by token and by group. The gym writes
 * it, and `palestra token list` reads it. The file is a cache of counts. The log is the record of all steps.
 */
import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { UsageStore } from "../episodes/gym-options.js";
import type { Usage } from "../episodes/quotas/quota.js";

const counts = z.record(z.string(), z.int().min(0));
const UsageSchema = z.strictObject({ day: z.iso.date(), callers: counts, groups: counts });

export class UsageFile implements UsageStore {
  private readonly path: string;
  /** Text of the last write. */
  private written = "";
  private writing: Promise<void> = Promise.resolve();

  /** @param onFailure receives errors of writing. The gym goes on, and the next write tries again. */
  constructor(
    dataDir: string,
    private readonly onFailure: (error: unknown) => void = () => {},
  ) {
    this.path = join(dataDir, "usage.json");
  }

  /** Returns null if there is no readable file, since a lost count must not keep the gym from starting. */
  read(): Usage | null {
    try {
      return UsageSchema.parse(JSON.parse(readFileSync(this.path, "utf8")));
    } catch {
      return null;
    }
  }

  /** Writes the usage, unless the last write was the same. The file is replaced at once. */
  write(usage: Usage): Promise<void> {
    const text = `${JSON.stringify(usage)}\n`;
    this.writing = this.writing.then(async () => {
      if (text === this.written) return;
      const draft = `${this.path}.${process.pid}`;
      try {
        await writeFile(draft, text, { mode: 0o600 });
        await rename(draft, this.path);
        this.written = text;
      } catch (error) {
        this.onFailure(error);
      }
    });
    return this.writing;
  }
}
