/** Latency of a bare Fastify server under the same attacks as the gym. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { scratchDir, startNode } from "../support/server-process.js";
import type { AttackName } from "./flood-attacks.js";
import { clients, type Latency, latencyOf, stepEveryMs } from "./flood-bystanders.js";

/** Attacks with HTTP alone, on paths that the bare server has. */
const comparable: ReadonlySet<string> = new Set<AttackName>([
  "pipelined requests",
  "pipelined requests that are read",
  "slow readers",
  "slowloris",
  "idle connections",
  "headers",
  "chunks",
  "half-sent bodies",
]);

/**
 * Measures the latency of steps at the bare server during an attack, or returns null if the attack needs the gym.
 *
 * @param environments reply of the gym's `/v1/environments`
 */
export async function underSameAttack(name: string, seconds: number, environments: string): Promise<Latency | null> {
  if (!comparable.has(name)) return null;
  const folder = scratchDir();
  const file = join(folder.path, "environments.json");
  writeFileSync(file, environments);
  const server = startNode(["--import", "tsx", "test/bench/flood-bare.ts", file], { showErrors: true });
  try {
    const url = await server.listeningUrl();
    await measure(url, 1);
    const attacker = startNode(["--import", "tsx", "test/bench/flood-attacks.ts", name, url], { showErrors: true });
    try {
      return await measure(url, seconds);
    } finally {
      await attacker.kill();
    }
  } finally {
    await server.kill();
    folder.remove();
  }
}

async function measure(url: string, seconds: number): Promise<Latency> {
  const until = performance.now() + seconds * 1_000;
  const latencies = await Promise.all(Array.from({ length: clients }, () => step(url, until)));
  return latencyOf(latencies.flat());
}

/** Steps until the given time. The latency of a step that still waits then is its wait so far. */
async function step(url: string, until: number): Promise<number[]> {
  const client = new Client(url, { pipelining: 1 });
  const latencies: number[] = [];
  for (let index = 0; performance.now() < until; index++) {
    const dueAt = performance.now();
    const isLate = await Promise.race([send(client, index, until), sleep(until - dueAt, true)]);
    latencies.push(performance.now() - dueAt);
    if (!isLate) await sleep(stepEveryMs);
  }
  await client.destroy();
  return latencies;
}

/** Sends a step, and sends it again if the server closes the connection. */
async function send(client: Client, index: number, until: number): Promise<false> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ index, action: "inventory" });
  while (performance.now() < until) {
    try {
      const reply = await client.request({ method: "POST", path: "/v1/episodes/ep-1/step", headers, body });
      await reply.body.text();
      break;
    } catch {
      await sleep(stepEveryMs);
    }
  }
  return false;
}
