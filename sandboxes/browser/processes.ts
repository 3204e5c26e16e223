/** The processes of a browser as Linux shows them: which they are, how they are confined, what memory they hold. */
import { readdir, readFile } from "node:fs/promises";

export interface ProcessFacts {
  pid: number;
  /** Arguments, NUL-separated. */
  commandLine: string;
}

/** Processes whose command line names something in the folder, as each of a browser's processes names its profile. */
export async function processesOf(folder: string): Promise<ProcessFacts[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^[0-9]+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(async (pid) => ({ pid, commandLine: await read(`/proc/${pid}/cmdline`) })));
  return all.filter(({ commandLine }) => commandLine.includes(`${folder}/`));
}

/** Ends all processes of the folder and waits until none is left, at most `withinMs`. */
export async function endProcesses(folder: string, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const processes = await processesOf(folder);
    for (const { pid } of processes) kill(pid);
    if (processes.length === 0 || performance.now() > deadline) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Bytes of all processes together; shared pages count once where the kernel lets us see which they are. */
export async function memoryOf(folder: string): Promise<number> {
  const processes = await processesOf(folder);
  const sizes = await Promise.all(processes.map(({ pid }) => memoryOfProcess(pid)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Says how a renderer is not confined: by a filter of system calls, in a namespace of its own, without capabilities, as an
 * ordinary user. Returns undefined where all renderers are.
 */
export async function confinementGap(folder: string): Promise<string | undefined> {
  const renderers = (await processesOf(folder)).filter(({ commandLine }) => commandLine.includes("--type=renderer"));
  if (renderers.length === 0) return "no renderer process";
  for (const { pid } of renderers) {
    const status = await read(`/proc/${pid}/status`);
    // One that has just ended tells nothing.
    const gap = status === "" ? undefined : gapOf(status);
    if (gap !== undefined) return `a renderer ${gap}`;
  }
  return undefined;
}

/** User that a process runs as; undefined where it is gone. */
export async function userOf(pid: number): Promise<number | undefined> {
  const uid = field(await read(`/proc/${pid}/status`), "Uid").split(/\s+/)[1];
  return uid === undefined ? undefined : Number(uid);
}

function gapOf(status: string): string | undefined {
  if (field(status, "Seccomp") !== "2") return "without a filter of system calls";
  if (field(status, "NSpid").split(/\s+/).length < 2) return "without a process namespace of its own";
  if (!/^0+$/.test(field(status, "CapEff"))) return "with capabilities";
  return field(status, "Uid").split(/\s+/)[1] === "0" ? "that runs as root" : undefined;
}

function field(status: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1] ?? "";
}

async function memoryOfProcess(pid: number): Promise<number> {
  const rollup = await read(`/proc/${pid}/smaps_rollup`);
  const proportional = /^Pss:\s+([0-9]+) kB$/m.exec(rollup)?.[1];
  if (proportional !== undefined) return Number(proportional) * 1024;
  // Another process's maps are closed to us: what is resident and not backed by a file that others map, too.
  const anonymous = /^RssAnon:\s+([0-9]+) kB$/m.exec(await read(`/proc/${pid}/status`))?.[1];
  return Number(anonymous ?? 0) * 1024;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
