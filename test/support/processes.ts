/** Process sandboxes for tests: a check whether this machine can run them, and the files that they leave behind. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "vitest";

function has(program: string): boolean {
  try {
    execFileSync(program, ["--version"]);
    return true;
  } catch {
    return false;
  }
}

const missing = ["bwrap", "cc"].filter((program) => !has(program));
/** Reason why this machine cannot run process sandboxes, or undefined. */
export const missingForProcesses =
  missing.length > 0 ? `expected ${missing.join(" and ")} on the PATH, but found none` : undefined;

/** Declares a test that needs bubblewrap and a C compiler, and skips it otherwise. */
export function testProcess(title: string, run: () => Promise<void>, timeoutMs = 60_000): void {
  test(
    title,
    async (context) => {
      if (missingForProcesses) context.skip(missingForProcesses);
      await run();
    },
    timeoutMs,
  );
}

/** Returns the control groups and folders of a process's sandboxes. */
export function heldBy(pid: number): string[] {
  const groups = ["", "memory", "pids", "cpu"].map((resource) => `/sys/fs/cgroup/${resource}/palestra`);
  const own = (name: string) => name.startsWith(`${pid}-`);
  const inGroups = groups.filter((folder) => existsSync(folder)).flatMap((folder) => readdirSync(folder).filter(own));
  return [...inGroups, ...readdirSync(tmpdir()).filter((name) => name.startsWith(`palestra-process-${pid}-`))];
}

/** Returns the pids of processes whose command line contains the text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name) && readCommandLine(name).includes(text))
    .map(Number);
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the parent's pid of a process, or undefined if the process has ended. */
export function parentOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^PPid:\t(\d+)$/m.exec(status)?.[1]);
  } catch {
    return undefined;
  }
}
