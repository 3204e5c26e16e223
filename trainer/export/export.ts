/** Exports episodes to a file or to standard output. */
import {
  type ExportCounts,
  type Exported,
  type ExportPlan,
  exportedRows,
  noCounts,
} from "../../server/formats/training/export.js";
import type { RowSink } from "./row-sink.js";

export interface ExportRun extends Pick<Exported, "source" | "judged"> {
  readonly sink: RowSink;
  readonly signal: AbortSignal;
  /** Called after each episode. */
  onProgress(counts: Readonly<ExportCounts>): void;
}

/** @throws the signal's reason, and errors of source and sink; an incomplete file is removed first */
export async function exportEpisodes(plan: ExportPlan, run: ExportRun): Promise<ExportCounts> {
  const { source, judged, sink, signal } = run;
  const counts = noCounts();
  const onRead = () => {
    run.onProgress(counts);
    signal.throwIfAborted();
  };
  try {
    for await (const row of exportedRows(plan, { source, judged, onRead }, counts)) {
      signal.throwIfAborted();
      await sink.write(row);
      counts.rows += 1;
    }
    await sink.end();
    return counts;
  } catch (error) {
    await sink.discard();
    throw error;
  }
}
