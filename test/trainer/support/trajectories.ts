import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";

/** A trajectory with a token of each version. */
export function trajectory(versions: readonly number[], change: Partial<Trajectory> = {}): Trajectory {
  const count = versions.length;
  return {
    episodeId: "",
    group: "",
    played: { environment: "textcraft@1", split: "train", index: 0, seed: 0 },
    tokens: new Int32Array(count),
    mask: new Uint8Array(count).fill(1),
    logprobs: new Float32Array(count),
    versions: Int32Array.from(versions),
    steps: [],
    status: "terminated",
    return: 0,
    solved: false,
    ...change,
  };
}

/** A group with the given number of failed trajectories beside the others. */
export function group(id: number, trajectories: readonly Trajectory[], failed = 0): Group {
  const failure = { class: "infrastructure", code: "HOST_FAILED", message: "no host" } as const;
  return {
    id: String(id),
    trajectories,
    failed: Array.from({ length: failed }, () => trajectory([], { status: "failed", failure })),
  };
}
