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

const own = processName(process.pid) ?? `${place}/${process.pid}`;

/** Ids of this process's containers, from before the engine is asked to make one until it is known to be gone. */
const live = new Set<string>();

/** Marks a container as one of this process that is needed. @returns marks it as one that is not */
export function keepLive(id: string): () => void {
  live.add(id);
  return () => void live.delete(id);
}

/** @param expiresMs since the epoch: nobody needs it after that */
export function labelsOf(id: string, expiresMs: number): Record<string, string> {
  return { [sandboxLabel]: id, [ownerLabel]: own, [expiresLabel]: `${expiresMs}` };
}

/**
 * Whether a container is this process's own and not needed: the engine has made it after its caller had given up. It has no agent's
 * line, so that it would not end by itself.
 */
export function isAbandoned(labels: Readonly<Record<string, string>>): boolean {
  return labels[ownerLabel] === own && !live.has(labels[sandboxLabel] ?? "");
}

/** Whether nobody needs it any more: its process is gone, or, where that cannot be seen from here, its time is long over. */
export function isOrphaned(labels: Readonly<Record<string, string>>, nowMs: number): boolean {
  const [its, pid] = labels[ownerLabel]?.split("/") ?? [];
  if (its === place && place !== "unknown") return processName(Number(pid)) !== labels[ownerLabel];
  return !(Number(labels[expiresLabel]) + foreignGraceMs >= nowMs);
}
