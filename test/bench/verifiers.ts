/**
 * Compares scored answers per second over HTTP with the same verifiers in this process and with a bare route, and
 * measures steps of `sql`.
 */
import { availableParallelism } from "node:os";
import { scratchDir } from "../support/server-process.js";
import { type HttpLoop, httpLoad, type Load } from "./load.js";
import { memoryOfTree } from "./process-memory.js";
import { type BenchResult, median } from "./report.js";
import { type ServerProcess, startBare, startPalestra } from "./servers.js";
import { mathVerifier, ownVerifiers, sqlVerifier, type Verifier } from "./verifier-answers.js";
import { sqlSteps } from "./verifiers-sql.js";

export interface VerifiersOptions {
  rounds: number;
  seconds: number;
}

/** Number of answers in a request, and number of requests in flight. */
const shapes = [
  { batch: 1, connections: 32 },
  { batch: 256, connections: 4 },
] as const;
const MiB = 2 ** 20;
const sqlProcesses = Math.min(8, Math.max(2, availableParallelism()));

type Measured = Map<string, number[]>;

export async function verifiers({ rounds, seconds }: VerifiersOptions): Promise<BenchResult[]> {
  const folder = scratchDir();
  const { verifiers: own, definitions } = ownVerifiers(folder.path);
  const sql = await sqlVerifier(sqlProcesses);
  const all = [mathVerifier(), ...own, sql];
  const servers = await Promise.all([startPalestra({}, definitions), startBare("bare-fastify")]);
  const [gym, bare] = servers;
  try {
    for (const verifier of all) await checkRewards(gym, verifier);
    const rates: Measured = new Map();
    for (let round = 0; round <= rounds; round++)
      for (const [name, measure] of scenarios(gym, bare, all)) {
        process.stderr.write(`round ${round} of ${rounds}: ${name}      \r`);
        const rate = await measure(round === 0 ? Math.min(1, seconds) : seconds);
        if (round > 0) rates.set(name, [...(rates.get(name) ?? []), rate]);
      }
    process.stderr.write("\n");
    const memory = { name: "memory of the gym and its processes", value: memoryOfTree(gym.pid) / MiB, unit: "MiB" };
    return [...results(all, rates), memory, ...(await sqlSteps(gym, { rounds, seconds, processes: sqlProcesses }))];
  } finally {
    sql.close?.();
    await Promise.all(servers.map((server) => server.stop()));
    folder.remove();
  }
}

/** Checks the scores, since figures of wrong or missing scores would mean nothing. */
async function checkRewards({ url }: ServerProcess, verifier: Verifier): Promise<void> {
  const response = await fetch(`${url}/v1/rewards`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ environment: verifier.environment, answers: verifier.answers }),
  });
  const { results } = (await response.json()) as { results: { reward?: number }[] };
  for (const [at, { reward }] of results.entries()) {
    const expected = await verifier.direct(at);
    if (reward !== expected)
      throw new Error(`expected ${verifier.name} to give answer ${at} ${expected}, but received ${reward}`);
  }
}

function* scenarios(
  gym: ServerProcess,
  bare: ServerProcess,
  all: readonly Verifier[],
): Generator<[string, (seconds: number) => Promise<number>]> {
  for (const { batch, connections } of shapes) {
    const rate = (url: string, verifier: Verifier) => async (seconds: number) => {
      const { rate }: Load = await httpLoad(url, loopsOf(verifier, batch, connections), seconds);
      return rate * batch;
    };
    yield [`bare ${batch}`, rate(bare.url, all[0] as Verifier)];
    for (const verifier of all) yield [`${verifier.name} ${batch}`, rate(gym.url, verifier)];
  }
  for (const verifier of all) yield [`${verifier.name} direct`, (seconds) => directRate(verifier, seconds)];
}

function loopsOf({ environment, answers }: Verifier, batch: number, connections: number): HttpLoop[] {
  return Array.from({ length: connections }, (_, connection) => {
    let next = connection * batch;
    return {
      path: () => "/v1/rewards",
      next: () => {
        const from = next % answers.length;
        next += batch;
        return JSON.stringify({ environment, answers: answers.slice(from, from + batch) });
      },
      received: (reply) => {
        const { results } = JSON.parse(reply) as { results: { reward?: number }[] };
        if (results.length !== batch || results.some(({ reward }) => typeof reward !== "number"))
          throw new Error(`expected ${batch} rewards, but received ${reply.slice(0, 500)}`);
      },
    };
  });
}

/** Measures answers per second in this process, or in processes that it calls directly. */
async function directRate({ answers, direct, atOnce }: Verifier, seconds: number): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let scored = 0;
  const score = async () => {
    while (performance.now() < endsAt) await direct(scored++ % answers.length);
  };
  const scoreAtOnce = () => {
    while (performance.now() < endsAt) for (let i = 0; i < 100; i++) void direct(scored++ % answers.length);
  };
  if (atOnce === 1) scoreAtOnce();
  else await Promise.all(Array.from({ length: atOnce }, score));
  return (scored * 1_000) / (performance.now() - startedAt);
}

function results(all: readonly Verifier[], rates: Measured): BenchResult[] {
  const against = (name: string, label: string, baseline: string): BenchResult => ({
    name: label,
    value: median(rates.get(name) ?? []),
    unit: "answers/s",
    baseline: median(rates.get(baseline) ?? []),
  });
  return all.flatMap(({ name }) => [
    ...shapes.map(({ batch }) =>
      against(`${name} ${batch}`, `${name}, batch ${batch} / bare fastify`, `bare ${batch}`),
    ),
    ...shapes.map(({ batch }) => against(`${name} ${batch}`, `${name}, batch ${batch} / direct`, `${name} direct`)),
    against(`${name} 256`, `${name}, batch 256 / batch 1`, `${name} 1`),
  ]);
}
