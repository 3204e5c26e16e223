/** Supervised learning from examples: expert episodes, or the policy's own successes. */
import type { Group, Trajectory } from "../rollout/trajectory.js";
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { survivors } from "./parts/survivors.js";

/**
 * Behavior cloning, or supervised fine-tuning (AgentGym's BehavioralClone): -log pi of every token of the trajectories
 * whose mask is 1, as a mean of tokens.
 */
export function sft(settings: ResolvedSettings): Algorithm {
  return cloneOf(settings, survivors);
}

/**
 * Filtered self-imitation (Xi et al. 2024, "AgentGym: evolving LLM-based agents across diverse environments", eq. 5 and
 * 6): AgentEvol's exploration step weights trajectories by reward: with rewards of 0 and 1, only solved trajectories
 * are kept. The learning step clones them.
 */
export function agentEvol(settings: ResolvedSettings): Algorithm {
  const solved = (group: Group) => survivors(group).filter((trajectory) => trajectory.solved);
  return { ...cloneOf(settings, solved), keeps: (group) => solved(group).length > 0 };
}

function cloneOf(settings: ResolvedSettings, examples: (group: Group) => readonly Trajectory[]): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => {
      const chosen = groups.flatMap(examples);
      const ones = chosen.map(
        (trajectory) => [trajectory, new Float64Array(trajectory.tokens.length).fill(1)] as const,
      );
      return creditsOf(settings, new Map(ones));
    },
    loss: engineLoss("cross-entropy", settings),
  };
}
