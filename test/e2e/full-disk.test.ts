/** A gym that starts on a full disk can read its log, and takes steps again once there is room. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type ServerProcess, spawnGym } from "../support/server-process.js";
import { connect, serve } from "../support/serving.js";
import { SmallDisk } from "../support/small-disk.js";
import { eventually } from "../support/watching.js";

const mebibytes = 24;
const remedy = "Make room on the disk of the data directory, and start the gym again";

async function refusal(gym: ServerProcess): Promise<string> {
  onTestFinished(() => void gym.kill());
  expect(await gym.exited).toMatchObject({ code: 1 });
  return gym.stderr;
}

test.for(["stopped", "killed"] as const)(
  "a gym that was %s starts on a full disk, serves reads, and takes steps once there is room",
  {
    timeout: 240_000,
  },
  async (end, context) => {
    const disk = SmallDisk.mount(context, mebibytes);
    const first = await serve({ dataDir: disk.path });
    const before = await connect(first.url);
    const { episodeId } = await before.request<{ episodeId: string }>("create", {
      environment: "textcraft",
      task: { index: 0 },
    });
    const step = (index: number) => ({ episodeId, index, action: "inventory" });
    for (let index = 0; index < 3; index++) await before.request("step", step(index));
    await (end === "stopped" ? first.process.stop() : first.process.kill());
    disk.fill();

    const { url } = await serve({ dataDir: disk.path });
    const socket = await connect(url);
    const { steps } = await socket.request<{ steps: unknown[] }>("transcript", { episodeId });
    expect(steps).toHaveLength(3);
    expect((await fetch(`${url}/v1/episodes/${episodeId}/export`)).status).toBe(200);
    expect((await fetch(`${url}/ui/`)).status).toBe(200);
    await expect(socket.request("step", step(3))).rejects.toMatchObject({ code: "LOG_FAILED" });
    disk.free();
    const taken = () => socket.request<{ index: number }>("step", step(3)).catch(() => null);
    expect(await eventually(taken, (reply) => reply !== null)).toMatchObject({ index: 3 });
    expect(await socket.request("close", { episodeId })).toMatchObject({ phase: "closed" });
  },
);

test("a log of an older version that a full disk prevents from migration is unchanged, and the error names the remedy", async (context) => {
  const disk = SmallDisk.mount(context, 1);
  const path = join(disk.path, "episodes.db");
  copyFileSync(fileURLToPath(new URL("../fixtures/log/episodes-v7.db", import.meta.url)), path);
  disk.fill();
  const told = await refusal(spawnGym({ dataDir: disk.path }));
  expect(told).toContain(`${path}: database or disk is full. ${remedy}`);
  disk.free();
  const { url } = await serve({ dataDir: disk.path });
  expect((await fetch(`${url}/v1/episodes/ep-1-baff99fe48cd0ce3a299/transcript`)).status).toBe(200);
});
