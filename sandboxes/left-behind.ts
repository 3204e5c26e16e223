/** Waits for the end of the sandboxes whose owner, a process of this machine, was killed. They end by themselves. */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two looks at the processes: first and longest. */
const [firstMs, longestMs] = [20, 1_000];

/** Resolves when no process of a sandbox of the kind is left. Never rejects. @param owner pid of the owner */
export async function untilProcessesEnd(kind: "process" | "browsers" | "jvm", owner: number): Promise<void> {
  // Every process of a sandbox has the folder of the sandbox in its command line, which is in a folder of the owner.
  const folder = new RegExp(`/palestra-${kind}-${owner}-[^/\\0]+${kind === "jvm" ? "" : "/"}`);
  for (let ms = firstMs; await isInUse(folder); ms = Math.min(2 * ms, longestMs)) await sleep(ms, null, { ref: false });
}

async function isInUse(folder: RegExp): Promise<boolean> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^[0-9]+$/.test(name));
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(lines)).some((line) => folder.test(line));
}
