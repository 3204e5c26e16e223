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

/**
 * Returns the id of npx. npx starts a shell that starts this program, and the id of the shell is added. Some shells, such
 * as bash, replace themselves by the program. The parent is then npx, and the parent of npx may end before npx does, as a
 * terminal does after `nohup npx palestra serve &`.
 */
function ancestors(): string {
  const { name, parent } = statusOf(process.ppid);
  return name !== undefined && shells.has(name) ? `${process.ppid} ${parent}` : `${process.ppid}`;
}

const shells: ReadonlySet<string> = new Set(["sh", "dash", "bash", "ash", "busybox", "ksh", "zsh"]);

/** Returns the name and the parent of a process on Linux. Other systems do not tell them in a file. */
function statusOf(pid: number): { name?: string | undefined; parent?: string | undefined } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return { name: /^Name:\s+(\S+)$/m.exec(status)?.[1], parent: /^PPid:\s+(\d+)$/m.exec(status)?.[1] };
  } catch {
    return {};
  }
}
