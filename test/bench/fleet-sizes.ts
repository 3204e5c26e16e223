/**
 * Fleets of one, two and three gyms. On a machine with few cores, gyms, PostgreSQL and the load share the cores, so the
 * rate means little. The CPU time per step of each part shows how a fleet scales on more machines.
 */
import type { PostgresServer } from "../support/postgres.js";
import { FleetGyms } from "./fleet-gyms.js";
import { type Contest, cpuPerUnit, measureContests, medianOf, type Rounds } from "./fleet-rounds.js";
import { type HttpLoop, httpLoad, type Load, type Loop, socketLoad } from "./load.js";
import type { BenchResult } from "./report.js";
import { httpStepLoop, socketUrl, stepManyLoop } from "./steps.js";

const sizes = ["1 gym", "2 gyms", "3 gyms"] as const;
type Size = (typeof sizes)[number];

/** Number of sockets with `stepMany` of all gyms together, and of the episodes of each. */
const [sockets, batch] = [12, 64];
/** Number of clients with single steps, of all gyms together. */
const clients = 60;

export async function fleetSizes(postgres: PostgresServer, rounds: Rounds): Promise<BenchResult[]> {
  const fleets: FleetGyms[] = [];
  try {
    for (let size = 1; size <= sizes.length; size++) fleets.push(await FleetGyms.start(postgres, size));
    const contests = await contestsOf(fleets);
    await measureContests(contests, sizes, (size) => (fleets[sizes.indexOf(size)] as FleetGyms).cpu(), rounds);
    return contests.flatMap((contest) => sizes.flatMap((size) => results(contest, size)));
  } finally {
    await Promise.all(fleets.map((fleet) => fleet.stop()));
  }
}

type Play = (seconds: number) => Promise<Load>;

async function contestsOf(fleets: readonly FleetGyms[]): Promise<Contest<Size>[]> {
  const contest = async (name: string, prepare: (fleet: FleetGyms) => Promise<Play>): Promise<Contest<Size>> => {
    const plays: Play[] = [];
    for (const fleet of fleets) plays.push(await prepare(fleet));
    const [one, two, three] = plays as [Play, Play, Play];
    return {
      name,
      play: { "1 gym": one, "2 gyms": two, "3 gyms": three },
      measured: { "1 gym": [], "2 gyms": [], "3 gyms": [] },
    };
  };
  return [
    await contest("stepMany", async (fleet) => {
      const loops = await perGym(fleet, sockets, async (gym, count) => {
        const episodes = await fleet.createOn(gym, count * batch);
        return Array.from({ length: count }, (_, i) => stepManyLoop(episodes.slice(i * batch, (i + 1) * batch)));
      });
      return async (seconds) =>
        together(loops.map(([url, own]) => socketLoad(socketUrl(url, "/v1/socket"), own as Loop[], seconds, batch)));
    }),
    await contest(`steps of ${clients} clients`, async (fleet) => {
      const loops = await perGym(fleet, clients, async (gym, count) =>
        (await fleet.createOn(gym, count)).map(httpStepLoop),
      );
      return async (seconds) => together(loops.map(([url, own]) => httpLoad(url, own as HttpLoop[], seconds)));
    }),
  ];
}

/** Spreads connections over the gyms. The episodes of a connection are on the gym that it reaches. */
async function perGym<T>(
  { urls }: FleetGyms,
  connections: number,
  prepare: (gym: number, count: number) => Promise<T[]>,
): Promise<[string, T[]][]> {
  return Promise.all(
    urls.map(async (url, gym): Promise<[string, T[]]> => [url, await prepare(gym, connections / urls.length)]),
  );
}

/** Adds up loads that are made at the same time. The result has the highest of the latencies. */
async function together(loads: Promise<Load>[]): Promise<Load> {
  const all = await Promise.all(loads);
  const sum = (figure: keyof Load) => all.reduce((total, load) => total + load[figure], 0);
  const most = (figure: keyof Load) => Math.max(...all.map((load) => load[figure]));
  return { count: sum("count"), rate: sum("rate"), p50Ms: most("p50Ms"), p99Ms: most("p99Ms") };
}

function results({ name, measured }: Contest<Size>, size: Size): BenchResult[] {
  const [own, one] = [measured[size], measured["1 gym"]];
  const isOne = size === "1 gym";
  const row = (suffix: string, unit: string, figure: (of: typeof own) => number): BenchResult => ({
    name: `${name}, ${size}${suffix}`,
    value: figure(own),
    unit,
    ...(!isOne && { baseline: figure(one) }),
  });
  return [
    row("", "steps/s", (of) => medianOf(of, "rate")),
    row(": p99", "ms", (of) => medianOf(of, "p99Ms")),
    row(": CPU of the gyms", "us/step", (of) => cpuPerUnit(of, "gyms")),
    row(": CPU of PostgreSQL", "us/step", (of) => cpuPerUnit(of, "postgres")),
    row(": CPU of the load", "us/step", (of) => cpuPerUnit(of, "load")),
  ];
}
