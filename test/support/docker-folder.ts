/** The folder and the end of the tests' own Docker engine. This file imports nothing from dist/. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "palestra", "test-engine");
export const pidFile = join(folder, "pid");
/** Folder with a file for each run that uses the engine. The last run ends the engine. */
export const users = join(folder, "users");

/** vitest calls this before the first test, and the returned function after the last. */
export default function setup(): () => Promise<void> {
  return leaveEngine;
}

async function leaveEngine(): Promise<void> {
  if (!existsSync(users)) return;
  for (const pid of readdirSync(users).map(Number)) {
    // If a run was killed, the parent of its worker is process 1.
    const hasLeft = pid === process.pid || pid <= 1 || !existsSync(`/proc/${pid}`);
    if (hasLeft) rmSync(join(users, `${pid}`), { force: true });
  }
  if (readdirSync(users).length === 0) await stopEngine();
}

/** Ends the tests' own engine, and waits for its end. */
export async function stopEngine(): Promise<void> {
  const pid = Number(existsSync(pidFile) && readFileSync(pidFile, "utf8"));
  if (!pid || !readCommand(pid).includes("dockerd")) return;
  process.kill(pid, "SIGTERM");
  for (const until = Date.now() + 60_000; existsSync(`/proc/${pid}`) && Date.now() < until; ) await sleep(50);
}

function readCommand(pid: number): string {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
