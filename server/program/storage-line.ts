import { logPath } from "../app/app.js";
import type { Config } from "../config/config.js";
import { counted } from "../formats/counted.js";
import { bytesOfFile, diskOf, sizeText, walOf } from "../log/records/disk.js";

/** Returns a line on the size of the log, the free space of its disk, and how long episodes are kept. */
export function storageLine({ dataDir, log: { url, retainDays, maxMb } }: Config): string {
  if (url !== undefined)
    return `The log is in ${placeOf(url)}. ${kept(retainDays, maxMb)} (settings log.retainDays and log.maxMb).`;
  const path = logPath(dataDir);
  const size = sizeText(bytesOfFile(path) + bytesOfFile(walOf(path)));
  const disk = diskOf(path);
  const free = disk ? `, and its disk has ${sizeText(disk.freeBytes)} free` : "";
  return `The log has ${size}${free}. ${kept(retainDays, maxMb)} (settings log.retainDays and log.maxMb).`;
}

/** Returns the database of a URL without its user and password. */
function placeOf(url: string): string {
  // `URL` refuses several hosts.
  const [, hosts, database = ""] = /^[^:]+:\/\/(?:.*@)?([^/?]*)\/?([^?]*)/.exec(url) ?? [];
  return `the PostgreSQL database ${decodeURIComponent(database)} on ${hosts || "this machine"}`;
}

function kept(retainDays: number, maxMb: number): string {
  const days = counted(retainDays, "day");
  const age =
    retainDays === 0 ? "Episodes of any age are kept" : `Episodes that are not in use are deleted after ${days}`;
  if (maxMb === 0) return age;
  return `${age}, and the oldest ${retainDays === 0 ? "are deleted" : "earlier"} if the log nears ${sizeText(maxMb * 2 ** 20)}`;
}
