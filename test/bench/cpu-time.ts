/** CPU time of processes with all of their threads, as Linux counts it in ticks of 10 ms. */
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

/** Returns the CPU seconds of a process, of its descendants, and of the descendants that have ended and were waited for. */
export function treeSeconds(pid: number): number {
  const ticks = [pid, ...descendants(pid)].reduce((sum, each) => sum + ticksOf(each) + endedTicksOf(each), 0);
  return ticks / ticksPerSecond;
}

/** Returns the CPU seconds of the children of this process that have ended, and of their descendants. */
export function endedChildrenSeconds(): number {
  return endedTicksOf(process.pid) / ticksPerSecond;
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
  const [user = 0, system = 0] = fieldsOf(path).slice(11);
  return user + system;
}

function endedTicksOf(pid: number): number {
  const [user = 0, system = 0] = fieldsOf(`/proc/${pid}/stat`).slice(13);
  return user + system;
}

/** Returns the fields after the program's name, or none if the process has ended. */
function fieldsOf(path: string): number[] {
  try {
    // The name of the program may have spaces and brackets.
    return readFileSync(path, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
  } catch {
    return [];
  }
}
