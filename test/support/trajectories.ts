/** Trajectories in a short notation: "..ab.c" is two prompt tokens, two of the first step, an observation, one of the second. */
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";

let made = 0;

/**
 * @param line a letter for each sampled token, by step; a dot for a prompt or observation token; a star for a sampled
 *   token that is part of no action
 * @param rewards rewards of the steps
 */
export function trajectory(line: string, rewards: number[], more: Partial<Trajectory> = {}): Trajectory {
  const letters = [...new Set(line.replaceAll(/[.*]/g, ""))];
  const mask = Uint8Array.from(line, (letter) => (letter === "." ? 0 : 1));
  const score = rewards.reduce((total, reward) => total + reward, 0);
  made += 1;
  return {
    episodeId: `episode-${made}`,
    group: "group",
    played: { environment: "counting@1", split: "train", index: 0, seed: 0 },
    tokens: new Int32Array(line.length),
    mask,
    logprobs: new Float32Array(line.length),
    versions: Int32Array.from(mask, (sampled) => sampled - 1),
    steps: letters.map((letter, step) => ({
      first: line.indexOf(letter),
      end: line.lastIndexOf(letter) + 1,
      action: letter,
      observationHash: `${step}`,
      reward: rewards[step] ?? 0,
    })),
    status: "terminated",
    return: score,
    solved: score >= 1,
    ...more,
  };
}

export function group(...trajectories: Trajectory[]): Group {
  return { id: "group", trajectories, failed: [] };
}
