/**
 * How many rounds an episode may have. ScalingInter-RL (Xi et al. 2025, "AgentGym-RL", section 4.2) begins with a short
 * horizon, of which the policy learns to act at all, and lengthens it by train step: a long one from the start collapses,
 * and one that stays short ends in a plateau.
 */

export interface RoundCap {
  /** @param trainStep optimiser updates of the run before this rollout, from 0 */
  roundsAt(trainStep: number): number;
}

/** AgentGym-RL's `rounds_ctrl` of an environment. */
export interface RoundDefaults {
  /** Where the horizon does not grow. */
  readonly fixed: number;
  /** Of each stage. */
  readonly rounds: readonly number[];
  readonly steps_scaling_inter: number;
  /** When a policy is evaluated. */
  readonly evaluation: number;
}

/** The shipped scripts of AgentGym-RL, by the environment's name without its version. */
export const agentGymRlRounds: Readonly<Record<string, RoundDefaults>> = {
  textcraft: { fixed: 30, rounds: [10, 20, 30], steps_scaling_inter: 100, evaluation: 30 },
  babyai: { fixed: 20, rounds: [6, 13, 20], steps_scaling_inter: 100, evaluation: 20 },
  sciworld: { fixed: 20, rounds: [10, 20, 30], steps_scaling_inter: 100, evaluation: 30 },
  searchqa: { fixed: 5, rounds: [5, 8, 10], steps_scaling_inter: 100, evaluation: 30 },
  webarena: { fixed: 15, rounds: [8, 12, 15], steps_scaling_inter: 80, evaluation: 15 },
};

/** @param environment `id` or `id@version`; undefined where AgentGym-RL has no figures of it */
export function roundDefaults(environment: string): RoundDefaults | undefined {
  const [name = ""] = environment.split("@");
  return Object.hasOwn(agentGymRlRounds, name) ? agentGymRlRounds[name] : undefined;
}

/** @throws {RangeError} */
export function fixedRounds(rounds: number): RoundCap {
  const cap = whole(rounds, "rounds");
  return { roundsAt: () => cap };
}

/**
 * `rounds[k]` with k = trainStep / steps_scaling_inter rounded down: the first so many train steps have the first cap, and
 * what comes after the last stage stays at its cap.
 *
 * @throws {RangeError} no stage, or a number that is no whole number above 0
 */
export function scalingInter({
  rounds,
  steps_scaling_inter,
}: Pick<RoundDefaults, "rounds" | "steps_scaling_inter">): RoundCap {
  if (rounds.length === 0) throw new RangeError("expected rounds of at least one stage, but received none");
  const caps = rounds.map((cap, stage) => whole(cap, `rounds[${stage}]`));
  const steps = whole(steps_scaling_inter, "steps_scaling_inter");
  return { roundsAt: (trainStep) => caps[Math.min(Math.floor(trainStep / steps), caps.length - 1)] as number };
}

function whole(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new RangeError(`expected ${name} as a whole number from 1, but received ${value}`);
}
