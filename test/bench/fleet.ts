/**
 * Compares a gym with its log in PostgreSQL with gyms with logs in SQLite, in alternating rounds. One SQLite gym has
 * the default `log.sync`, which survives a crash of the process. Another has `full`, which also survives a power
 * failure, as PostgreSQL does. Then the bench compares forwarded steps with local ones, and fleets of one to three
 * gyms.
 */
import type { PostgresServer } from "../support/postgres.js";
import { noLimits, startDatabase } from "./fleet-gyms.js";
import { fleetHops } from "./fleet-hops.js";
import { fleetSizes } from "./fleet-sizes.js";
import { type HttpLoop, httpLoad, type Load, socketLoad } from "./load.js";
import { type BenchResult, median } from "./report.js";
import { type ServerProcess, startPalestra } from "./servers.js";
import { createEpisodes, httpStepLoop, socketUrl, stepManyLoop } from "./steps.js";

export interface FleetOptions {
  rounds: number;
  seconds: number;
}

const kinds = ["postgres", "sqlite", "full"] as const;
type Kind = (typeof kinds)[number];

/** Number of sockets with `stepMany`, and of the episodes of each. */
const [sockets, batch] = [8, 64];
/** Number of connections in the loads of many clients with single steps, and of creates. */
const connections = 64;
const warmUpSeconds = 1;

interface Scenario {
  name: string;
  unit: string;
  target?: string;
  play: Record<Kind, (seconds: number) => Promise<Load>>;
  loads: Record<Kind, Load[]>;
}

export async function fleet(options: FleetOptions): Promise<BenchResult[]> {
  const database = await startDatabase();
  try {
    return [
      ...(await logs(database, options)),
      ...(await fleetHops(database, options)),
      ...(await fleetSizes(database, options)),
    ];
  } finally {
    await database.remove();
  }
}

async function logs(database: PostgresServer, { rounds, seconds }: FleetOptions): Promise<BenchResult[]> {
  const gyms: ServerProcess[] = [];
  try {
    const start = async (env: NodeJS.ProcessEnv) => {
      const gym = await startPalestra({ ...noLimits, ...env });
      gyms.push(gym);
      return gym.url;
    };
    const url = await database.createDatabase();
    const urls = {
      postgres: await start({ PALESTRA_LOG_URL: url }),
      sqlite: await start({}),
      full: await start({ PALESTRA_LOG_SYNC: "full" }),
    };
    const scenarios = await scenariosOf(urls);
    await measure(scenarios, rounds, seconds);
    return scenarios.flatMap(results);
  } finally {
    await Promise.all(gyms.map((gym) => gym.stop()));
  }
}

async function scenariosOf(urls: Record<Kind, string>): Promise<Scenario[]> {
  const scenario = async (
    name: string,
    unit: string,
    prepare: (url: string) => Promise<(seconds: number) => Promise<Load>>,
    target?: string,
  ): Promise<Scenario> => ({
    name,
    unit,
    ...(target !== undefined && { target }),
    play: {
      postgres: await prepare(urls.postgres),
      sqlite: await prepare(urls.sqlite),
      full: await prepare(urls.full),
    },
    loads: { postgres: [], sqlite: [], full: [] },
  });
  return [
    await scenario("stepMany", "steps/s", manySteps, ">= 0.7"),
    await scenario("single steps of 1 client", "steps/s", (url) => singleSteps(url, 1)),
    await scenario(`single steps of ${connections} clients`, "steps/s", (url) => singleSteps(url, connections)),
    await scenario("creates", "episodes/s", async (url) => (seconds) => httpLoad(url, creates(), seconds)),
  ];
}

/** Plays every scenario once per round on each gym. The gym that is first changes with each round. */
async function measure(scenarios: readonly Scenario[], rounds: number, seconds: number): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { name, play, loads } of scenarios) {
      for (const kind of round % 2 === 0 ? kinds : [...kinds].reverse()) {
        process.stderr.write(`round ${round} of ${rounds}: ${name}, ${kind}      \r`);
        const load = await play[kind](round === 0 ? warmUpSeconds : seconds);
        if (round > 0) loads[kind].push(load);
      }
    }
  }
  process.stderr.write("\n");
}

function results({ name, unit, target, loads }: Scenario): BenchResult[] {
  const middle = (figure: keyof Load, against: "sqlite" | "full" = "sqlite") => ({
    value: median(loads.postgres.map((load) => load[figure])),
    baseline: median(loads[against].map((load) => load[figure])),
  });
  return [
    { name, unit, ...middle("rate"), ...(target !== undefined && { target }) },
    { name: `${name}, against SQLite with log.sync=full`, unit, ...middle("rate", "full") },
    { name: `${name}: p50`, unit: "ms", ...middle("p50Ms") },
    { name: `${name}: p99`, unit: "ms", ...middle("p99Ms") },
  ];
}

async function manySteps(url: string): Promise<(seconds: number) => Promise<Load>> {
  const episodes = await createEpisodes(url, sockets * batch);
  const loops = Array.from({ length: sockets }, (_, i) => stepManyLoop(episodes.slice(i * batch, (i + 1) * batch)));
  return (seconds) => socketLoad(socketUrl(url, "/v1/socket"), loops, seconds, batch);
}

async function singleSteps(url: string, clients: number): Promise<(seconds: number) => Promise<Load>> {
  const loops = (await createEpisodes(url, clients)).map(httpStepLoop);
  return (seconds) => httpLoad(url, loops, seconds);
}

function creates(): HttpLoop[] {
  const body = JSON.stringify({ environment: "textcraft", task: { index: 0 } });
  return Array.from({ length: connections }, () => ({
    path: () => "/v1/episodes",
    next: () => body,
    received: () => {},
  }));
}
