/**
 * The sampling parameters of a request. In training, those that change the distribution of tokens must equal the run's: the
 * log-probabilities in the loss are computed with the run's, and a ratio to another distribution would be wrong.
 */
import type { Request } from "../../native/api/index.js";
import { EndpointError, unsupported } from "./protocol/errors.js";
import type { ModelRequest } from "./protocol/protocol.js";

/** Sampling of a run. */
export interface RunSampling {
  /** Sampling temperature of rollouts in training. */
  readonly temperature: number;
  readonly topP: number;
  /** Treatment of an agent's sampling parameters that differ from those of the run, in training. */
  readonly sampling: "refuse" | "override";
  /** Sampling temperature in evaluation for requests without a temperature. */
  readonly evalTemperature: number;
}

type Parameters = Omit<Request, "tokens" | "seed" | "stream">;

/** Parameters that change the distribution of tokens, with the values that change nothing. */
const neutral = {
  temperature: 1,
  top_p: 1,
  top_k: 0,
  min_p: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  repetition_penalty: 1,
  logit_bias: {} as Readonly<Record<string, number>>,
};
type Distribution = typeof neutral;
const names = Object.keys(neutral) as (keyof Distribution)[];

/**
 * Returns the sampling parameters of a request, without the random draws. `overridden` names the parameters that the run's
 * values replace.
 *
 * @param vocabulary number of tokens
 * @throws {EndpointError} a parameter differs from the run's, or names a token that the model does not have
 */
export function samplingOf(
  mode: "train" | "eval",
  request: ModelRequest,
  { temperature, topP, evalTemperature, sampling: treatment }: RunSampling,
  vocabulary: number,
): { parameters: Parameters; overridden: string[] } {
  const isTrained = mode === "train";
  const run = { ...neutral, ...(isTrained ? { temperature, top_p: topP } : { temperature: evalTemperature }) };
  const asked = askedFor(request, run);
  for (const id of Object.keys(asked.logit_bias)) expectToken("logit_bias", id, vocabulary);
  for (const id of request.sampling.stop_token_ids ?? []) expectToken("stop_token_ids", id, vocabulary);
  const overridden = isTrained ? differing(asked, run) : [];
  const [refused] = overridden;
  if (refused !== undefined && treatment === "refuse") {
    const value = refused === "logit_bias" ? "no bias" : run[refused];
    const expected = `${value} in training, as for the log-probabilities in the loss (set endpoint_sampling override to ignore the request's value)`;
    throw unsupported(refused, expected, asked[refused]);
  }
  return { parameters: parametersOf(isTrained ? run : asked, request), overridden };
}

/** Returns the names of the sampling parameters for which a request would be refused in training. */
export function otherSampling(request: ModelRequest, { temperature, topP, sampling }: RunSampling): string[] {
  if (sampling === "override") return [];
  const run = { ...neutral, temperature, top_p: topP };
  return differing(askedFor(request, run), run);
}

/**
 * Returns the random draws of a choice. Without a seed in the request, each call of a rollout has its own random stream.
 *
 * @param order number of the call in its rollout @param choice number of the choice in the reply
 */
export function drawsOf(
  { sampling: { seed } }: ModelRequest,
  own: number,
  order: number,
  choice: number,
): Pick<Request, "seed" | "stream"> {
  if (typeof seed === "number") return { seed: BigInt.asUintN(64, BigInt(seed)), stream: choice };
  return { seed: own, stream: order + 1 };
}

function askedFor({ sampling }: ModelRequest, run: Distribution): Distribution {
  return {
    temperature: sampling.temperature ?? run.temperature,
    top_p: sampling.top_p ?? run.top_p,
    // vLLM writes -1 for all tokens.
    top_k: Math.max(0, sampling.top_k ?? run.top_k),
    min_p: sampling.min_p ?? run.min_p,
    presence_penalty: sampling.presence_penalty ?? run.presence_penalty,
    frequency_penalty: sampling.frequency_penalty ?? run.frequency_penalty,
    repetition_penalty: sampling.repetition_penalty ?? run.repetition_penalty,
    logit_bias: Object.fromEntries(Object.entries(sampling.logit_bias ?? {}).filter(([, bias]) => bias !== 0)),
  };
}

function differing(asked: Distribution, run: Distribution): (keyof Distribution)[] {
  return names.filter((name) => !isSame(asked[name], run[name]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function parametersOf(values: Distribution, { topTokens, hasLogprobs }: ModelRequest): Parameters {
  // The engine reports the log-probability of a greedy token among changed logits only with its top tokens.
  const isChanged = !isSame(
    { ...values, temperature: 0, top_p: 1, top_k: 0, min_p: 0 },
    { ...neutral, temperature: 0 },
  );
  const needsOwn = hasLogprobs && values.temperature === 0 && isChanged;
  return {
    temperature: values.temperature,
    topP: values.top_p,
    topK: values.top_k,
    minP: values.min_p,
    presencePenalty: values.presence_penalty,
    frequencyPenalty: values.frequency_penalty,
    repetitionPenalty: values.repetition_penalty,
    logitBias: values.logit_bias,
    topTokens: Math.max(topTokens, needsOwn ? 1 : 0),
  };
}

function expectToken(name: "logit_bias" | "stop_token_ids", id: string | number, vocabulary: number): void {
  if (Number(id) < vocabulary) return;
  const message = `${name}: expected token ids below ${vocabulary}, but received ${id}`;
  throw new EndpointError("invalid_request", message, name === "logit_bias" ? `${name}.${id}` : name);
}
