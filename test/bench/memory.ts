/** Resident memory of the server process per live episode. */
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { type BenchResult, median } from "./report.js";
import { startPalestra } from "./servers.js";
import { createEpisodes } from "./steps.js";

const chunk = 500;
const KiB = 1024;

export async function memory({ episodes }: { episodes: number }): Promise<BenchResult[]> {
  const textcraft = { environment: "textcraft", task: { index: 0 } };
  const { perEpisode, stepped, resident } = await liveMemory(textcraft, "inventory", episodes);
  return [
    { name: "resident memory of a live episode", value: perEpisode, unit: "KiB", target: "< 64" },
    { name: "live episodes that were stepped", value: stepped, unit: "episodes", target: `>= ${episodes}` },
    { name: "resident memory of the server", value: resident, unit: "MiB" },
  ];
}

/** Opens episodes and steps each once. Returns KiB per episode, the number of steps taken, and MiB of the server. */
export async function liveMemory(
  request: object,
  action: string,
  episodes: number,
): Promise<{ perEpisode: number; stepped: number; resident: number }> {
  const server = await startPalestra();
  try {
    // The memory of the process after its first few episodes does not count.
    await createEpisodes(server.url, 1, request);
    const before = residentBytes(server.pid);
    const ids: string[] = [];
    while (ids.length < episodes)
      ids.push(...(await createEpisodes(server.url, Math.min(chunk, episodes - ids.length), request)));
    const stepped = await stepAll(server.url, ids, action);
    const perEpisode = (residentBytes(server.pid) - before) / episodes / KiB;
    return { perEpisode, stepped, resident: residentBytes(server.pid) / KiB ** 2 };
  } finally {
    await server.stop();
  }
}

async function stepAll(url: string, ids: readonly string[], action: string): Promise<number> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/v1/socket`);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let stepped = 0;
  const latencies: number[] = [];
  for (let from = 0; from < ids.length; from += chunk) {
    const startedAt = performance.now();
    const steps = ids.slice(from, from + chunk).map((episodeId) => ({ episodeId, index: 0, action }));
    socket.send(JSON.stringify({ id: from, op: "stepMany", params: { steps } }));
    const reply = await new Promise<string>((resolve) => socket.once("message", (data) => resolve(data.toString())));
    const { result } = JSON.parse(reply) as { result: { results: { index?: number }[] } };
    stepped += result.results.filter(({ index }) => index === 0).length;
    latencies.push(performance.now() - startedAt);
  }
  socket.close();
  process.stderr.write(`${chunk} episodes stepped in ${median(latencies).toFixed(1)} ms\n`);
  return stepped;
}

function residentBytes(pid: number): number {
  const match = /VmRSS:\s+([0-9]+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(match?.[1]) * KiB;
}
