/** The outputs of rows: standard output, or a file that gets its final name once it is complete. */

import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { ExportRow, FormatName } from "../../server/formats/training/rows.js";
import { TrainerError } from "../errors.js";
import { partOf, type RowSink } from "./row-sink.js";

/**
 * Opens an output.
 *
 * @param path path that ends in `.jsonl` or `.parquet`; undefined for standard output
 * @throws {TrainerError} EXPORT_FAILED: the file exists and `replaces` is false
 */
export async function openSink(path: string | undefined, format: FormatName, replaces: boolean): Promise<RowSink> {
  if (path === undefined) return new StandardOutput();
  if (existsSync(path) && !replaces) {
    throw new TrainerError(
      "EXPORT_FAILED",
      `expected a new file, but received ${path}, which exists. Add --force to replace it.`,
    );
  }
  mkdirSync(dirname(path), { recursive: true });
  if (!path.endsWith(".parquet")) return JsonLines.open(path);
  const { ParquetFile } = await import("./parquet-file.js");
  return ParquetFile.open(path, format);
}

class StandardOutput implements RowSink {
  private gone: Error | undefined;

  constructor() {
    process.stdout.on("error", (error) => {
      this.gone = error;
    });
  }

  async write(row: ExportRow): Promise<void> {
    if (this.gone)
      throw new TrainerError("EXPORT_FAILED", `expected standard output to be read, but received ${this.gone.message}`);
    await new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(row)}\n`, () => resolve()));
  }

  async end(): Promise<void> {}
  async discard(): Promise<void> {}
}

class JsonLines implements RowSink {
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async open(path: string): Promise<JsonLines> {
    return new JsonLines(path, await open(partOf(path), "w"));
  }

  async write(row: ExportRow): Promise<void> {
    await this.file.write(`${JSON.stringify(row)}\n`);
  }

  async end(): Promise<void> {
    await this.file.sync();
    await this.file.close();
    renameSync(partOf(this.path), this.path);
  }

  async discard(): Promise<void> {
    await this.file.close().catch(() => {});
    rmSync(partOf(this.path), { force: true });
  }
}
