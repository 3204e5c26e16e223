/** Number of gyms that a load needs. */
import type { Costs } from "./costs.js";

export interface Demand {
  episodes: number;
  thinkMs: number;
  stepsPerEpisode: number;
  episodeKiB: number;
  isForwarding: boolean;
}

/** The machine of a gym. Replays after failures, and uneven load, need the rest of the cores. */
export const gymMachine = { cores: 2, memoryMiB: 16_384, plannedUse: 0.6 };

/** Cores of PostgreSQL's machine. */
export const postgresCores = 8;

export interface Size {
  /** Gyms that the CPU, the main threads and the memory need. The largest number counts. */
  byCpu: number;
  byMainThread: number;
  byMemory: number;
  /** The number has two spare gyms, so that one can restart while another one fails. */
  gyms: number;
}

export function sizeOf(costs: Costs, demand: Demand): Size {
  const { gym } = costs;
  const { cores, memoryMiB, plannedUse } = gymMachine;
  const perSecond = (demand.episodes * 1_000) / demand.thinkMs;
  // Nearly all steps are forwarded if there are many gyms.
  const forwardUs = demand.isForwarding ? gym.forwardUs : 0;
  const createUs = Math.max(0, gym.createUs - gym.stepUs) / (demand.stepsPerEpisode + 1);
  const commitUs = gym.commitUs * commitsPerSecond(costs);
  const byCpu = Math.ceil((perSecond * (gym.stepUs + forwardUs + createUs)) / (cores * plannedUse * 1e6 - commitUs));
  const byMainThread = Math.ceil((perSecond * (gym.mainStepUs + forwardUs)) / (plannedUse * 1e6));
  const byMemory = Math.ceil((demand.episodes * demand.episodeKiB) / 1_024 / (memoryMiB - gym.baseMiB));
  // A gym can take no load if its commits alone use all of its cores.
  if (commitUs >= cores * plannedUse * 1e6)
    throw new Error("expected commits that leave CPU for steps, but they need all");
  return { byCpu, byMainThread, byMemory, gyms: Math.max(byCpu, byMainThread, byMemory) + 2 };
}

/** A gym under load commits again as soon as its last commit is done. */
function commitsPerSecond({ gym, postgres }: Costs): number {
  const { commitLatencyMs } = postgres;
  const latencyMs = commitLatencyMs.reduce((sum, ms) => sum + ms, 0) / commitLatencyMs.length;
  return 1_000 / (latencyMs + Math.max(gym.commitUs, postgres.commitUs) / 1_000);
}
