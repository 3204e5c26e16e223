/** The command `palestra log copy` copies the episode log from SQLite to PostgreSQL, and back. */

import { Interrupted, OperatorError } from "../../config/operator-error.js";
import { counted } from "../../formats/counted.js";
import { type Copy, copyLog } from "../../log/copy/copy.js";
import { type LogPlace, logPlace, shownPlace } from "../../log/copy/log-place.js";
import { ProgressLine } from "../terminal/progress-line.js";

/** Copies a log to an empty database or a new file. @param first path or URL of the log @param second of the copy */
export async function copy(first: string, second: string, { json }: { json: boolean }): Promise<void> {
  const [from, to] = [logPlace(first), logPlace(second)];
  const startedAt = performance.now();
  const copied = await interruptible(from, to);
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(json ? JSON.stringify({ ...copied, seconds }, null, 2) : describe(copied, to, seconds));
}

/** Copies until the process is told to stop. */
async function interruptible(from: LogPlace, to: LogPlace): Promise<Copy> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  const line = new ProgressLine("copy");
  let shown = -1;
  const onProgress = (done: number, total: number) => {
    const percent = Math.floor((100 * done) / total);
    if (percent === shown) return;
    shown = percent;
    line.show(done / total, 2 * done < total ? "copying" : "comparing");
  };
  try {
    return await copyLog(from, to, { onProgress, signal: stop.signal });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    throw OperatorError.of(`to copy ${shownPlace(from)} to ${shownPlace(to)}`, error);
  } finally {
    line.end();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
  }
}

function describe({ episodes, steps, pages, bytes, resumedRows }: Copy, to: LogPlace, seconds: number): string {
  const megabytes = bytes / 1e6;
  const rate = (megabytes / seconds).toFixed(1);
  return [
    `${shownPlace(to)} has ${counted(episodes, "episode")} with ${counted(steps, "step")}, in ${counted(pages, "page")}. Every row equals the original.`,
    `Copied ${megabytes.toFixed(1)} MB of steps and reset results in ${seconds.toFixed(1)} s (${rate} MB/s).`,
    ...(resumedRows > 0 ? [`An earlier copy had copied ${counted(resumedRows, "row")}.`] : []),
  ].join("\n");
}
