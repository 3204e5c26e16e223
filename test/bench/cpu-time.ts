/** CPU time of processes, all of their threads included, as Linux counts it in ticks of 10 ms. */
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** Returns the CPU seconds of processes so far. A process that has ended counts as 0. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond;
}

/** Returns the CPU seconds of all programs of the machine so far. */
export function machineCpuSeconds(): number {
  const [all = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = all.split(/ +/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) / ticksPerSecond;
}

/** Returns the CPU seconds of the main threads of processes so far. */
export function mainThreadSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksIn(`/proc/${pid}/task/${pid}/stat`), 0) / ticksPerSecond;
}

/** Returns the descendants of a process, apart from those of the processes in `without`. */
export function descendants(pid: number, without: readonly number[] = []): number[] {
  const children = childrenOf(pid).filter((child) => !without.includes(child));
  return children.flatMap((child) => [child, ...descendants(child, without)]);
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function ticksOf(pid: number): number {
  return ticksIn(`/proc/${pid}/stat`);
}

function ticksIn(path: string): number {
  try {
    // The name of the program may have spaces and brackets.
    const fields = readFileSync(path, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
