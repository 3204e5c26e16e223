/** Reads the processes of a browser from /proc: their ids, their confinement and their memory use. */
import { readdir, readFile } from "node:fs/promises";

export interface ProcessFacts {
  pid: number;
  /** Arguments separated by NUL. */
  commandLine: string;
}

/**
 * Returns the processes whose command line contains a path in the folder. Every process of a browser has the path of
 * the browser's profile there.
 */
export async function processesOf(folder: string): Promise<ProcessFacts[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^[0-9]+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(async (pid) => ({ pid, commandLine: await read(`/proc/${pid}/cmdline`) })));
  return all.filter(({ commandLine }) => commandLine.includes(`${folder}/`));
}

/** Ends all processes of the folder, and waits up to `withinMs` until none is left. */
export async function endProcesses(folder: string, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const processes = await processesOf(folder);
    for (const { pid } of processes) kill(pid);
    if (processes.length === 0 || performance.now() > deadline) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Returns the memory of all processes in bytes. Memory pages that processes share are counted once if this user may
 * read the kernel's data about them.
 */
export async function memoryOf(folder: string): Promise<number> {
  const processes = await processesOf(folder);
  const sizes = await Promise.all(processes.map(({ pid }) => memoryOfProcess(pid)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Checks that every renderer has a seccomp filter, a separate PID namespace, no capabilities and an ordinary user.
 * Returns a description of the first missing restriction, or undefined if every renderer is confined.
 */
export async function confinementGap(folder: string): Promise<string | undefined> {
  const renderers = (await processesOf(folder)).filter(({ commandLine }) => commandLine.includes("--type=renderer"));
  if (renderers.length === 0) return "no renderer process";
  for (const { pid } of renderers) {
    const status = await read(`/proc/${pid}/status`);
    // The status of a process that has just ended is empty.
    const gap = status === "" ? undefined : gapOf(status);
    if (gap !== undefined) return `a renderer ${gap}`;
  }
  return undefined;
}

/** Returns the user id of a process, or undefined if it has ended. */
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
  // The maps of the process are not readable, so its anonymous resident memory is used instead.
  const anonymous = /^RssAnon:\s+([0-9]+) kB$/m.exec(await read(`/proc/${pid}/status`))?.[1];
  return Number(anonymous ?? 0) * 1024;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}

function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
