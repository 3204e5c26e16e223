import { agentgymLoops, type Played } from "./agentgym-loops.js";
import { httpLoad, type Load } from "./load.js";
import { type BenchResult, median } from "./report.js";
import { startPalestra } from "./servers.js";

const rounds = 3;
/** Turns and moves on GoToLocalS8N7 that rarely end the task. */
const played: Played = {
  connections: 64,
  dataIndex: 4,
  actions: ["turn left", "move forward", "turn right", "check available actions", "move forward", "turn left"],
};

/**
 * Measures steps over HTTP with the requests of AgentGym's BabyAI client, on our server and, if one is given, in turn
 * on a peer's server.
 */
export async function babyaiHttp(peer: string | undefined, seconds: number): Promise<BenchResult[]> {
  const server = await startPalestra();
  try {
    const ours = await agentgymLoops(`${server.url}/agentgym/babyai`, played);
    const theirs = peer === undefined ? null : await agentgymLoops(peer, played);
    const loads: { ours: Load[]; theirs: Load[] } = { ours: [], theirs: [] };
    for (let round = 0; round < rounds; round++) {
      loads.ours.push(await httpLoad(server.url, ours, seconds));
      if (theirs) loads.theirs.push(await httpLoad(new URL(peer as string).origin, theirs, seconds));
    }
    const rate = (of: Load[]) => median(of.map((load) => load.rate));
    const p99 = (of: Load[]) => median(of.map((load) => load.p99Ms));
    const result = { name: "agentgym http step", value: rate(loads.ours), unit: "per second" };
    return [
      theirs ? { ...result, name: `${result.name} / peer`, baseline: rate(loads.theirs), target: ">= 10" } : result,
      { name: "agentgym http step p99", value: p99(loads.ours), unit: "ms" },
      ...(theirs ? [{ name: "peer p99", value: p99(loads.theirs), unit: "ms" }] : []),
    ];
  } finally {
    await server.stop();
  }
}
