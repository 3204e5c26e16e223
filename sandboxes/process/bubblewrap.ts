/** Builds the command line of bubblewrap, which sets the namespaces, mounts and user of a sandbox. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { findProgram } from "../programs.js";
import { SandboxError } from "../sandbox.js";
import { hostname, systemFiles, user, workFolder } from "./system-files.js";

/** File descriptor of the agent's program in bubblewrap. The sandbox's user needs no access to the program's path. */
export const agentDescriptor = 3;
export const agentPath = "/.palestra-agent";

/** Folders of this machine's programs and libraries, mounted read-only in sandboxes. */
export const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Files and folders in /etc of this machine, mounted read-only in sandboxes. None holds a secret or a name. */
const machineFiles = [
  ...["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/debian_version"],
  ...["/etc/mime.types", "/etc/services", "/etc/protocols"],
  ...["/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/ca-trust/extracted", "/etc/pki/tls/certs"],
];
/** Folders that exist in every Debian system, with their modes. They are empty and read-only. */
const emptyFolders: readonly [string, string][] = [
  ...["/etc", "/home", "/media", "/mnt", "/opt", "/run", "/srv", "/var"].map((path): [string, string] => [
    path,
    "0755",
  ]),
  ...["/var/cache", "/var/lib", "/var/log", "/var/spool"].map((path): [string, string] => [path, "0755"]),
  ["/root", "0000"],
  ["/run/lock", "1777"],
  ["/var/tmp", "1777"],
];
const sharedMemoryBytes = 64 * 2 ** 20;

/** Returns the path of `bwrap`. @throws {SandboxError} MISSING */
export async function findBubblewrap(path: string | undefined): Promise<string> {
  const program = await findProgram("bwrap", path ?? "");
  if (program !== undefined) return program;
  const advice = "Install it: `apt-get install bubblewrap` on Debian";
  throw SandboxError.ofState("MISSING", "The program bwrap of bubblewrap is not on the PATH.", advice);
}

/**
 * Returns the arguments of `bwrap`.
 *
 * @param files folder of this machine with the files of `systemFiles`
 * @param diskMb size in MiB of each writable folder except /dev/shm
 * @param writable paths of writable folders in addition to /work and /tmp
 */
export function bubblewrapArguments(files: string, diskMb: number, writable: readonly string[]): string[] {
  const size = ["--size", `${diskMb * 2 ** 20}`];
  return [
    ...["--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1"],
    ...["--die-with-parent", "--new-session", "--clearenv"],
    ...["--uid", `${user.uid}`, "--gid", `${user.gid}`, "--hostname", hostname, "--cap-drop", "ALL"],
    ...systemFolders.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
    ...emptyFolders.flatMap(([path, mode]) => ["--perms", mode, "--dir", path]),
    ...machineFiles.flatMap((path) => ["--ro-bind-try", path, path]),
    ...Object.keys(systemFiles).flatMap((path) => ["--ro-bind", join(files, basename(path)), path]),
    ...["--symlink", "../usr/lib/os-release", "/etc/os-release"],
    ...["--symlink", "/run", "/var/run", "--symlink", "/run/lock", "/var/lock"],
    ...["--proc", "/proc", "--dev", "/dev", "--mqueue", "/dev/mqueue"],
    ...["--size", `${sharedMemoryBytes}`, "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...["--perms", "1777", ...size, "--tmpfs", "/tmp"],
    // A folder comes before the folders in it.
    ...[workFolder, ...new Set(writable)].sort().flatMap((path) => ["--perms", "0755", ...size, "--tmpfs", path]),
    ...["--perms", "0555", "--ro-bind-data", `${agentDescriptor}`, agentPath],
    ...["--remount-ro", "/", "--chdir", workFolder, "--", agentPath],
  ];
}
