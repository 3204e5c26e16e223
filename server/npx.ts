import { readFileSync } from "node:fs";

/** Milliseconds between two looks at the processes above this one. */
const lookMs = 1_000;

/**
 * Calls `onGone` once when npx has ended that started this program. npx passes SIGINT and SIGTERM on, but it cannot pass
 * SIGKILL on, which would leave this program running without anybody who knows of it. Programs that npx did not start,
 * such as services, may lose their parent.
 *
 * @returns function that stops looking
 */
export function onNpxGone(onGone: () => void): () => void {
  if (process.env.npm_command !== "exec") return () => {};
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    onGone();
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/** Returns the ids of the parent and of its parent, since npx starts a shell that starts this program. */
function ancestors(): string {
  return `${process.ppid} ${parentOf(process.ppid)}`;
}

/** Returns the parent of a process on Linux. The shells of other systems replace themselves by the program. */
function parentOf(pid: number): string | undefined {
  try {
    return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
