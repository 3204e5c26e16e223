/**
 * Compares steps that are sent to the gym that owns the episode with steps that are sent to another gym of the fleet.
 */
import type { PostgresServer } from "../support/postgres.js";
import { FleetGyms } from "./fleet-gyms.js";
import { type Contest, cpuPerUnit, measureContests, medianOf, type Rounds } from "./fleet-rounds.js";
import { httpLoad, type Load, pacedHttpLoad, socketLoad } from "./load.js";
import { type BenchResult, median } from "./report.js";
import { httpStepLoop, socketUrl, stepManyLoop } from "./steps.js";

const ways = ["local", "forwarded"] as const;
type Way = (typeof ways)[number];

/** Number of sockets with `stepMany`, and of the episodes of each. */
const [sockets, batch] = [8, 64];
const clients = 64;
/** Steps per second of the clients that send at fixed times. Two cores can take them without a queue. */
const pace = 500;

interface Hop extends Contest<Way> {
  /** Whether the difference of the latencies is the cost of forwarding, since no queue grows. */
  isHopTime: boolean;
}

type Play = (seconds: number) => Promise<Load>;

export async function fleetHops(postgres: PostgresServer, rounds: Rounds): Promise<BenchResult[]> {
  const fleet = await FleetGyms.start(postgres, 2);
  try {
    const hops = await hopsOf(fleet);
    await measureContests(hops, ways, () => fleet.cpu(), rounds);
    return hops.flatMap(results);
  } finally {
    await fleet.stop();
  }
}

async function hopsOf(fleet: FleetGyms): Promise<Hop[]> {
  const [owner, other] = fleet.urls as [string, string];
  // Each of the two ways has its own episodes, since steps are numbered.
  const hop = async (name: string, isHopTime: boolean, prepare: (to: string) => Promise<Play>): Promise<Hop> => ({
    name,
    isHopTime,
    play: { local: await prepare(owner), forwarded: await prepare(other) },
    measured: { local: [], forwarded: [] },
  });
  const single = async (count: number, load: typeof httpLoad, to: string): Promise<Play> => {
    const loops = (await fleet.createOn(0, count)).map(httpStepLoop);
    return (seconds) => load(to, loops, seconds);
  };
  const paced: typeof httpLoad = (origin, loops, seconds) => pacedHttpLoad(origin, loops, seconds, pace);
  // The load of many clients runs first, and compiles the code that the single client uses.
  return [
    await hop("stepMany", false, async (to) => {
      const episodes = await fleet.createOn(0, sockets * batch);
      const loops = Array.from({ length: sockets }, (_, i) => stepManyLoop(episodes.slice(i * batch, (i + 1) * batch)));
      return (seconds) => socketLoad(socketUrl(to, "/v1/socket"), loops, seconds, batch);
    }),
    await hop(`steps of ${clients} clients`, false, (to) => single(clients, httpLoad, to)),
    await hop(`steps of ${clients} clients, ${pace} a second`, true, (to) => single(clients, paced, to)),
    await hop("steps of 1 client", true, (to) => single(1, httpLoad, to)),
  ];
}

function results({ name, isHopTime, measured }: Hop): BenchResult[] {
  const row = (suffix: string, unit: string, figure: keyof Load): BenchResult => ({
    name: `forwarded ${name}${suffix}`,
    value: medianOf(measured.forwarded, figure),
    unit,
    baseline: medianOf(measured.local, figure),
  });
  return [
    row("", "steps/s", "rate"),
    row(": p50", "ms", "p50Ms"),
    row(": p99", "ms", "p99Ms"),
    ...(isHopTime ? [hopTime(name, measured)] : []),
    {
      name: `forwarded ${name}: CPU of the gyms`,
      value: cpuPerUnit(measured.forwarded, "gyms"),
      unit: "us/step",
      baseline: cpuPerUnit(measured.local, "gyms"),
    },
  ];
}

/** The two ways of a round are measured one after the other, so their difference suffers least from other load. */
function hopTime(name: string, { local, forwarded }: Hop["measured"]): BenchResult {
  const differences = forwarded.map(({ load }, i) => load.p50Ms - (local[i]?.load.p50Ms ?? Number.NaN));
  return { name: `forwarded ${name}: p50 - local p50`, value: median(differences), unit: "ms", target: "< 1" };
}
