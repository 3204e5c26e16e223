/** A gym whose data directory or log cannot be written, at the start or while it runs. */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { root, type ServerProcess, spawnGym, startNode } from "../support/server-process.js";
import { connect, scratch, serve } from "../support/serving.js";
import { SmallDisk } from "../support/small-disk.js";
import { eventually } from "../support/watching.js";

const remedy = (user: number) =>
  `Make it writable for the user with id ${user}, or choose another directory with --data-dir`;
const quiet: ExecFileSyncOptions = { stdio: "pipe" };
const nobody = 65_534;

/**
 * Makes a file or folder immutable for every user until the end of the test. Skips the test if the system cannot do
 * this.
 */
function freeze(context: TestContext, path: string): { thaw(): void } {
  const change = (flag: string) => execFileSync("chattr", [flag, path], quiet);
  try {
    change("+i");
  } catch (error) {
    context.skip(`expected to make a file immutable, which needs root and ext4, but received: ${error}`);
  }
  onTestFinished(() => void change("-i"));
  return { thaw: () => change("-i") };
}

async function refusal(gym: ServerProcess): Promise<string> {
  onTestFinished(() => void gym.kill());
  expect(await gym.exited).toMatchObject({ code: 1 });
  return gym.stderr;
}

test("a data directory on a read-only file system is refused with its path and the remedy", async (context) => {
  const disk = SmallDisk.mount(context, 4);
  execFileSync("mount", ["-o", "remount,ro", disk.path]);
  const told = await refusal(spawnGym({ dataDir: disk.path }));
  expect(told).toContain(`expected a readable and writable data directory at ${disk.path}, but received EROFS`);
  expect(told).toContain(remedy(process.getuid?.() as number));
});

test("a data directory of another user is refused with its path and the remedy", async (context) => {
  if (process.getuid?.() !== 0) return context.skip("expected to start a gym as another user, which needs root");
  const dataDir = scratch();
  chmodSync(dataDir, 0o755);
  try {
    execFileSync("true", { cwd: root, uid: nobody, gid: nobody });
  } catch {
    return context.skip(`expected a checkout that other users can read, but received ${root}`);
  }
  const become = `data:text/javascript,process.setgid(${nobody}); process.setuid(${nobody})`;
  const serveThere = ["dist/server/program/cli.js", "--data-dir", dataDir, "serve", "--port", "0"];
  const told = await refusal(startNode(["--import", become, ...serveThere]));
  expect(told).toContain(`expected a readable and writable data directory at ${dataDir}, but received EACCES`);
  expect(told).toContain(remedy(nobody));
});

test("a log that cannot be written is refused with its path and the remedy", async (context) => {
  const dataDir = scratch();
  const { process: first } = await serve({ dataDir });
  await first.stop();
  freeze(context, join(dataDir, "episodes.db"));
  const told = await refusal(spawnGym({ dataDir }));
  expect(told).toContain(`LOG_FAILED: expected access to the episode log, but received ${dataDir}/episodes.db: EPERM`);
  expect(told).toContain(remedy(process.getuid?.() as number));
});

test("a log that becomes read-only refuses steps until it can be written again, and loses none", async (context) => {
  const dataDir = scratch();
  const { url } = await serve({ dataDir });
  const socket = await connect(url);
  const params = { environment: "textcraft", task: { index: 0 } };
  const { episodeId } = await socket.request<{ episodeId: string }>("create", params);
  await socket.request("step", { episodeId, index: 0, action: "inventory" });
  const frozen = freeze(context, join(dataDir, "episodes.db-wal"));
  const step = { episodeId, index: 1, action: "inventory" };
  await expect(socket.request("step", step)).rejects.toMatchObject({
    code: "LOG_FAILED",
    failureClass: "infrastructure",
  });
  expect(await socket.request("get", { episodeId })).toMatchObject({ index: 1, phase: "running" });
  frozen.thaw();
  const take = () => socket.request("step", step).catch((error: Error) => error);
  expect(await eventually(take, (reply) => !(reply instanceof Error))).toMatchObject({ index: 1 });
});
