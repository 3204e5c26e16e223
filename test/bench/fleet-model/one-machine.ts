/** Compares predictions of the model for this machine with real runs on it. */
import { availableParallelism } from "node:os";
import type { PostgresServer } from "../../support/postgres.js";
import { FleetGyms } from "../fleet-gyms.js";
import { type BenchResult, median } from "../report.js";
import type { Costs } from "./costs.js";
import { playBusy } from "./measure-costs.js";
import type { Takeover } from "./measure-takeover.js";
import type { Plan } from "./plan.js";
import { simulate } from "./simulation.js";
import { playThinking, type ThinkingLoad, type ThinkingPlan } from "./thinking-load.js";

/** The costs were measured with other loads than these. */
const loads: { gyms: number; plan: Pick<ThinkingPlan, "episodes" | "thinkMs" | "isForwarding"> }[] = [
  { gyms: 1, plan: { episodes: 64, thinkMs: 0, isForwarding: false } },
  { gyms: 1, plan: { episodes: 800, thinkMs: 1_000, isForwarding: false } },
  { gyms: 2, plan: { episodes: 64, thinkMs: 0, isForwarding: true } },
  { gyms: 3, plan: { episodes: 64, thinkMs: 0, isForwarding: true } },
  { gyms: 3, plan: { episodes: 600, thinkMs: 1_000, isForwarding: true } },
];

/** Returns rows with the prediction as the value and the measured figure as the baseline. */
export async function predictions(
  postgres: PostgresServer,
  costs: Costs,
  { seconds, seed }: { seconds: number; seed: number },
): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const gyms of [1, 2, 3]) {
    const fleet = await FleetGyms.start(postgres, gyms);
    try {
      // Code that is not compiled yet costs several times as much CPU.
      await playBusy(fleet, 64, 2 * seconds, true);
      for (const load of loads.filter((each) => each.gyms === gyms))
        results.push(...(await compared(fleet, costs, { ...load.plan, seconds, warmUpS: 2, seed })));
    } finally {
      await fleet.stop();
    }
  }
  return results;
}

/** Compares the time until the first episode of a killed gym answers. The prediction is the median of many kills. */
export function takeoverRow(costs: Costs, { firstAnswerS }: Takeover, seed: number): BenchResult {
  const cores = availableParallelism();
  const plan: Omit<Plan, "seed"> = {
    costs,
    episodes: 200,
    gyms: 2,
    gymCores: cores,
    postgresCores: cores,
    sharedCores: cores,
    thinkMs: 20,
    stepsPerEpisode: 60_000,
    isForwarding: false,
    failures: [{ kind: "kill", atS: 1, gym: 0 }],
    seconds: 8,
    warmUpS: 0,
  };
  const kills = Array.from({ length: 21 }, (_, i) => simulate({ ...plan, seed: seed + i }).failures[0]);
  return {
    name: "predicted / measured: first answer after a kill",
    value: median(kills.map((kill) => (kill?.firstAnswerMs ?? Number.NaN) / 1_000)),
    unit: "s",
    baseline: firstAnswerS,
  };
}

async function compared(fleet: FleetGyms, costs: Costs, plan: ThinkingPlan): Promise<BenchResult[]> {
  const gyms = fleet.gyms.length;
  const { thinkMs, ...measured } = await playThinking(fleet, plan);
  const others = partOfOthers(measured);
  const predicted = simulate({
    ...plan,
    costs: slowed(costs, 1 / (1 - others)),
    gyms,
    gymCores: availableParallelism(),
    postgresCores: availableParallelism(),
    sharedCores: availableParallelism(),
    // Timers are late, so the clients think longer than planned.
    thinkMs,
    stepsPerEpisode: 60_000,
    failures: [],
    seconds: 12,
  });
  const thinking = plan.thinkMs > 0 ? `, ${plan.thinkMs / 1_000} s of thinking` : "";
  const name = `predicted / measured: ${gyms} ${gyms === 1 ? "gym" : "gyms"}, ${plan.episodes} clients${thinking}`;
  const row = (what: string, unit: string, value: number, baseline: number): BenchResult => ({
    name: `${name}: ${what}`,
    value,
    unit,
    baseline,
  });
  return [
    row("rate", "steps/s", predicted.stepsPerSecond, measured.stepsPerSecond),
    row("p50", "ms", predicted.latencies.quantile(0.5), measured.latencies.quantile(0.5)),
    row("p99", "ms", predicted.latencies.quantile(0.99), measured.latencies.quantile(0.99)),
    { name: `${name}: CPU that other programs took`, value: 100 * others, unit: "%" },
    row("steps per commit", "steps", predicted.latencies.count / predicted.commits, measured.steps / measured.commits),
  ];
}

/** Returns the share of the machine's CPU that other programs used, at most 0.95. */
function partOfOthers({ cpu, seconds }: Pick<ThinkingLoad, "cpu" | "seconds">): number {
  const others = cpu.machine - cpu.gyms - cpu.postgres - cpu.load;
  return Math.min(0.95, Math.max(0, others / (seconds * availableParallelism())));
}

/** The CPU time of other programs is spread over all work, so each piece takes longer. */
function slowed(costs: Costs, factor: number): Costs {
  const { gym, postgres, loadStepUs } = costs;
  return {
    gym: {
      ...gym,
      stepUs: gym.stepUs * factor,
      mainStepUs: gym.mainStepUs * factor,
      commitUs: gym.commitUs * factor,
      forwardUs: gym.forwardUs * factor,
    },
    postgres: { ...postgres, stepUs: postgres.stepUs * factor, commitUs: postgres.commitUs * factor },
    loadStepUs: loadStepUs * factor,
  };
}
