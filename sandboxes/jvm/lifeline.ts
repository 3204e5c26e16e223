/**
 * Starts a program that cannot outlive this process, even if this process is killed.
 *
 * The program's process group also contains a shell, which waits until a pipe is closed. Only this process has the
 * write end of the pipe, and the kernel closes it when this process ends. The shell then kills the group and removes
 * the folder. This also ends a stopped program and a program that does not read its input, but not a process that has
 * moved to another group.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

export type Child = ChildProcessByStdio<Writable, Readable, Readable> & { readonly pid: number };

/**
 * Start script. $0 is the folder, and the remaining arguments are the command. The shell executes the program, which
 * therefore has the shell's pid.
 */
const script = `
exec 3<&0 </dev/null
(read -r end <&3; kill -KILL $$; rm -rf -- "$0"; kill -KILL 0) >/dev/null 2>&1 &
exec "$@" 3<&-
`;

/**
 * Starts a command.
 *
 * @param folder working folder of the program. It is removed when this process ends.
 * @param environment complete environment of the command
 * @throws {Error} if the process cannot be started
 */
export async function startOnLifeline(
  command: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Child> {
  const child = spawn("/bin/sh", ["-c", script, folder, ...command], {
    cwd: folder,
    env: environment,
    // `detached` makes a process group.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // The pipe breaks when the program ends, which `exit` reports.
  child.stdin.on("error", () => {});
  await once(child, "spawn");
  return child as Child;
}

/** Ends the program's process group: the program, its children and the shell. */
export function endGroup({ pid }: Child): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}
