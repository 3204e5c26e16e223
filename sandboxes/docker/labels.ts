/** Labels of containers and images: whose they are, and until when. They are all that is left when a gym is killed. */
import { readFileSync, readlinkSync } from "node:fs";

/** Every container and image of ours has it. Its value is the sandbox's id. */
export const sandboxLabel = "palestra.sandbox";
const ownerLabel = "palestra.owner";
const expiresLabel = "palestra.expires";

/** Milliseconds beyond its time that another machine's is left alone: clocks differ. */
const foreignGraceMs = 3_600_000;

/** Names this boot of this machine and the numbering of processes that this process sees. */
const place = placeName();

function placeName(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}-${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "unknown";
  }
}

/** Names a process so that no later one of the same number is taken for it: `place/pid/start`. */
function processName(pid: number): string | undefined {
  try {
    // The name in parentheses may hold spaces; the start is the 20th field after it.
    const start = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ")[19];
    return `${place}/${pid}/${start}`;
  } catch {
    return undefined;
  }
}

/** @param expiresMs since the epoch: nobody needs it after that */
export function labelsOf(id: string, expiresMs: number): Record<string, string> {
  const owner = processName(process.pid) ?? `${place}/${process.pid}`;
  return { [sandboxLabel]: id, [ownerLabel]: owner, [expiresLabel]: `${expiresMs}` };
}

/** Whether nobody needs it any more: its process is gone, or, where that cannot be seen from here, its time is long over. */
export function isOrphaned(labels: Readonly<Record<string, string>>, nowMs: number): boolean {
  const [its, pid] = labels[ownerLabel]?.split("/") ?? [];
  if (its === place && place !== "unknown") return processName(Number(pid)) !== labels[ownerLabel];
  return !(Number(labels[expiresLabel]) + foreignGraceMs >= nowMs);
}
