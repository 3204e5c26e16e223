/**
 * Round caps of episodes. ScalingInter-RL (Xi et al. 2025, "AgentGym-RL", section 4.2) starts with a short horizon, in
 * which the policy learns to act, and lengthens it during training. Training with a long horizon from the start
 * collapses; training with only a short horizon reaches a plateau.
 */

export interface RoundCap {
  /** Returns the round cap of an episode. @param trainStep number of train steps before the episode */
  roundsAt(trainStep: number): number;
}

/** AgentGym-RL's round caps for an environment. */
export interface RoundDefaults {
  /** Round cap of a fixed horizon. */
  readonly fixed: number;
  /** Round cap of each stage. */
  readonly rounds: readonly number[];
  readonly steps_scaling_inter: number;
  /** Round cap of evaluations. */
  readonly evaluation: number;
}

/** Round caps in AgentGym-RL's scripts, by the environment's name without its version. */
export const agentGymRlRounds: Readonly<Record<string, RoundDefaults>> = {
  textcraft: { fixed: 30, rounds: [10, 20, 30], steps_scaling_inter: 100, evaluation: 30 },
  babyai: { fixed: 20, rounds: [6, 13, 20], steps_scaling_inter: 100, evaluation: 20 },
  sciworld: { fixed: 20, rounds: [10, 20, 30], steps_scaling_inter: 100, evaluation: 30 },
  searchqa: { fixed: 5, rounds: [5, 8, 10], steps_scaling_inter: 100, evaluation: 30 },
  webarena: { fixed: 15, rounds: [8, 12, 15], steps_scaling_inter: 80, evaluation: 15 },
};

/**
 * Returns AgentGym-RL's round caps of an environment; undefined if AgentGym-RL has none. @param environment `id` or
 * `id@version`
 */
export function roundDefaults(environment: string): RoundDefaults | undefined {
  const [name = ""] = environment.split("@");
  return Object.hasOwn(agentGymRlRounds, name) ? agentGymRlRounds[name] : undefined;
}

/** Makes a fixed round cap. @throws {RangeError} */
export function fixedRounds(rounds: number): RoundCap {
  const cap = whole(rounds, "rounds");
  return { roundsAt: () => cap };
}

/**
 * Makes a growing round cap: `rounds[k]` with k = trainStep / steps_scaling_inter, rounded down. After the last stage,
 * the cap of that stage remains.
 *
 * @throws {RangeError} there is no stage, or a number is not a positive integer
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
  throw new RangeError(`expected ${name} as a positive integer, but received ${value}`);
}
