/** A Parquet file, written one row group at a time, so that only one group and the file's index are in memory. */
import { renameSync, rmSync } from "node:fs";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import type { ExportRow, FormatName } from "../../server/formats/training/rows.js";
import { type ParquetColumn, parquetColumns } from "./parquet-schema.js";
import { partOf, type RowSink } from "./row-sink.js";

/** Maximum number of rows and characters in a row group. */
const [mostRows, mostCharacters] = [10_000, 16 << 20];

export class ParquetFile implements RowSink {
  private rows: ExportRow[] = [];
  private characters = 0;

  private constructor(
    private readonly path: string,
    private readonly columns: readonly ParquetColumn[],
    private readonly writer: ParquetWriter,
  ) {}

  static open(path: string, format: FormatName): ParquetFile {
    const columns = parquetColumns[format];
    const root = { name: "root", num_children: columns.length };
    const schema = [root, ...columns.flatMap(({ elements }) => elements)];
    return new ParquetFile(path, columns, new ParquetWriter({ writer: fileWriter(partOf(path)), schema }));
  }

  async write(row: ExportRow): Promise<void> {
    this.rows.push(row);
    this.characters += JSON.stringify(row).length;
    if (this.rows.length >= mostRows || this.characters >= mostCharacters) await this.flush();
  }

  async end(): Promise<void> {
    await this.flush();
    await this.writer.finish();
    renameSync(partOf(this.path), this.path);
  }

  async discard(): Promise<void> {
    rmSync(partOf(this.path), { force: true });
  }

  private async flush(): Promise<void> {
    const { rows } = this;
    if (rows.length === 0) return;
    const columnData = this.columns.map(({ name, convert }) => ({ name, data: rows.map((row) => convert(row[name])) }));
    await this.writer.write({ columnData, rowGroupSize: rows.length });
    this.rows = [];
    this.characters = 0;
  }
}
