/**
 * A request to the gym to write nothing to the log's main file. The request is a file beside the log. A backup holds
 * the checkpoints while it copies the files. New steps go to the write-ahead log meanwhile.
 *
 * A backup changes the file every second, so the request of a killed backup expires. Only the user of the gym can write
 * to the folder. The backup never relies on the request: it compares the files before and after the copy.
 */
import { rmSync, statSync, writeFileSync } from "node:fs";

/** Interval in milliseconds at which a backup renews its request. */
const renewalMs = 1_000;

/** Milliseconds after which a request that is not renewed expires. */
const lapseMs = 10_000;

function holdPath(logPath: string): string {
  return `${logPath}.hold`;
}

/** The gym's side of the request. */
export class CheckpointHold {
  private seen: string | null = null;
  private renewedAt = 0;

  constructor(private readonly logPath: string) {}

  /** Returns whether a backup asks the gym to hold its checkpoints. */
  get isHeld(): boolean {
    const found = statSync(holdPath(this.logPath), { throwIfNoEntry: false, bigint: true });
    const version = found ? `${found.ino} ${found.mtimeNs}` : null;
    // The monotonic clock, because the wall clock may jump.
    if (version !== this.seen) this.renewedAt = performance.now();
    this.seen = version;
    return version !== null && performance.now() - this.renewedAt < lapseMs;
  }
}

/** Asks a gym to hold its checkpoints while `work` runs. */
export async function holdingCheckpoints<T>(logPath: string, work: () => Promise<T>): Promise<T> {
  const renew = () => {
    try {
      writeFileSync(holdPath(logPath), `${process.pid}\n`, { mode: 0o600 });
    } catch {
      // The disk of the log may be full, which is a reason to make a backup on another disk. The backup also works
      // without the request.
    }
  };
  renew();
  const renewing = setInterval(renew, renewalMs);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    rmSync(holdPath(logPath), { force: true });
  }
}
