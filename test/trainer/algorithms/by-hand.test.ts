/** Every algorithm on small numbers, with the calculation by hand beside each test. */
import { describe, expect, test } from "vitest";
import {
  type Algorithm,
  AlgorithmSettings,
  type Batch,
  createAlgorithm,
  type Estimates,
  lossInputs,
} from "#palestra/trainer/algorithms/index.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { referenceLoss } from "../../support/reference-loss.js";
import { group, trajectory } from "../../support/trajectories.js";

const algorithm = (settings: Partial<AlgorithmSettings>): Algorithm =>
  createAlgorithm(AlgorithmSettings.parse(settings));

function batchOf(groups: Group[], scored: [Trajectory, Estimates][] = []): Batch {
  return { groups, estimates: new Map(scored) };
}

/** Rounds to 6 digits, as the expected values are written. */
function advantagesOf(algorithm: Algorithm, batch: Batch): Map<Trajectory, number[]> {
  return new Map([...algorithm.credit(batch)].map(([key, { advantages }]) => [key, rounded(advantages)]));
}

const rounded = (values: Iterable<number>) => Array.from(values, (value) => Number(value.toFixed(6)));
const zeros = (length: number) => new Float32Array(length);

describe("advantages of two environments whose returns differ by a factor of 100", () => {
  const played = { environment: "points@1", split: "train", index: 0, seed: 0 };
  const small = [trajectory(".aa", [1]), trajectory(".a", [0])];
  const large = [trajectory(".a", [100], { played }), trajectory(".a", [0], { played })];
  // A group of the same environment with equal returns: its advantages stay 0.
  const equal = [trajectory(".a", [7], { played }), trajectory(".a", [7], { played })];
  const batch = batchOf([group(...large), group(...small), group(...equal)]);
  const advantages = (adv_norm: AlgorithmSettings["adv_norm"]) =>
    [...advantagesOf(algorithm({ algorithm: "dr-grpo", max_completion_length: 4, adv_norm }), batch)].map(
      ([row, [, advantage]]) => [row.return, advantage],
    );

  test("keep their scale without normalization", () => {
    expect(advantages("none")).toEqual([
      [100, 50],
      [0, -50],
      [1, 0.5],
      [0, -0.5],
      [7, 0],
      [7, 0],
    ]);
  });

  test("have the same scale with adv_norm environment: (0.5 - 1/6) / sqrt(1/3), and 50 / sqrt(5000 / 3)", () => {
    expect(advantages("environment")).toEqual([
      [100, 1.224745],
      [0, -1.224745],
      [1, 0.57735],
      [0, -1.154701],
      [7, 0],
      [7, 0],
    ]);
  });
});

describe("advantages of a group", () => {
  // Scores 1, 0, 0, 1: mean 1/2, unbiased variance (4 * 1/4) / 3 = 1/3, deviation 0.577350.
  const four = [trajectory(".aa", [1]), trajectory(".a", [0]), trajectory(".aaa", [0]), trajectory(".a", [1])];
  const batch = batchOf([group(...four)]);
  const first = (name: AlgorithmSettings["algorithm"], more: Partial<AlgorithmSettings> = {}) =>
    [...advantagesOf(algorithm({ algorithm: name, ...more }), batch).values()].slice(0, 2);

  test("grpo divides by the unbiased deviation: 0.5 / 0.577351", () => {
    expect(first("grpo")).toEqual([
      [0, 0.866024, 0.866024],
      [0, -0.866024],
    ]);
  });

  test.each(["dapo", "gspo", "sapo", "cispo"] as const)("%s has the advantages of GRPO", (name) => {
    expect(first(name)).toEqual(first("grpo"));
  });

  test("dr-grpo does not divide by the deviation", () => {
    expect(first("dr-grpo", { max_completion_length: 4 })).toEqual([
      [0, 0.5, 0.5],
      [0, -0.5],
    ]);
  });

  test("rloo: 1 - (0 + 0 + 1) / 3 and 0 - (1 + 0 + 1) / 3", () => {
    expect(first("rloo")).toEqual([
      [0, 0.666667, 0.666667],
      [0, -0.666667],
    ]);
  });

  test("reinforce-plus-plus-baseline whitens over tokens: 0.5, 0.5, -0.5, -0.5, -0.5, -0.5, 0.5", () => {
    // Mean -1/14; squares 3 (8/14)^2 + 4 (6/14)^2 = 336/196; over 6: 2/7, deviation 0.534522.
    expect(first("reinforce-plus-plus-baseline")).toEqual([
      [0, 1.069045, 1.069045],
      [0, -0.801784],
    ]);
  });
});

test("lite-ppo subtracts the mean of the group and divides by the deviation of the batch", () => {
  // Scores 1, 0 and 4, 2: deviation of {1, 0, 4, 2} about 1.75 is sqrt(8.75 / 3) = 1.707825.
  const groups = [
    group(trajectory(".a", [1]), trajectory(".a", [0])),
    group(trajectory(".a", [4]), trajectory(".a", [2])),
  ];
  expect([...advantagesOf(algorithm({ algorithm: "lite-ppo" }), batchOf(groups)).values()]).toEqual([
    [0, 0.29277],
    [0, -0.29277],
    [0, 0.58554],
    [0, -0.58554],
  ]);
});

describe("reinforce", () => {
  const batch = batchOf([group(trajectory(".a", [1]), trajectory(".a", [0.5])), group(trajectory(".a", [0]))]);
  const run = (settings: Partial<AlgorithmSettings>, carried?: number) => {
    const made = algorithm({ algorithm: "reinforce", ...settings });
    const given = carried === undefined ? batch : { ...batch, carried };
    return { advantages: [...advantagesOf(made, given).values()].map(([, a]) => a), carried: made.carry?.(given) };
  };

  test("without a baseline the advantage is the return", () => {
    expect(run({ baseline: "none" })).toEqual({ advantages: [1, 0.5, 0], carried: undefined });
  });

  test("the mean of the batch is subtracted by default", () => {
    expect(run({})).toEqual({ advantages: [0.5, 0, -0.5], carried: undefined });
  });

  test("a running mean covers the earlier batches, and is updated by each batch", () => {
    expect(run({ baseline: "ema" })).toEqual({ advantages: [1, 0.5, 0], carried: 0.5 });
    expect(run({ baseline: "ema", baseline_decay: 0.75 }, 0.25)).toEqual({
      advantages: [0.75, 0.25, -0.25],
      carried: 0.75 * 0.25 + 0.25 * 0.5,
    });
  });

  test("a batch without a valid trajectory does not change the running mean", () => {
    const made = algorithm({ algorithm: "reinforce", baseline: "ema" });
    expect(made.carry?.({ ...batchOf([]), carried: 0.25 })).toBe(0.25);
  });
});

describe("ppo", () => {
  // Tokens: prompt, a a, observation, b. Reward 1 at the end of b. gamma 0.5, lam 0.5, V = 0.4, 0.2 | 0.6.
  //   delta_b  = 1 - 0.6             = 0.4    A = 0.4
  //   delta_a2 = 0.5 * 0.6 - 0.2     = 0.1    A = 0.1 + 0.25 * 0.4 = 0.2
  //   delta_a1 = 0.5 * 0.2 - 0.4     = -0.3   A = -0.3 + 0.25 * 0.2 = -0.25
  const played = trajectory(".aa.b", [0, 1]);
  const values = Float32Array.of(9, 0.4, 0.2, 9, 0.6);
  const scored: Estimates = { logprobs: zeros(5), reference: Float32Array.of(0, 0, -0.5, 0, 0), values };
  const batch = batchOf([group(played)], [[played, scored]]);
  const run = (settings: Partial<AlgorithmSettings>) =>
    algorithm({ algorithm: "ppo", gamma: 0.5, lam: 0.5, adv_norm: "none", ...settings })
      .credit(batch)
      .get(played);

  test("the estimates skip observation tokens and do not discount them", () => {
    const credit = run({});
    expect(rounded(credit?.advantages ?? [])).toEqual([0, -0.25, 0.2, 0, 0.4]);
    expect(rounded(credit?.returns ?? [])).toEqual([0, 0.15, 0.4, 0, 1]);
  });

  test("whitening does not change the returns", () => {
    // Mean 0.116667; squares 0.134444 + 0.006944 + 0.080278 = 0.221667; over 2: deviation 0.332916.
    const credit = run({ adv_norm: "batch" });
    expect(rounded(credit?.advantages ?? [])).toEqual([0, -1.101377, 0.250313, 0, 0.851064]);
    expect(rounded(credit?.returns ?? [])).toEqual([0, 0.15, 0.4, 0, 1]);
  });

  test("turn_discount applies only between turns: 0.5 * 0.5 * 0.6 - 0.2 = -0.05, A = -0.05 + 0.125 * 0.4 = 0", () => {
    expect(rounded(run({ turn_discount: 0.5 })?.advantages ?? [])).toEqual([0, -0.3, 0, 0, 0.4]);
  });

  test("kl_ctl subtracts the distance from the reference: 0.1 * (0 + 0.5) on the second token", () => {
    expect(rounded(run({ kl_ctl: 0.1 })?.advantages ?? [])).toEqual([0, -0.2625, 0.15, 0, 0.4]);
  });

  test("the critic's targets are the returns, and its old values are the base of the clip", () => {
    const made = algorithm({ algorithm: "ppo", vf_coef: 0.5, value_eps_clip: 0.1 });
    expect(made.loss).toMatchObject({ valueCoefficient: 0.5, valueClip: 0.1 });
    expect(made.needs).toEqual({ proximal: false, reference: false, values: true });
    const credit = made.credit(batch).get(played);
    expect(credit && lossInputs(made, played, credit, scored).oldValues).toBe(values);
  });

  test("a separate critic has only the value loss, with weight 1", () => {
    const made = algorithm({ algorithm: "ppo", critic: "separate", value_eps_clip: 0.1 });
    expect(made.loss).not.toHaveProperty("valueCoefficient");
    expect(made.criticLoss).toEqual({ policy: "reinforce", valueCoefficient: 1, valueClip: 0.1 });
    expect(made.needs).toEqual({ proximal: false, reference: false, values: false });
    expect(made.credit(batch).get(played)).toEqual(algorithm({ algorithm: "ppo" }).credit(batch).get(played));
  });
});

test("reinforce-plus-plus whitens the discounted return from each token on", () => {
  // gamma 0.5: returns 0.25, 0.5, 1; mean 0.583333; squares 0.111111 + 0.006944 + 0.173611; over 2: deviation 0.381881.
  const played = trajectory(".aa.b", [0, 1]);
  const advantages = advantagesOf(
    algorithm({ algorithm: "reinforce-plus-plus", gamma: 0.5 }),
    batchOf([group(played)]),
  );
  expect(advantages.get(played)).toEqual([0, -0.872872, -0.218218, 0, 1.091089]);
});

describe("dapo", () => {
  const dapo = algorithm({ algorithm: "dapo" });
  const of = (...scores: number[]) => group(...scores.map((score) => trajectory(".a", [score])));

  test("keeps groups in which some members solved the task and some did not", () => {
    const kept = [of(1, 1), of(0, 0.5), of(1, 0), of(1), group()].map((each) => dapo.keeps?.(each));
    expect(kept).toEqual([false, false, true, false, false]);
  });

  test("a failed member does not make a group differ", () => {
    expect(dapo.keeps?.(group(trajectory(".a", [1]), trajectory(".a", [0], { status: "failed" })))).toBe(false);
  });

  test("can keep groups whose scores differ", () => {
    const byScore = algorithm({ algorithm: "dapo", dynamic_sampling: "score" });
    expect([of(0, 0.5), of(0.5, 0.5)].map((each) => byScore.keeps?.(each))).toEqual([true, false]);
    expect(algorithm({ algorithm: "dapo", dynamic_sampling: "none" }).keeps).toBeUndefined();
  });

  test("long replies lose reward: with a limit of 8 and a band of 4, lengths 4, 5, 8 and 9 cost 0, 1/4, 1 and 1", () => {
    const members = [4, 5, 8, 9].map((length) => trajectory(`.${"a".repeat(length)}`, [1]));
    const settings = { max_completion_length: 8, overlong_tokens: 4 };
    // Rewards 1, 0.75, 0, 0: mean 0.4375, squares 0.316406 + 0.097656 + 2 * 0.191406; over 3: deviation 0.515388.
    const all = advantagesOf(algorithm({ algorithm: "dapo", ...settings }), batchOf([group(...members)]));
    expect(members.map((member) => all.get(member)?.[1])).toEqual([1.091408, 0.606338, -0.848873, -0.848873]);
  });

  test("clips to 0.8 and 1.28", () => {
    expect(dapo.loss).toMatchObject({ policy: "ppo", clipLow: 0.2, clipHigh: 0.28 });
  });
});

describe("gigpo", () => {
  // Both pass state s twice and once. gamma 0.5.
  //   first:  s (r 0), t (r 0), s (r 1): Q = 0.25, 0.5, 1
  //   second: s (r 0), u (r 0):          Q = 0, 0
  // Episodes: 1 and 0, mean 0.5. Bucket s: 0.25, 1, 0, mean 0.416667. t and u stand alone.
  const visiting = (line: string, rewards: number[], states: string[]) => {
    const plain = trajectory(line, rewards);
    return { ...plain, steps: plain.steps.map((step, i) => ({ ...step, observationHash: states[i] as string })) };
  };
  const first = visiting(".a.b.c", [0, 0, 1], ["s", "t", "s"]);
  const second = visiting(".a.bb*", [0, 0], ["s", "u"]);
  const run = (more: Partial<AlgorithmSettings>) =>
    advantagesOf(algorithm({ algorithm: "gigpo", gamma: 0.5, ...more }), batchOf([group(first, second)]));

  test("steps from the same state are compared, and a state that occurs once adds nothing", () => {
    const advantages = run({});
    expect(advantages.get(first)).toEqual([0, 0.333333, 0, 0.5, 0, 1.083333]);
    expect(advantages.get(second)).toEqual([0, -0.916667, 0, -0.5, -0.5, -0.5]);
  });

  test("step_advantage_w weights the step advantages", () => {
    expect(run({ step_advantage_w: 0 }).get(first)).toEqual([0, 0.5, 0, 0.5, 0, 0.5]);
    expect(run({ step_advantage_w: 2 }).get(first)?.[5]).toBe(1.666667);
  });

  test("mean_std_norm divides both advantages: 0.5 / 0.707108 + (1 - 0.416667) / 0.520417", () => {
    expect(run({ gigpo_mode: "mean_std_norm" }).get(first)?.[5]).toBe(1.828001);
  });

  test("equal states of two groups are not compared", () => {
    const other = visiting(".a", [1], ["t"]);
    const groups = [group(first, second), group(other, visiting(".a", [1], ["v"]))];
    expect(advantagesOf(algorithm({ algorithm: "gigpo", gamma: 0.5 }), batchOf(groups)).get(other)).toEqual([0, 0]);
  });
});

describe("turn_discount", () => {
  // d = 0.5: first returns 0.25 + 0.5 * 1 = 0.75 and 1; second 0 and 0, and 0 for the reply without an action.
  const first = trajectory(".aa.b", [0.25, 1]);
  const second = trajectory(".a.b*", [0, 0]);
  const batch = batchOf([group(first, second)]);

  test("gives every turn its own advantage, relative to all turns of the group", () => {
    // Mean of 0.75, 1, 0, 0, 0: 0.35.
    const advantages = advantagesOf(
      algorithm({ algorithm: "dr-grpo", max_completion_length: 9, turn_discount: 0.5 }),
      batch,
    );
    expect(advantages.get(first)).toEqual([0, 0.4, 0.4, 0, 0.65]);
    expect(advantages.get(second)).toEqual([0, -0.35, 0, -0.35, -0.35]);
  });

  test("rloo excludes all turns of a trajectory from its baseline: 0.75 - 0 and 0 - 0.875", () => {
    const advantages = advantagesOf(algorithm({ algorithm: "rloo", turn_discount: 0.5 }), batch);
    expect(advantages.get(first)).toEqual([0, 0.75, 0.75, 0, 1]);
    expect(advantages.get(second)?.[1]).toBe(-0.875);
  });
});

describe("supervised", () => {
  const [solved, unsolved] = [trajectory(".aa", [1]), trajectory(".a", [0])];
  const batch = batchOf([group(solved, unsolved), group(unsolved)]);

  test("sft clones every trajectory: 3 tokens of weight 1/3 with losses 1, 2 and 3 lose 2", () => {
    const made = algorithm({ algorithm: "sft" });
    const one = batchOf([group(solved, unsolved)]);
    const logprobs = new Map([
      [solved, [0, -1, -2]],
      [unsolved, [0, -3]],
    ]);
    const losses = [...made.credit(one)].map(([key, credit]) => {
      const logprob = logprobs.get(key) as number[];
      const scores = { logprob, entropy: zeros(3), value: zeros(3) };
      return referenceLoss(made.loss as never, lossInputs(made, key, credit), scores).loss;
    });
    expect(losses.reduce((total, loss) => total + loss, 0)).toBeCloseTo(2, 6);
  });

  test("agent-evol clones trajectories that solved their task, and keeps groups with such a trajectory", () => {
    const made = algorithm({ algorithm: "agent-evol" });
    expect([...made.credit(batch).keys()]).toEqual([solved]);
    expect(batch.groups.map((each) => made.keeps?.(each))).toEqual([true, false]);
  });
});

describe("losses by hand", () => {
  // One token each: ratio exp(0.5) = 1.648721 for A > 0, exp(-0.5) = 0.606531 for A < 0.
  const [up, down] = [trajectory(".a", [1]), trajectory(".a", [0])];
  const batch = batchOf([group(up, down)]);
  const current = { [up.episodeId]: [0, 0.5], [down.episodeId]: [0, -0.5] };
  const run = (settings: Partial<AlgorithmSettings>) => {
    const made = algorithm(settings);
    return [...made.credit(batch)].map(([key, credit]) => {
      const logprob = Float32Array.from(current[key.episodeId] as number[]);
      if ("gradients" in made.loss) {
        const custom = made.loss.gradients(key, credit, logprob, undefined, undefined);
        return [custom.loss, custom.logprob[1]].map((value) => Number(value?.toFixed(5)));
      }
      const scores = { logprob, entropy: zeros(2), value: zeros(2) };
      const { loss, logprob: slope } = referenceLoss(made.loss, lossInputs(made, key, credit), scores);
      return [loss, slope[1]].map((value) => Number(value?.toFixed(5)));
    });
  };
  const settings = { max_completion_length: 1 };

  test("ppo's clipped loss is -1.2 * 0.5 / 2 and 0.8 * 0.5 / 2, without a gradient", () => {
    expect(run({ algorithm: "dr-grpo", ...settings })).toEqual([
      [-0.3, 0],
      [0.2, 0],
    ]);
  });

  test("cispo keeps the gradient at the clipped weight: 1.2 * 0.5 / 2 with A of 0.5 / 0.707108", () => {
    const [first] = run({ algorithm: "cispo", eps_clip: 0.2, eps_clip_higher: 0.2 });
    expect(first).toEqual([-0.21213, -0.42426]);
  });

  test("sapo's gate at 0.648721: sigmoid 0.656711, loss -4 * 0.656711 A / 2, slope -4 * 0.225442 * 1.648721 A / 2", () => {
    const [first] = run({ algorithm: "sapo" });
    expect(first).toEqual([-0.92874, -0.52564]);
  });

  test("rloo's loss is -A logp / 2 with A of 1", () => {
    expect(run({ algorithm: "rloo" })).toEqual([
      [-0.25, -0.5],
      [-0.25, 0.5],
    ]);
  });
});
