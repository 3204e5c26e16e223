/** Removes control groups and folders of sandboxes whose gym was killed. */
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "../programs.js";
import { removeOrphanedGroups } from "./cgroups.js";

const folderPrefix = "palestra-process-";

/** Prefix of the paths of this process's sandbox folders. */
export const ownFolderPrefix = join(tmpdir(), `${folderPrefix}${process.pid}-`);

/** Returns the name of the control group of a sandbox of this process. */
export function groupName(id: string): string {
  return `${process.pid}-${id}`;
}

/** Removes the control groups and folders of processes that no longer run. Never rejects. */
export async function removeOrphans(): Promise<void> {
  await removeOrphanedGroups(isOwned);
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(folderPrefix) || isOwned(name.slice(folderPrefix.length))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * Whether the process that owns the name is running. The name starts with the owner's pid. Folders and groups with
 * other names are ignored.
 */
function isOwned(name: string): boolean {
  const pid = /^[0-9]+(?=-)/.exec(name)?.[0];
  return pid === undefined || isRunning(Number(pid));
}
