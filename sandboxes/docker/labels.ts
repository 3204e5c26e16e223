/**
 * Labels of containers and images, which contain their owner and their expiry. With the labels, containers and images
 * of a killed gym can be found and removed.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** Label of every container and image of Palestra. The value of the label is the sandbox's id. */
export const sandboxLabel = "palestra.sandbox";
const ownerLabel = "palestra.owner";
const expiresLabel = "palestra.expires";

/** Extra milliseconds before a container of a different machine expires, because clocks differ. */
const foreignGraceMs = 3_600_000;

/** Id of this boot of this machine and of this process's PID namespace. */
const place = placeName();

function placeName(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}-${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "unknown";
  }
}

/**
 * Returns the name of a process, `place/pid/start`. The start time distinguishes a process from a later process with
 * the same pid.
 */
function processName(pid: number): string | undefined {
  try {
    // The process name, in parentheses, may contain spaces. The start time is the 20th field after it.
    const start = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ")[19];
    return `${place}/${pid}/${start}`;
  } catch {
    return undefined;
  }
}

const own = processName(process.pid) ?? `${place}/${process.pid}`;

/** Ids of this process's containers. An id is in the set from before the container's creation until after its removal. */
const live = new Set<string>();

/** Marks a container of this process as needed. @returns a function that removes the mark */
export function keepLive(id: string): () => void {
  live.add(id);
  return () => void live.delete(id);
}

/** Returns the labels of a container. @param expiresMs expiry in milliseconds since the epoch */
export function labelsOf(id: string, expiresMs: number): Record<string, string> {
  return { [sandboxLabel]: id, [ownerLabel]: own, [expiresLabel]: `${expiresMs}` };
}

/**
 * Whether a container belongs to this process and is not needed. Such a container was created after its caller had
 * stopped waiting. An abandoned container has no connection to an agent, so it does not end by itself.
 */
export function isAbandoned(labels: Readonly<Record<string, string>>): boolean {
  return labels[ownerLabel] === own && !live.has(labels[sandboxLabel] ?? "");
}

/** Whether a container belongs to a process of this machine. The process may have ended. */
export function belongsTo(labels: Readonly<Record<string, string>>, pid: number): boolean {
  return place !== "unknown" && (labels[ownerLabel]?.startsWith(`${place}/${pid}/`) ?? false);
}

/** Whether the owner of a container has ended or, if the owner is on another machine, the container has expired. */
export function isOrphaned(labels: Readonly<Record<string, string>>, nowMs: number): boolean {
  const [its, pid] = labels[ownerLabel]?.split("/") ?? [];
  if (its === place && place !== "unknown") return processName(Number(pid)) !== labels[ownerLabel];
  return !(Number(labels[expiresLabel]) + foreignGraceMs >= nowMs);
}
