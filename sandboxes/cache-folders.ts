/** Paths of cache folders, for files that Palestra can create again. */
import { lstatSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Returns the user's cache folder of this name and a fallback in the temporary folder. The folders need not exist. */
export function cacheFolders(name: string, environment: NodeJS.ProcessEnv = process.env): string[] {
  const cache = join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "palestra", name);
  const temporary = join(tmpdir(), `palestra-${name}-${userInfo().username}`);
  return isOwnOrNone(temporary) ? [cache, temporary] : [cache];
}

/** Whether the folder is missing or belongs to this user. */
function isOwnOrNone(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats === undefined || (stats.isDirectory() && stats.uid === process.getuid?.());
}
