/**
 * Measures what a server does where the API leaves room, with a model of its own that is trained for a few steps and then
 * removed. Adam with decay rates of 0 and a large epsilon moves the weights by `lr / eps` times the gradient, so the change
 * of a token's log-probability tells the scale of the gradient.
 */
import type { Loss } from "../../../native/api/index.js";
import { TrainerError } from "../../errors.js";
import { BackendLost } from "../backend.js";
import { type Reduction, reductions, type ServerFacts } from "./facts.js";
import { ProbeModel } from "./probe-model.js";
import type { Sampler } from "./sampler.js";
import type { TinkerServer } from "./server.js";
import type { ModelOptions, TinkerSession } from "./session.js";

export interface ProbeRequest {
  readonly server: TinkerServer;
  readonly session: TinkerSession;
  readonly model: ModelOptions;
  readonly sampler: Sampler;
  /** Loss of the run. */
  readonly loss: Loss | undefined;
  /** Tokens of any text: [6 tokens or more]. */
  readonly tokens: Int32Array;
  readonly signal: AbortSignal;
}

/** Change of a log-probability that is aimed at, in nats, and the change above which a result is used. */
const [aimed, least] = [0.02, 0.002];
/** Largest step in units of the gradient, and the number of attempts at finding a step. */
const mostAttempts = 12;
/** Largest relative difference between a measured share and the one that a reduction has. */
const tolerance = 0.15;

/** Shares of the gradient that remain with a second row of three times the length, and with twice the length. */
const shares: Readonly<Record<Reduction, readonly [number, number]>> = {
  sum: [1, 1],
  "mean of rows": [1 / 2, 1],
  "mean of rows' token means": [1 / 2, 1 / 2],
  "mean of tokens": [1 / 4, 1 / 2],
};

/** Measures a server. @throws {TrainerError} BACKEND_REFUSED: the server does none of what the trainer can work with */
export async function probe(request: ProbeRequest): Promise<ServerFacts> {
  const model = await ProbeModel.create(request);
  try {
    const path = await model.saveForSampling();
    const losses = await lossesOf(model, request.loss);
    const step = await findStep(model);
    const reduction = await reductionOf(model, step);
    const clipsGradients = Math.abs((await model.swing({ step, clip: 1e-9 })) / aimed) < tolerance;
    const samplesApart = await isApart(model, path, request);
    return { reduction, losses, clipsGradients, samplesApart };
  } finally {
    await model.unload().catch(() => {});
  }
}

/** Finds a step that moves the log-probability measurably, and by little enough to be linear in the gradient. */
async function findStep(model: ProbeModel): Promise<number> {
  let step = 1e-3;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const change = await model.change({ step });
    if (change > least && change < 5 * aimed) return (step * aimed) / change;
    step *= change <= least ? 10 : Math.max(1e-3, aimed / change);
  }
  throw new TrainerError(
    "BACKEND_REFUSED",
    "expected an optimizer step to raise the log-probability of a token with a positive advantage, but received a server whose steps do not.",
  );
}

async function reductionOf(model: ProbeModel, step: number): Promise<Reduction> {
  const alone = await model.swing({ step });
  const measured = [await model.swing({ step, beside: 3 }), await model.swing({ step, longer: 2 })].map(
    (change) => change / alone,
  );
  const names = Object.keys(reductions) as Reduction[];
  const isLike = (name: Reduction) =>
    shares[name].every((share, at) => Math.abs((measured[at] as number) / share - 1) < tolerance);
  const found = names.find(isLike);
  if (found) return found;
  throw new TrainerError(
    "BACKEND_REFUSED",
    `expected a server whose loss is the ${names.join(", the ")} of the tokens' losses, but received one whose gradient is multiplied by ${measured.map((share) => share.toFixed(3)).join(" and ")} when a second row of three times the length is added, and when the row is twice as long.`,
  );
}

/** Returns whether the trained weights stay as they are when older ones are sampled with. */
async function isApart(model: ProbeModel, path: string, { sampler, tokens, signal }: ProbeRequest): Promise<boolean> {
  const { first, current } = model;
  await sampler.sample(
    { path, prompt: [...tokens], maxTokens: 1, temperature: 1, topP: 1, topK: 0, seed: 1, stop: [] },
    signal,
  );
  const now = await model.logprob();
  return Math.abs(now - current) < Math.abs(now - first);
}

/** Returns whether the server computes the run's loss with its thresholds. */
async function lossesOf(model: ProbeModel, loss: Loss | undefined): Promise<ServerFacts["losses"]> {
  const policy = loss?.policy;
  if (!loss || (policy !== "ppo" && policy !== "cispo")) return new Set();
  try {
    return (await model.computes(loss)) ? new Set([policy]) : new Set();
  } catch (error) {
    // The server does not know the loss. A server that is gone is another matter.
    if (error instanceof BackendLost || !(error instanceof TrainerError) || error.code !== "BACKEND_REFUSED")
      throw error;
    return new Set();
  }
}
