/**
 * A gym on a machine with 25 busy processes for each processor. Calls wait for a processor, and no episode is blamed.
 * The gym still detects a call that loops.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixture } from "../support/gym.js";
import type { GymSocket } from "../support/gym-socket.js";
import { connect, serve } from "../support/serving.js";
import { metric } from "../support/watching.js";

const busy: ChildProcess[] = [];

beforeAll(() => {
  for (let i = 0; i < 25 * availableParallelism(); i++)
    busy.push(spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }));
});
afterAll(() => {
  for (const child of busy) child.kill("SIGKILL");
});

const environments = ["textcraft", "babyai", "memory", "math", "sciworld"];

async function play(socket: GymSocket, index: number): Promise<void> {
  const environment = environments[index % environments.length] as string;
  const { episodeId } = await socket.request<{ episodeId: string }>("create", {
    environment,
    task: { index: index % 50 },
  });
  for (let step = 0; step < 2; step++)
    await socket.request("step", { episodeId, index: step, action: step === 0 ? "look" : "x".repeat(50_000) });
  await socket.request("close", { episodeId });
}

test("no episode of 300 fails, and an episode that loops fails with ENVIRONMENT_HUNG", async () => {
  const { url } = await serve({ environmentModules: [fixture("faulty")] });
  const socket = await connect(url);
  let next = 0;
  const worker = async () => {
    while (next < 300) await play(socket, next++);
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: 16 }, worker));
  console.info(`300 episodes took ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  expect(await metric(url, "palestra_hosts_lost_total")).toBe(0);

  const { episodeId } = await socket.request<{ episodeId: string }>("create", {
    environment: "faulty",
    task: { index: 0 },
  });
  const looping = socket.request("step", { episodeId, index: 0, action: "hang" });
  await expect(looping).rejects.toMatchObject({ code: "ENVIRONMENT_HUNG", failureClass: "environment" });
}, 1_800_000);
