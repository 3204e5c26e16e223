/**
 * Starts a program that cannot outlive this process, whatever way either of them ends.
 *
 * The program's process group has a second member: a shell that waits for the end of a pipe whose other end only this
 * process holds. The kernel closes that end with the process, also when it was killed; then the shell ends the group and
 * removes the folder. Covered: a program that is stopped, or does not read its input. Not covered: what the program has
 * put into another process group.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

export type Child = ChildProcessByStdio<Writable, Readable, Readable> & { readonly pid: number };

/** $0 is the folder, the other arguments are the command; the shell becomes the program, so that its pid is the program's. */
const script = `
exec 3<&0 </dev/null
(read -r end <&3; kill -KILL $$; rm -rf -- "$0"; kill -KILL 0) >/dev/null 2>&1 &
exec "$@" 3<&-
`;

/**
 * @param folder that it runs in, removed when this process ends
 * @param environment all that it is told, and no more
 * @throws {Error} no process can be started
 */
export async function startOnLifeline(
  command: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Child> {
  const child = spawn("/bin/sh", ["-c", script, folder, ...command], {
    cwd: folder,
    env: environment,
    // A process group of its own.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  // The pipe breaks with the program, which its exit tells as well.
  child.stdin.on("error", () => {});
  await once(child, "spawn");
  return child as Child;
}

/** Ends the program, what it has started, and the shell beside it. */
export function endGroup({ pid }: Child): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it runs any more.
  }
}
