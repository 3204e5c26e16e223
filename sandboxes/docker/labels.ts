/** Labels of containers and images: whose they are, and until when. They are all that is left when a gym is killed. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Every container and image of ours has it. Its value is the sandbox's id. */
export const sandboxLabel = "palestra.sandbox";
const ownerLabel = "palestra.owner";
const expiresLabel = "palestra.expires";

/** Names a process so that no later one of the same number is taken for it: `host/pid/start`. */
function processName(pid: number): string | undefined {
  try {
    // The name in parentheses may hold spaces; the start is the 20th field after it.
    const start = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ")[19];
    return `${hostname()}/${pid}/${start}`;
  } catch {
    return undefined;
  }
}

/** @param expiresMs since the epoch: nobody needs it after that */
export function labelsOf(id: string, expiresMs: number, more: Readonly<Record<string, string>> = {}) {
  const owner = processName(process.pid) ?? `${hostname()}/${process.pid}`;
  return { ...more, [sandboxLabel]: id, [ownerLabel]: owner, [expiresLabel]: `${expiresMs}` };
}

/** Whether nobody needs it any more: its process on this machine is gone, or its time is over. */
export function isOrphaned(labels: Readonly<Record<string, string>>, nowMs: number): boolean {
  if (Number(labels[expiresLabel]) < nowMs) return true;
  const [host, pid] = labels[ownerLabel]?.split("/") ?? [];
  return host === hostname() && processName(Number(pid)) !== labels[ownerLabel];
}
