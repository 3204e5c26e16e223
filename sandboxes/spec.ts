/** Checks of a sandbox spec that every provider makes. */
import { posix } from "node:path";
import { SandboxError, type SandboxSpec } from "./sandbox.js";

const mostWritable = 16;
/** Longest delay of a Node timer, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1;
/** Folders whose content comes from the kernel, which cannot be made writable. */
const takenFolders = ["/proc", "/sys", "/dev"];

/** @throws {SandboxError} REFUSED for a spec that no provider could support */
export function checkSpec({ limits = {}, writable = [], lifetimeMs = 1, folder = "/" }: SandboxSpec): void {
  for (const [name, value] of Object.entries({ ...limits, lifetimeMs }))
    if (!(value > 0 && value <= longestTimerMs))
      throw refused(`${name} above 0 and at most ${longestTimerMs}`, `${value}`);
  if (folder !== "/" && !isPlain(folder))
    throw refused("an absolute path without `.` and `..` as `folder`", JSON.stringify(folder));
  if (writable.length > mostWritable)
    throw refused(`at most ${mostWritable} folders in \`writable\``, `${writable.length}`);
  for (const [at, path] of writable.entries()) {
    if (!isPlain(path)) throw refused("absolute paths without `.` and `..` in `writable`", JSON.stringify(path));
    if (takenFolders.some((taken) => isWithin(path, taken)))
      throw refused(`none of ${takenFolders.join(", ")} in \`writable\``, path);
    const other = writable.find((one, where) => where !== at && isWithin(path, one));
    if (other !== undefined) throw refused("folders in `writable` that do not overlap", `${path} and ${other}`);
  }
}

/** Whether a path is the folder itself or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function isPlain(path: string): boolean {
  return path.startsWith("/") && path !== "/" && posix.normalize(path) === path && !/[\0\n,:]|\/$/.test(path);
}

function refused(expected: string, received: string): SandboxError {
  return new SandboxError("REFUSED", expected, received);
}
