/**
 * Steps per second of each protocol at 64 clients, against `/v1` and against the protocol's own server in Python with
 * an environment that echoes. The bench does not measure AgentGym's and NeMo Gym's own servers, since no small package
 * contains them.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { root, ServerProcess } from "../support/server-process.js";
import { httpLoad, type Load, socketLoad } from "./load.js";
import { agentgymLoop, mcpLoop, nemoLoop, openenvLoop, orsLoop } from "./protocol-loops.js";
import { type BenchResult, median } from "./report.js";
import { measure, type Scenario } from "./scenarios.js";
import { startPalestra } from "./servers.js";
import { createEpisodes, httpStepLoop, socketStepLoop, socketUrl } from "./steps.js";

export interface ProtocolsOptions {
  rounds: number;
  seconds: number;
}

const clients = 64;
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "palestra");

/** A Python with each protocol's own server, which .ci/run installs. */
const peers = { openenv: "openenv-0.10.0", ors: "openreward-0.1.167", mcp: "mcp-2.3.0" } as const;
type Peer = keyof typeof peers;

export async function protocols({ rounds, seconds }: ProtocolsOptions): Promise<BenchResult[]> {
  const gym = await startPalestra();
  const stops: (() => Promise<unknown>)[] = [() => gym.stop()];
  try {
    const scenarios = await ours(gym.url);
    for (const peer of Object.keys(peers) as Peer[]) {
      const server = startPeer(peer);
      if (!server) continue;
      stops.push(() => server.kill());
      scenarios.push(await theirs(peer, await server.listeningUrl()));
    }
    return results(await measure(scenarios, rounds, seconds));
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
}

async function ours(url: string): Promise<Scenario[]> {
  const http = (await createEpisodes(url, clients)).map(httpStepLoop);
  const sockets = (await createEpisodes(url, clients)).map(socketStepLoop);
  const mcp = (await createEpisodes(url, clients)).map((id) => mcpLoop(`/mcp/textcraft/${id}`));
  const ors = await Promise.all(each(() => orsLoop(url, "textcraft")));
  const nemo = await Promise.all(each(() => nemoLoop(url, "/nemo-gym/textcraft")));
  const agentgym = await Promise.all(each(() => agentgymLoop(`${url}/agentgym/textcraft`)));
  return [
    { name: "v1 http", run: (seconds) => httpLoad(url, http, seconds) },
    { name: "v1 socket", run: (seconds) => socketLoad(socketUrl(url, "/v1/socket"), sockets, seconds) },
    { name: "openenv", run: (seconds) => openenvLoad(url, "/openenv/textcraft/ws", seconds) },
    { name: "ors", run: (seconds) => httpLoad(url, ors, seconds) },
    { name: "mcp", run: (seconds) => httpLoad(url, mcp, seconds) },
    { name: "nemo gym", run: (seconds) => httpLoad(url, nemo, seconds) },
    { name: "agentgym", run: (seconds) => httpLoad(url, agentgym, seconds) },
  ];
}

async function theirs(peer: Peer, url: string): Promise<Scenario> {
  const name = `${peer}, own server`;
  if (peer === "openenv") return { name, run: (seconds) => openenvLoad(url, "/ws", seconds) };
  const loops = peer === "ors" ? await Promise.all(each(() => orsLoop(url, "echo"))) : each(() => mcpLoop("/mcp"));
  return { name, run: (seconds) => httpLoad(url, loops, seconds) };
}

/** Each connection of OpenEnv's socket has an episode of its own. */
function openenvLoad(url: string, path: string, seconds: number): Promise<Load> {
  return socketLoad(
    socketUrl(url, path),
    each(() => openenvLoop(path !== "/ws")),
    seconds,
  );
}

function startPeer(peer: Peer): ServerProcess | null {
  const python = join(cache, peers[peer], "bin/python");
  if (!existsSync(python)) {
    process.stderr.write(`${peer}: not compared, because there is no Python at ${python}\n`);
    return null;
  }
  const child = spawn(python, [join(root, "test/bench/echo-servers.py"), peer], { stdio: ["ignore", "pipe", "pipe"] });
  return new ServerProcess(child, true);
}

function results(loads: Map<string, Load[]>): BenchResult[] {
  const middle = (name: string, figure: keyof Load) => median((loads.get(name) ?? []).map((load) => load[figure]));
  const compared = (Object.keys(peers) as Peer[]).filter((peer) => loads.has(`${peer}, own server`));
  const rate = (name: string) => ({ value: middle(name, "rate"), unit: "steps/s" });
  return [
    ...[...loads.keys()].map((name): BenchResult => ({ name, ...rate(name) })),
    ...compared.map(
      (peer): BenchResult => ({
        name: `${peer} / own server`,
        ...rate(peer),
        baseline: middle(`${peer}, own server`, "rate"),
        target: ">= 5",
      }),
    ),
    ...["openenv", "ors", "mcp", "nemo gym", "agentgym"].map(
      (name): BenchResult => ({ name: `${name} / v1 http`, ...rate(name), baseline: middle("v1 http", "rate") }),
    ),
    ...[...loads.keys()].map(
      (name): BenchResult => ({ name: `${name} p99`, value: middle(name, "p99Ms"), unit: "ms" }),
    ),
  ];
}

function each<T>(make: () => T): T[] {
  return Array.from({ length: clients }, make);
}
