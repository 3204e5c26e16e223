/** Builds the command line of bubblewrap, which sets the namespaces, mounts and user of a sandbox. */
import { existsSync } from "node:fs";
import { findProgram } from "../programs.js";
import { SandboxError } from "../sandbox.js";

/** User of every process in a sandbox. */
export const user = { name: "sandbox", uid: 1000, gid: 1000 } as const;
export const workFolder = "/work";
/** File descriptor of the agent's program in bubblewrap. The sandbox's user needs no access to the program's path. */
export const agentDescriptor = 3;
export const agentPath = "/.palestra-agent";

/** Folders of this machine's programs and libraries, mounted read-only in sandboxes. */
export const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const systemFiles = [
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/mime.types",
];
const sharedMemoryBytes = 64 * 2 ** 20;

/** Returns the path of `bwrap`. @throws {SandboxError} MISSING */
export async function findBubblewrap(path: string | undefined): Promise<string> {
  const program = await findProgram("bwrap", path ?? "");
  if (program !== undefined) return program;
  const advice = "Install it: `apt-get install bubblewrap` on Debian";
  throw SandboxError.ofState("MISSING", "The program bwrap of bubblewrap is not on the PATH.", advice);
}

export interface Files {
  /** Path of the file to mount as /etc/passwd. */
  passwd: string;
  /** Path of the file to mount as /etc/group. */
  group: string;
}

/**
 * Returns the arguments of `bwrap`.
 *
 * @param diskMb total size in MiB of all writable folders except /dev/shm
 * @param writable paths of writable folders in addition to /work and /tmp
 */
export function bubblewrapArguments(files: Files, diskMb: number, writable: readonly string[]): string[] {
  return [
    ...["--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1"],
    ...["--die-with-parent", "--new-session", "--clearenv"],
    ...["--uid", `${user.uid}`, "--gid", `${user.gid}`, "--hostname", "sandbox", "--cap-drop", "ALL"],
    ...systemFolders.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
    ...systemFiles.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--ro-bind", files.passwd, "/etc/passwd", "--ro-bind", files.group, "/etc/group"],
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", `${sharedMemoryBytes}`, "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...["--size", `${diskMb * 2 ** 20}`, "--tmpfs", "/writable"],
    ...["--perms", "0755", "--dir", "/writable/work", "--perms", "1777", "--dir", "/writable/tmp"],
    ...["--symlink", "writable/work", workFolder, "--symlink", "writable/tmp", "/tmp"],
    ...writable.flatMap((path, at) => ["--dir", `/writable/${at}`, "--symlink", `/writable/${at}`, path]),
    ...["--perms", "0555", "--ro-bind-data", `${agentDescriptor}`, agentPath],
    ...["--remount-ro", "/", "--chdir", workFolder, "--", agentPath],
  ];
}
