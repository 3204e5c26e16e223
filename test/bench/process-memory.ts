import { readdirSync, readFileSync } from "node:fs";

/** Returns the memory in bytes of a process and its descendants. Shared pages count once. */
export function memoryOfTree(root: number): number {
  const parents = new Map(readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? parentOf(Number(name)) : [])));
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow).reduce((sum, pid) => sum + memoryOf(pid), 0);
}

function parentOf(pid: number): [number, number][] {
  const [, parent] = /^PPid:\s*(\d+)$/m.exec(textOf(pid, "status")) ?? [];
  return parent === undefined || pid === 1 ? [] : [[pid, Number(parent)]];
}

function memoryOf(pid: number): number {
  const [, kibibytes = 0] = /^Pss:\s*(\d+) kB$/m.exec(textOf(pid, "smaps_rollup")) ?? [];
  return Number(kibibytes) * 1024;
}

/** Returns the text of a file, or "" if the process has ended. */
function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/**
 * Returns the peak memory of this process in bytes. It reads VmHWM, since `ru_maxrss` of a forked process includes memory of
 * its parent before the exec.
 */
export function peakMemory(): number {
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(textOf(process.pid, "status")) ?? [];
  return 1024 * (kibibytes === undefined ? process.resourceUsage().maxRSS : Number(kibibytes));
}
