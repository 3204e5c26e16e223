/**
 * The parameter gradient of a train step equals the paper's formula over each minibatch. The tests cover every
 * algorithm, aggregation and number of minibatches, groups of equal rewards and episodes of several rows, on the engine
 * in float.
 */
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Loss, Trainer } from "#palestra/native/api/index.js";
import {
  AlgorithmSettings,
  algorithmNames,
  createAlgorithm,
  type Estimates,
  resolveSettings,
} from "#palestra/trainer/algorithms/index.js";
import { minibatchesOf } from "#palestra/trainer/data/minibatches.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import { Learner } from "#palestra/trainer/learner.js";
import type { SampledRow } from "#palestra/trainer/policy/teacher.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { configs, engineOfFile, temporaryFolder } from "../native/tiny-models.js";
import { distance, type Gradient, OptimiserSteps } from "../support/optimiser-steps.js";
import { type Episode, episodesOfGroup, paperCredits, paperWeight } from "../support/paper-credits.js";
import { referenceLoss } from "../support/reference-loss.js";
import { trajectory } from "../support/trajectories.js";

// The engine uses float also on a GPU, since the tolerances are for float.
const engine = await engineOfFile(1, { dtype: "f32" });
const folder = temporaryFolder();
const modes = ["token-mean", "seq-mean-token-mean", "seq-mean-token-sum", "seq-mean-token-sum-norm"] as const;
const [trainStep, seed] = [3, 11];
let trainer: Trainer;
let reference: Trainer;
let groups: Group[];

beforeAll(async () => {
  if (!engine) return;
  const model = await engine.loadModel({ config: configs.qwen3, seed: 3 }, { valueHead: true });
  trainer = await model.trainer({ maxTokens: 24 });
  await trainer.accumulate(
    { tokens: [1, 2, 3, 4] },
    { policy: "cross-entropy", valueCoefficient: 1 },
    { returns: [0, 3, 1, 2] },
  );
  await trainer.step({ lr: 0.05 });
  reference = await (await engine.loadModel({ config: configs.qwen3, seed: 4 })).trainer({ maxTokens: 24 });
  groups = await batch();
});

/** Rows of one episode, their steps in the order of `turns`. */
function rowsOf(episodeId: string, score: number, lines: readonly [string, number[], number[]][]): Trajectory[] {
  return lines.map(([line, rewards, turns], row) => {
    const one = trajectory(line, rewards, { episodeId, row, return: score, solved: score >= 1 });
    return { ...one, steps: one.steps.map((step, at) => ({ ...step, turn: turns[at] as number })) };
  });
}

async function batch(): Promise<Group[]> {
  const members = [
    // Rewards differ. One episode has three rows with interleaved turns, and one failed.
    [
      ...rowsOf("interleaved", 1, [
        ["..aa.b", [0, 0.25], [0, 3]],
        [".ccc", [0.5], [1]],
        ["...d.ee", [0, 0.25], [2, 4]],
      ]),
      trajectory(".aaaa..bb", [0, 0]),
      trajectory("..a.bb.c", [0.5, 0, 0.25]),
      trajectory(".aa", [1], { status: "failed" }),
    ],
    // All rewards are equal. One episode has two rows.
    [
      trajectory(".aaaaa", [0]),
      ...rowsOf("equal", 0, [
        [".aa", [0], [0]],
        [".bbb.c", [0, 0], [1, 2]],
      ]),
      trajectory(".a.bb", [0, 0]),
    ],
    [trajectory(".aaa.b", [0, 1]), trajectory("..aa", [0.25])],
    // A group of one episode, which has no baseline.
    [trajectory(".ab", [0, 1])],
    [trajectory("...a", [0]), trajectory(".a.bbb", [1, 0]), trajectory(".aa.bb", [0, 1])],
  ];
  const random = keyedRandom(5);
  const played = members.map(async (rows, id) => {
    const trajectories = await Promise.all(rows.map((row) => sampledAround(row, random)));
    return { id: `${id}`, trajectories, failed: [] };
  });
  return Promise.all(played);
}

/**
 * Random tokens whose behaviour log-probabilities differ slightly from the model's, so that some ratios are clipped.
 */
async function sampledAround(row: Trajectory, random: () => number): Promise<Trajectory> {
  const tokens = Int32Array.from(row.tokens, () => Math.floor(random() * 61));
  const { logprob } = await trainer.score({ tokens, mask: row.mask });
  const logprobs = logprob.map((value, token) => (row.mask[token] === 1 ? value + 0.6 * (random() - 0.5) : 0));
  return { ...row, tokens, logprobs };
}

type Settings = Partial<AlgorithmSettings>;

/** The model of the reference as a teacher. */
const teacher = {
  logprobs: (rows: readonly SampledRow[]) =>
    Promise.all(rows.map(async ({ tokens, mask }) => (await reference.score({ tokens, mask })).logprob)),
  close: () => {},
};

/** The current model's scores that the papers' formulas need. */
async function scores(): Promise<Map<Trajectory, Required<Estimates> & { entropies: Float32Array }>> {
  const all = new Map();
  for (const row of groups.flatMap(({ trajectories }) => trajectories)) {
    const pack = { tokens: row.tokens, mask: row.mask };
    const own = await trainer.score(pack, { entropy: true, value: true });
    const { logprob } = await reference.score(pack);
    all.set(row, {
      logprobs: own.logprob,
      entropies: own.entropy,
      values: own.value,
      reference: logprob,
      teacher: logprob,
    });
  }
  return all;
}

/** Returns the parameter gradient of the papers' loss over some episodes of the batch. */
async function paperGradient(settings: Settings, over: readonly Episode[]): Promise<Gradient> {
  const now = await scores();
  const resolved = resolveSettings(AlgorithmSettings.parse(settings));
  const { advantages, returns } = paperCredits(resolved, groups, now);
  for (const episode of over) {
    const each = paperWeight(resolved, over, episode);
    for (const row of episode) {
      const {
        logprobs,
        entropies,
        values,
        reference: frozen,
      } = now.get(row) as Required<Estimates> & { entropies: Float32Array };
      const weight = Array.from(row.mask, (one) => one * each);
      const advantage = advantages.get(row) as number[];
      const proximal = resolved.recompute_logprob ? logprobs : row.logprobs;
      const inputs = {
        ...{ weight, advantage, proximal, behaviour: row.logprobs, reference: frozen, oldValues: values },
        ...(returns && { returns: returns.get(row) as number[] }),
      };
      const current = { logprob: logprobs, entropy: entropies, value: values };
      const slopes = slopesOf(settings, inputs, current);
      await trainer.accumulateGradients({ tokens: row.tokens, mask: row.mask }, slopes);
    }
  }
  return (await new OptimiserSteps(trainer, folder).take()).gradient;
}

type Inputs = Parameters<typeof referenceLoss>[1];
type Current = Parameters<typeof referenceLoss>[2];

function slopesOf(given: Settings, inputs: Inputs, current: Current) {
  const { loss } = createAlgorithm(AlgorithmSettings.parse(given));
  if (!("gradients" in loss)) return plain(referenceLoss(loss as Loss, inputs, current));
  // SAPO eq. 5 to 7; its other terms are those of the engine's losses.
  const settings = resolveSettings(AlgorithmSettings.parse(given));
  const weight = inputs.weight as number[];
  const rest = {
    policy: "ppo",
    kl: "k3",
    klCoefficient: settings.kl_ctl,
    entropyCoefficient: settings.entropy_coef,
  } as const;
  const others = referenceLoss(rest, { ...inputs, advantage: weight.map(() => 0) }, current);
  const logprob = weight.map((one, token) => {
    if (one === 0) return 0;
    const a = inputs.advantage?.[token] as number;
    const tau = a > 0 ? settings.sapo_tau_pos : settings.sapo_tau_neg;
    const gate = (moved: number) => {
      const ratio = Math.exp((current.logprob[token] as number) + moved - (inputs.proximal?.[token] as number));
      return (4 / tau / (1 + Math.exp(-tau * (ratio - 1)))) * a;
    };
    return (one * (gate(-1e-6) - gate(1e-6))) / 2e-6 + (others.logprob[token] as number);
  });
  return { ...plain(others), logprob };
}

function plain({ logprob, entropy, value }: ReturnType<typeof referenceLoss>) {
  return { logprob: [...logprob], entropy: [...entropy], value: [...value] };
}

/** The episodes that the algorithm learns from, including those without a gradient. */
function learntFrom(settings: Settings): Episode[] {
  const resolved = resolveSettings(AlgorithmSettings.parse(settings));
  const rows = paperCredits(resolved, groups, zeroScores()).advantages;
  return groups.flatMap(episodesOfGroup).filter(([row]) => rows.has(row as Trajectory));
}

function zeroScores(): Map<Trajectory, Estimates> {
  const zeros = (row: Trajectory) => new Float32Array(row.tokens.length);
  const all = groups.flatMap(({ trajectories }) => trajectories);
  return new Map(
    all.map((row) => [row, { logprobs: zeros(row), reference: zeros(row), teacher: zeros(row), values: zeros(row) }]),
  );
}

async function learn(settings: Settings) {
  const given = AlgorithmSettings.parse(settings);
  const resolved = { ...resolveSettings(given), seed, max_tokens_per_mb: 24 };
  const algorithm = createAlgorithm(given);
  const steps = new OptimiserSteps(trainer, folder);
  const { needs } = algorithm;
  const others = { ...(needs.reference && { reference }), ...(needs.teacher && { teacher }) };
  const learner = new Learner(steps.trainer, algorithm, resolved, others);
  const step = await learner.learn(groups, trainStep, { lr: 1 });
  const dealt = [...step.credits.keys()];
  const episodes = groups
    .flatMap(episodesOfGroup)
    .filter(([row]) => dealt.includes(row as Trajectory))
    .map((rows) => ({ rows: [...rows], teaches: teaches(settings, rows, step) }));
  return { step, gradients: steps.gradients, minibatches: minibatchesOf(episodes, resolved, trainStep, 0) };
}

/** Returns whether the formula gives any token of the episode a gradient. */
function teaches(settings: Settings, rows: Episode, { credits }: Awaited<ReturnType<Learner["learn"]>>): boolean {
  const always = settings.algorithm === "ppo" || (settings.kl_ctl ?? 0) > 0 || (settings.entropy_coef ?? 0) !== 0;
  return always || rows.some((row) => credits.get(row)?.advantages.some((advantage) => advantage !== 0));
}

/** Settings of each algorithm, to which the tests add the aggregation. */
const variants: Settings[] = [
  ...algorithmNames.map((algorithm) => ({ algorithm })),
  { algorithm: "grpo", turn_discount: 0.9, kl_ctl: 0.05, entropy_coef: 0.01 },
  { algorithm: "rloo", turn_discount: 0.9 },
  { algorithm: "reinforce", turn_discount: 0.9, use_decoupled_loss: true },
  { algorithm: "reinforce-plus-plus", gamma: 0.9, turn_discount: 0.9, kl_ctl: 0.05 },
  { algorithm: "ppo", gamma: 0.9, lam: 0.8, turn_discount: 0.9 },
  { algorithm: "dr-grpo", turn_discount: 0.5 },
  { algorithm: "sapo", kl_ctl: 0.05, entropy_coef: 0.01 },
  { algorithm: "gigpo", gamma: 0.7, step_advantage_w: 0.5, kl_ctl: 0.05 },
];

const titles = variants.map((variant) => ({ title: JSON.stringify(variant), variant }));

describe.each(titles)("$title", ({ variant }) => {
  test.each(modes)("%s, with 1, 2 and 3 minibatches", async (loss_agg_mode) => {
    const settings = { ...variant, loss_agg_mode, max_completion_length: 7 };
    const whole = await paperGradient(settings, learntFrom(settings));
    for (const ppo_n_minibatches of [1, 2, 3]) {
      const isRefused = settings.use_decoupled_loss && ppo_n_minibatches === 1;
      if (isRefused && settings.algorithm !== "reinforce") continue;
      const { gradients, minibatches } = await learn({ ...settings, ppo_n_minibatches });
      expect(gradients).toHaveLength(ppo_n_minibatches);
      for (const [at, { episodes }] of minibatches.entries()) {
        const rows = episodes.map((episode) => episode.rows);
        expect(distance(gradients[at] as Gradient, await paperGradient(settings, rows))).toBeLessThan(2e-4);
      }
      const sum = whole.map((_, parameter) =>
        minibatches.reduce((total, { share }, at) => total + share * (gradients[at]?.[parameter] as number), 0),
      );
      expect(distance(sum, whole)).toBeLessThan(2e-4);
    }
  });
});

describe("a train step", () => {
  const drGrpo = { algorithm: "dr-grpo", ppo_n_minibatches: 1 } as const;

  test("scales with 1 / max_completion_length in Dr.GRPO", async () => {
    const [long] = (await learn({ ...drGrpo, max_completion_length: 1000 })).gradients as [Gradient];
    const [short] = (await learn({ ...drGrpo, max_completion_length: 10 })).gradients as [Gradient];
    expect(
      distance(
        long.map((value) => value * 100),
        short,
      ),
    ).toBeLessThan(1e-5);
  });

  test("has the same policy gradient with and without a KL term, which gives every token a gradient", async () => {
    const [without] = (await learn({ algorithm: "grpo", ppo_n_minibatches: 1 })).gradients as [Gradient];
    const [with_] = (await learn({ algorithm: "grpo", ppo_n_minibatches: 1, kl_ctl: 1e-9 })).gradients as [Gradient];
    expect(distance(with_, without)).toBeLessThan(1e-4);
  });

  test("reports the loss of the batch, however many minibatches it has", async () => {
    const settings = { algorithm: "grpo", kl_ctl: 0.05 } as const;
    const [one, three] = [
      await learn({ ...settings, ppo_n_minibatches: 1 }),
      await learn({ ...settings, ppo_n_minibatches: 3 }),
    ];
    expect(three.step.loss).toBeCloseTo(one.step.loss, 5);
    const total = (parts: readonly { loss: number }[]) => parts.reduce((sum, { loss }) => sum + loss, 0);
    expect(total(three.step.losses)).toBeCloseTo(total(one.step.losses), 5);
  });

  test("scores the rows with the reference only, unless the loss needs the policy's own scores", async () => {
    const own = vi.spyOn(trainer, "score");
    const frozen = vi.spyOn(reference, "score");
    onTestFinished(() => void vi.restoreAllMocks());
    const settings = { algorithm: "grpo", kl_ctl: 0.05, ppo_n_minibatches: 2 } as const;
    await learn(settings);
    expect([own.mock.calls.length, frozen.mock.calls.length > 0]).toEqual([0, true]);
    await learn({ ...settings, use_decoupled_loss: true });
    expect(own.mock.calls.length).toBeGreaterThan(0);
  });

  test("takes no optimiser step if all groups have equal rewards", async () => {
    const all = groups;
    groups = all.slice(1, 2);
    const { step } = await learn({ algorithm: "grpo" });
    groups = all;
    expect(step).toMatchObject({ optimiserSteps: 0, learntFrom: 0, trainedTokens: 0 });
  });
});
