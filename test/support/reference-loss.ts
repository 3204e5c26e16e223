/** Simple and slow reference of the engine's losses, in float64 with central differences, for one trajectory at a time. */
import type { Loss, LossInputs } from "#palestra/native/api/index.js";

interface Scores {
  logprob: ArrayLike<number>;
  entropy: ArrayLike<number>;
  value: ArrayLike<number>;
}

export interface ReferenceLoss {
  loss: number;
  logprob: Float64Array;
  entropy: Float64Array;
  value: Float64Array;
}

export function referenceLoss(loss: Loss, inputs: LossInputs, scores: Scores): ReferenceLoss {
  const weights = Array.from(inputs.weight as ArrayLike<number>);
  const sequenceRatio = meanRatio(inputs, scores, weights);
  const result: ReferenceLoss = {
    loss: 0,
    logprob: new Float64Array(weights.length),
    entropy: new Float64Array(weights.length),
    value: new Float64Array(weights.length),
  };
  const h = 1e-6;
  for (const [token, weight] of weights.entries()) {
    if (weight === 0) continue;
    const at = [scores.logprob[token], scores.entropy[token], scores.value[token]] as [number, number, number];
    const lossAt = (moved: [number, number, number]) =>
      weight * tokenLoss(loss, inputs, token, moved, at[0], sequenceRatio);
    result.loss += lossAt(at);
    for (const [index, name] of (["logprob", "entropy", "value"] as const).entries()) {
      const moved = (by: number) => at.map((x, i) => (i === index ? x + by : x)) as [number, number, number];
      result[name][token] = (lossAt(moved(h)) - lossAt(moved(-h))) / (2 * h);
    }
  }
  return result;
}

/** Returns exp of the mean log-ratio over trained tokens. */
function meanRatio({ proximal }: LossInputs, { logprob }: Scores, weights: number[]): number {
  const logRatios = weights
    .map((weight, token) => (weight === 0 ? undefined : (logprob[token] as number) - (proximal?.[token] ?? 0)))
    .filter((ratio) => ratio !== undefined);
  return Math.exp(logRatios.reduce((total, ratio) => total + ratio, 0) / logRatios.length);
}

/** @param at log-probability to use where an equation stops gradients */
function tokenLoss(
  loss: Loss,
  inputs: LossInputs,
  token: number,
  [logprob, entropy, value]: [number, number, number],
  at: number,
  sequenceRatio: number,
): number {
  const of = (name: keyof LossInputs) => inputs[name]?.[token] as number;
  const { clipLow = 0.2, clipHigh = 0.2, dualClip = 0 } = loss;
  const clip = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);
  const a = of("advantage");
  const surrogate = (u: number) => {
    const plain = Math.max(-u * a, -clip(u, 1 - clipLow, 1 + clipHigh) * a);
    return dualClip > 0 && a < 0 ? Math.min(plain, -dualClip * a) : plain;
  };
  const policies = {
    "cross-entropy": () => -logprob,
    reinforce: () => -a * logprob,
    ppo: () => surrogate(Math.exp(logprob - of("proximal"))),
    gspo: () => surrogate(sequenceRatio * Math.exp(logprob - at)),
    cispo: () => -clip(Math.exp(at - of("proximal")), 1 - clipLow, 1 + clipHigh) * a * logprob,
  };
  let total = policies[loss.policy]();
  if (loss.behaviourWeight && loss.behaviourWeight !== "none") {
    const w = Math.exp(of("proximal") - of("behaviour"));
    const cap = loss.behaviourCap ?? 5;
    total *= w > cap ? (loss.behaviourWeight === "mask" ? 0 : cap) : w;
  }
  const r = of("reference") - logprob;
  const kl = { none: 0, k1: -r, k2: r ** 2 / 2, k3: Math.exp(r) - 1 - r };
  if (loss.klCoefficient) total += loss.klCoefficient * kl[loss.kl ?? "none"];
  total -= (loss.entropyCoefficient ?? 0) * entropy;
  if (loss.valueCoefficient) {
    const bound = loss.valueClip ?? Number.POSITIVE_INFINITY;
    const held = clip(value, of("oldValues") - bound, of("oldValues") + bound);
    total += (loss.valueCoefficient / 2) * Math.max((value - of("returns")) ** 2, (held - of("returns")) ** 2);
  }
  return total;
}
