/** Reads test/fixtures/trainer/algorithms.json as batches and credits of the trainer. */
import { readFileSync } from "node:fs";
import type { AlgorithmSettings, Batch, Estimates } from "#palestra/trainer/algorithms/index.js";
import type { Group, Trajectory, TrajectoryStatus, TrajectoryStep } from "#palestra/trainer/rollout/trajectory.js";

interface GoldenTrajectory {
  name: string;
  mask: number[];
  steps: TrajectoryStep[];
  status: TrajectoryStatus;
  score: number;
  solved: boolean;
  behaviour: number[];
  proximal: number[];
  reference: number[];
  teacher: number[];
  values: number[];
  current: number[];
  entropies: number[];
  newValues: number[];
}

export interface GoldenCase {
  settings: Partial<AlgorithmSettings>;
  carried?: number;
  batch: string;
  loss: number;
  /** Expected values by the trajectory's name. Trajectories that are not trained have none. */
  expected: Record<
    string,
    {
      advantages: number[];
      weights: number[];
      returns?: number[];
      gradients: { logprob: number[]; entropy: number[]; value: number[] };
    }
  >;
}

const golden: { batches: Record<string, GoldenTrajectory[][]>; cases: GoldenCase[] } = JSON.parse(
  readFileSync(new URL("../fixtures/trainer/algorithms.json", import.meta.url), "utf8"),
);
export const goldenCases = golden.cases;

/** Log-probabilities of a trajectory after some steps of the update. */
export interface Current {
  logprob: Float32Array;
  entropy: Float32Array;
  value: Float32Array;
}

/** Failed members stay in their group, since algorithms have to check the status themselves. */
export function goldenBatch(name: string): { batch: Batch; current: Map<Trajectory, Current> } {
  const scored = new Map<Trajectory, Estimates>();
  const current = new Map<Trajectory, Current>();
  const groups: Group[] = (golden.batches[name] as GoldenTrajectory[][]).map((members, group) => {
    const trajectories = members.map((member) => {
      const trajectory = trajectoryOf(member, `${group}`);
      scored.set(trajectory, {
        logprobs: Float32Array.from(member.proximal),
        reference: Float32Array.from(member.reference),
        teacher: Float32Array.from(member.teacher),
        values: Float32Array.from(member.values),
      });
      current.set(trajectory, {
        logprob: Float32Array.from(member.current),
        entropy: Float32Array.from(member.entropies),
        value: Float32Array.from(member.newValues),
      });
      return trajectory;
    });
    return { id: `${group}`, trajectories, failed: [] };
  });
  return { batch: { groups, estimates: scored }, current };
}

function trajectoryOf(member: GoldenTrajectory, group: string): Trajectory {
  return {
    episodeId: member.name,
    group,
    played: { environment: "counting@1", split: "train", index: 0, seed: 0 },
    tokens: Int32Array.from(member.mask, (_, token) => (token * 7 + Number(group)) % 61),
    mask: Uint8Array.from(member.mask),
    logprobs: Float32Array.from(member.behaviour),
    versions: Int32Array.from(member.mask, (sampled) => sampled - 1),
    steps: member.steps.map((step) => ({ ...step, action: "count" })),
    status: member.status,
    return: member.score,
    solved: member.solved,
  };
}
