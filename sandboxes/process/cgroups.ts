/** Control groups of version 1 or 2, which limit the memory, processes and CPU time of a sandbox. */
import { existsSync } from "node:fs";
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Limits, SandboxError } from "../sandbox.js";

const mount = "/sys/fs/cgroup";
const family = "palestra";
const periodUs = 100_000;
/** Longest time in milliseconds that `close` waits for the removal of a group. */
const mostEndingMs = 2_000;
/** Time in milliseconds for further attempts in the background. */
const mostRemovingMs = 300_000;

type Resource = "memory" | "pids" | "cpu";

/** Returns the file name and the value of each setting of a resource. */
function settingsOf(resource: Resource, { memoryMb, processes, cpus }: Limits, version: 1 | 2): [string, string][] {
  const bytes = `${(memoryMb ?? 0) * 2 ** 20}`;
  const quota = `${Math.round((cpus ?? 0) * periodUs)}`;
  if (resource === "pids") return [["pids.max", `${processes}`]];
  if (resource === "cpu")
    return version === 2
      ? [["cpu.max", `${quota} ${periodUs}`]]
      : [
          ["cpu.cfs_period_us", `${periodUs}`],
          ["cpu.cfs_quota_us", quota],
        ];
  return version === 2
    ? [
        ["memory.max", bytes],
        ["memory.swap.max", "0"],
      ]
    : [
        ["memory.limit_in_bytes", bytes],
        ["memory.memsw.limit_in_bytes", bytes],
      ];
}

/** The control groups of one sandbox: one folder in version 2, one folder for each resource in version 1. */
export class Cgroup {
  private constructor(private readonly folders: string[]) {}

  /** Creates the groups and sets their limits. @throws {SandboxError} REFUSED if this machine cannot enforce a limit */
  static async make(name: string, limits: Limits): Promise<Cgroup> {
    const wanted = resourcesOf(limits);
    const version = existsSync(join(mount, "cgroup.controllers")) ? 2 : 1;
    const folders = version === 2 ? [join(mount, family, name)] : wanted.map((one) => join(mount, one, family, name));
    const group = new Cgroup(wanted.length === 0 ? [] : folders);
    try {
      for (const folder of group.folders) await makeGroup(folder, version, wanted);
      for (const [at, resource] of wanted.entries()) {
        const folder = folders[version === 2 ? 0 : at] as string;
        for (const [file, value] of settingsOf(resource, limits, version)) await setLimit(join(folder, file), value);
      }
      if (version === 1 && limits.cpus === undefined) await group.joinOthers(name);
      return group;
    } catch (error) {
      await group.end();
      const advice = "Leave the limit out, run the gym where it may make control groups, or use Docker";
      const expected = `control groups that hold ${wanted.join(", ")}`;
      throw new SandboxError("REFUSED", expected, (error as Error).message, advice, { cause: error });
    }
  }

  /**
   * Puts a sandbox without a CPU limit into the CPU group of all sandboxes. The kernel shares CPU time between groups.
   * Otherwise, with sched_autogroup, every sandbox would be a separate group and get as much CPU time as the gym.
   */
  private async joinOthers(name: string): Promise<void> {
    const folder = join(mount, "cpu", family, name);
    const isMade = makeGroup(folder, 1, []).then(
      () => true,
      () => false,
    );
    if (await isMade) this.folders.push(folder);
  }

  /** Puts a process and its future children into the groups. @throws {Error} if the process has ended */
  async add(pid: number): Promise<void> {
    for (const folder of this.folders) await writeFile(join(folder, "cgroup.procs"), `${pid}`);
  }

  /**
   * Ends the processes in the groups and removes the groups. The method waits two seconds at most, since the kernel can be
   * slow on a busy machine, and continues in the background. Never rejects.
   */
  async end(): Promise<void> {
    await endSoonOrLater(this.folders);
  }
}

interface Patience {
  withinMs: number;
  everyMs: number;
  /** Whether the timers keep this process alive. */
  isWaitedFor: boolean;
}

async function endSoonOrLater(folders: readonly string[]): Promise<void> {
  const left = await endGroups(folders, { withinMs: mostEndingMs, everyMs: 10, isWaitedFor: true });
  // A later gym removes groups that outlast this process as orphans.
  void endGroups(left, { withinMs: mostRemovingMs, everyMs: 500, isWaitedFor: false });
}

/** @returns the groups that could not be removed in time */
async function endGroups(folders: readonly string[], patience: Patience): Promise<string[]> {
  const { withinMs, everyMs, isWaitedFor } = patience;
  const until = performance.now() + withinMs;
  const left: string[] = [];
  for (const folder of folders) {
    let isGone = await isEndedAndRemoved(folder);
    while (!isGone && performance.now() < until) {
      await sleep(everyMs, undefined, { ref: isWaitedFor });
      isGone = await isEndedAndRemoved(folder);
    }
    if (!isGone) left.push(folder);
  }
  return left;
}

/** Ends and removes groups whose owner has died. Never rejects. */
export async function removeOrphanedGroups(isOwned: (name: string) => boolean): Promise<void> {
  const parents = ["", "memory", "pids", "cpu"].map((resource) => join(mount, resource, family));
  for (const parent of parents) {
    const names = await readdir(parent).catch(() => []);
    const orphans = names.filter((name) => !isOwned(name)).map((name) => join(parent, name));
    const groups = orphans.filter((folder) => existsSync(join(folder, "cgroup.procs")));
    await endSoonOrLater(groups);
  }
}

/**
 * Kills a group's processes and tries to remove the group. The removal fails while the kernel is still ending a
 * process.
 */
async function isEndedAndRemoved(folder: string): Promise<boolean> {
  await endAll(folder);
  return rmdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}

async function endAll(folder: string): Promise<void> {
  const pids = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
  // Processes of other PID namespaces are listed as 0, which `kill` would take for this process's group.
  for (const pid of pids.split("\n").filter((text) => Number(text) > 1)) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // The process has ended in the meantime.
    }
  }
}

function resourcesOf({ memoryMb, processes, cpus }: Limits): Resource[] {
  const wanted: Resource[] = [];
  if (memoryMb !== undefined) wanted.push("memory");
  if (processes !== undefined) wanted.push("pids");
  if (cpus !== undefined) wanted.push("cpu");
  return wanted;
}

async function makeGroup(folder: string, version: 1 | 2, resources: readonly Resource[]): Promise<void> {
  const parent = join(folder, "..");
  await mkdir(parent, { recursive: true });
  // A group can use only the controllers that its parents enable.
  const all = resources.map((resource) => `+${resource}`).join(" ");
  if (version === 2) for (const above of [mount, parent]) await writeFile(join(above, "cgroup.subtree_control"), all);
  await mkdir(folder);
}

async function setLimit(file: string, value: string): Promise<void> {
  // A kernel without swap accounting has no such file.
  if (/swap|memsw/.test(file) && !existsSync(file)) return;
  await access(file, constants.W_OK);
  await writeFile(file, value);
}
