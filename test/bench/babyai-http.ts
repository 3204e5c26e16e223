import { type HttpLoop, httpLoad, type Load } from "./load.js";
import { type BenchResult, median } from "./report.js";
import { startPalestra } from "./servers.js";
import { postJson } from "./steps.js";

const connections = 64;
const rounds = 3;
/** Of the level GoToLocalS8N7. */
const dataIndex = 4;
/** Turns and walks that never end the task for long: both servers play on where it ends and is reset. */
const actions = ["turn left", "move forward", "turn right", "check available actions", "move forward", "turn left"];

/** Steps over HTTP with the bodies of AgentGym's BabyAI client, ours and, where there is one, a peer's in turn. */
export async function babyaiHttp(peer: string | undefined, seconds: number): Promise<BenchResult[]> {
  const server = await startPalestra();
  try {
    const ours = await loopsOf(`${server.url}/agentgym/babyai`);
    const theirs = peer === undefined ? null : await loopsOf(peer);
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

async function loopsOf(base: string): Promise<HttpLoop[]> {
  const { pathname } = new URL(base);
  const prefix = pathname.replace(/\/$/, "");
  return Promise.all(
    Array.from({ length: connections }, async (): Promise<HttpLoop> => {
      const { id } = (await postJson(`${base}/create`, {})) as { id: number };
      await postJson(`${base}/reset`, { id, data_idx: dataIndex });
      let taken = 0;
      let over = false;
      return {
        path: () => `${prefix}/${over ? "reset" : "step"}`,
        next: () =>
          JSON.stringify(over ? { id, data_idx: dataIndex } : { id, action: actions[taken++ % actions.length] }),
        received: (reply) => {
          const { observation, done } = JSON.parse(reply) as { observation?: string; done?: boolean };
          if (observation === undefined) throw new Error(`expected an observation, but received ${reply}`);
          over = done === true;
        },
      };
    }),
  );
}
