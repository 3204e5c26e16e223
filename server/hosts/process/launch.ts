import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";

/** How a process is started. */
export interface Launch {
  program: URL;
  /** Argument that tells operators, in a list of processes, what the process runs. */
  name: string;
  /** Variables of the process's environment. */
  environment: NodeJS.ProcessEnv;
  /** Whether the process starts sandboxes such as browsers, which need more memory and files than environments. */
  hasSandboxes: boolean;
}

/**
 * MiB that a process may take beyond the limit on its environments: for Node itself, its threads, and memory that V8 has
 * not returned yet.
 */
const ownMb = 512;

/**
 * Niceness of a process with sandboxes, and of its sandboxes, so that the gym's own threads have priority on a busy machine.
 */
const niceness = 5;

/** Limit on the open files of a process. */
const mostFiles = 4_096;

/**
 * Starts a program in a process group of its own. A process without sandboxes gets limits on memory and files from the
 * kernel, which hold for each process that an environment starts, too.
 */
export function spawnLimited(
  { program, name, environment, hasSandboxes }: Launch,
  memoryMb: number,
  pulse: number,
): ChildProcess {
  const limits = ["-c 0", ...(hasSandboxes ? [] : [`-n ${mostFiles}`, `-d ${(memoryMb + ownMb) * 1_024}`])];
  const script = `${limits.map((limit) => `ulimit ${limit} 2>/dev/null`).join("; ")}; exec "$@"`;
  const node = [process.execPath, ...process.execArgv, `--max-old-space-size=${memoryMb}`, fileURLToPath(program)];
  const child = spawn("/bin/sh", ["-c", script, "sh", ...node, name], {
    detached: true,
    env: environment,
    // What an environment prints must not get into the gym's log, whose lines are JSON on standard output.
    stdio: ["ignore", 2, 2, "pipe", "pipe", pulse],
  });
  // A missing pid means that the process could not be started. The child's `error` event follows.
  if (hasSandboxes && child.pid !== undefined) setPriority(child.pid, niceness);
  return child;
}
