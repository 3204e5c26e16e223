/** Steps that are sent to the gym that has the episode, against steps that are sent to another gym of the fleet. */
import type { PostgresServer } from "../support/postgres.js";
import { cpuBetween, FleetGyms, type PartsCpu } from "./fleet-gyms.js";
import { httpLoad, type Load, socketLoad } from "./load.js";
import { type BenchResult, median } from "./report.js";
import { createEpisodes, httpStepLoop, socketUrl, stepManyLoop } from "./steps.js";

const ways = ["local", "forwarded"] as const;
type Way = (typeof ways)[number];

/** Number of sockets with `stepMany`, and of the episodes of each. */
const [sockets, batch] = [8, 64];

interface Measured {
  load: Load;
  cpu: PartsCpu;
}

interface Scenario {
  name: string;
  play: Record<Way, (seconds: number) => Promise<Load>>;
  measured: Record<Way, Measured[]>;
}

export async function fleetHops(
  postgres: PostgresServer,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<BenchResult[]> {
  const fleet = await FleetGyms.start(postgres, 2);
  try {
    const [owner, other] = fleet.urls as [string, string];
    // Each way has episodes of its own, since their steps are numbered.
    const scenarioOf = async (name: string, prepare: (to: string) => Promise<(seconds: number) => Promise<Load>>) => ({
      name,
      play: { local: await prepare(owner), forwarded: await prepare(other) },
      measured: { local: [], forwarded: [] },
    });
    const single = (clients: number) => async (to: string) => {
      const loops = (await createEpisodes(owner, clients)).map(httpStepLoop);
      return (duration: number) => httpLoad(to, loops, duration);
    };
    const many = async (to: string) => {
      const episodes = await createEpisodes(owner, sockets * batch);
      const loops = Array.from({ length: sockets }, (_, i) => stepManyLoop(episodes.slice(i * batch, (i + 1) * batch)));
      return (duration: number) => socketLoad(socketUrl(to, "/v1/socket"), loops, duration, batch);
    };
    const scenarios: Scenario[] = [
      await scenarioOf("stepMany", many),
      await scenarioOf("steps of 64 clients", single(64)),
      await scenarioOf("steps of 1 client", single(1)),
    ];
    await measure(fleet, scenarios, rounds, seconds);
    return scenarios.flatMap(results);
  } finally {
    await fleet.stop();
  }
}

/** Plays every scenario once per round in both ways. The way that is first changes with each round. */
async function measure(
  fleet: FleetGyms,
  scenarios: readonly Scenario[],
  rounds: number,
  seconds: number,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { name, play, measured } of scenarios) {
      for (const way of round % 2 === 0 ? ways : [...ways].reverse()) {
        process.stderr.write(`round ${round} of ${rounds}: ${name}, ${way}      \r`);
        const before = fleet.cpu();
        const load = await play[way](round === 0 ? 1 : seconds);
        if (round > 0) measured[way].push({ load, cpu: cpuBetween(before, fleet.cpu()) });
      }
    }
  }
  process.stderr.write("\n");
}

function results({ name, measured }: Scenario): BenchResult[] {
  const of = (way: Way, figure: keyof Load) => median(measured[way].map(({ load }) => load[figure]));
  const row = (suffix: string, unit: string, figure: keyof Load): BenchResult => ({
    name: `forwarded ${name}${suffix}`,
    value: of("forwarded", figure),
    unit,
    baseline: of("local", figure),
  });
  const hops = measured.forwarded.map(({ load }, i) => load.p50Ms - (measured.local[i] as Measured).load.p50Ms);
  const isSingle = name !== "stepMany";
  return [
    row("", "steps/s", "rate"),
    row(": p50", "ms", "p50Ms"),
    row(": p99", "ms", "p99Ms"),
    ...(isSingle
      ? [{ name: `forwarded ${name}: p50 beyond local`, value: median(hops), unit: "ms", target: "< 1" }]
      : []),
    {
      name: `forwarded ${name}: CPU of the gyms`,
      value: median(measured.forwarded.map(gymMicroseconds)),
      unit: "us/step",
      baseline: median(measured.local.map(gymMicroseconds)),
    },
  ];
}

function gymMicroseconds({ load, cpu }: Measured): number {
  return (cpu.gyms * 1e6) / load.count;
}
