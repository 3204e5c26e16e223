/**
 * One rollout: a policy plays an episode, which always results in a trajectory. A failure of the gym or the policy is
 * retried with back-off. After the last retry, the trajectory has the status `failed`, and is no evidence about the
 * policy.
 */

import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import { textHash } from "../../server/formats/text-hash.js";
import { type BackOff, backOffMs, sleep } from "../gym/back-off.js";
import type { Played } from "../gym/gym.js";
import { type GymClient, type GymEpisode, GymError, type GymStep } from "../gym/gym.js";
import { addRetries, type Conversation, type Policy, PolicyError, type Reply, type Usage } from "../policy/policy.js";
import { instructionsFor, type PromptExamples } from "./instructions.js";
import type { Trajectory, TrajectoryFailure, TrajectoryStatus, TrajectoryStep } from "./trajectory.js";

/** Task of a rollout. */
export interface RolloutTask {
  readonly environment: string;
  /** Task split. Default: the environment's default split. */
  readonly split?: string | undefined;
  readonly index: number;
  /** Seed of the environment. */
  readonly seed: number;
  readonly options?: Readonly<Record<string, string>> | undefined;
}

export interface RolloutSettings {
  /** Maximum number of replies of the policy. */
  readonly maxRounds: number;
  readonly format: ActionFormat;
  /** Worked examples for the instructions. Default: none. */
  readonly examples?: PromptExamples | undefined;
  /** Maximum number of retries of an episode, after failures that may be temporary. */
  readonly retries: number;
  readonly backOff: BackOff;
}

export interface Turn {
  readonly reply: Reply;
  /** Action that was sent; undefined if the reply had no action. */
  readonly action: string | undefined;
  /** Observation of the environment, or the refusal of the action format. */
  readonly observation: string;
  readonly reward: number;
  /** Info of the step; empty if no action was sent. */
  readonly info: GymStep["info"];
}

/** Callbacks of a rollout. A retry calls them again from the start of the episode. */
export interface RolloutWatcher {
  began?(episode: GymEpisode): void;
  turned?(turn: Turn): void;
  /** Called after a failed attempt. @param waitMs milliseconds until the next attempt; undefined after the last one */
  failed?(error: GymError | PolicyError, waitMs: number | undefined): void;
}

export interface RolloutRequest {
  readonly gym: GymClient;
  readonly policy: Policy;
  readonly task: RolloutTask;
  readonly settings: RolloutSettings;
  /** Id of the group. */
  readonly group: string;
  /** Seed of the policy's random draws. */
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly watcher?: RolloutWatcher | undefined;
}

export const defaultRetries = 3;
export const defaultBackOff: BackOff = { baseMs: 500, maxMs: 30_000 };

/** Plays an episode. @throws the signal's reason if the signal aborts @throws errors except GymError and PolicyError */
export async function playEpisode(request: RolloutRequest): Promise<Trajectory> {
  const { settings, signal, watcher } = request;
  let spent: Usage | undefined;
  for (let attempt = 0; ; attempt++) {
    const { trajectory, error } = await new Attempt(request).play();
    spent = addUsage(spent, trajectory.usage);
    const isLast = !error || !isRetryable(error) || attempt >= settings.retries;
    const waitMs = isLast ? undefined : backOffMs(settings.backOff, attempt);
    if (error) watcher?.failed?.(error, waitMs);
    if (waitMs === undefined) return spent ? { ...trajectory, usage: spent } : trajectory;
    await sleep(waitMs, signal);
  }
}

class Attempt {
  private episode: GymEpisode | undefined;
  private conversation: Conversation | undefined;
  private readonly steps: TrajectoryStep[] = [];

  constructor(private readonly request: RolloutRequest) {}

  async play(): Promise<{ trajectory: Trajectory; error?: GymError | PolicyError }> {
    try {
      return { trajectory: this.trajectory(await this.rounds()) };
    } catch (error) {
      this.request.signal.throwIfAborted();
      if (!(error instanceof GymError || error instanceof PolicyError)) throw error;
      return { trajectory: this.trajectory("failed", failureOf(error)), error };
    } finally {
      this.conversation?.close();
      // The close is not awaited here, since closing the client waits for it.
      void this.episode?.close();
    }
  }

  private async rounds(): Promise<TrajectoryStatus> {
    const { gym, policy, task, settings, signal, watcher } = this.request;
    const episode = await gym.begin(task, signal);
    this.episode = episode;
    watcher?.began?.(episode);
    const { prompt, tools: offered } = instructionsFor(settings, episode);
    this.conversation = policy.converse({
      played: episode.played,
      prompt,
      format: settings.format,
      tools: episode.tools,
      offered,
      observation: episode.observation,
      seed: this.request.seed,
      ...(episode.environment.hasExpert && { expert: () => episode.expert(signal) }),
    });
    let seen = episode.observation;
    for (let round = 0; round < settings.maxRounds; round++) {
      const reply = await this.conversation.reply(round === 0 ? undefined : seen, signal);
      const turn = await this.act(episode, reply);
      this.steps.push({
        first: reply.first,
        end: reply.end,
        action: turn.action ?? "",
        observationHash: textHash(seen),
        reward: turn.reward,
      });
      watcher?.turned?.(turn);
      if (turn.end) return turn.end;
      seen = turn.observation;
    }
    return "limit";
  }

  private async act(episode: GymEpisode, reply: Reply): Promise<Turn & { end?: TrajectoryStatus }> {
    // A reply that was cut off at the end of the context may contain an action that the policy did not intend.
    if (reply.finish === "context")
      return { reply, action: undefined, observation: "", reward: 0, info: {}, end: "limit" };
    const reading = this.request.settings.format.read(reply.text, episode.tools);
    if ("refusal" in reading) return { reply, action: undefined, observation: reading.refusal, reward: 0, info: {} };
    const { action } = reading;
    const { observation, reward, terminated, truncated, info } = await episode.step(action, this.request.signal);
    const turn = { reply, action, observation, reward, info };
    if (terminated) return { ...turn, end: "terminated" };
    return truncated ? { ...turn, end: "truncated" } : turn;
  }

  private trajectory(status: TrajectoryStatus, failure?: TrajectoryFailure): Trajectory {
    const { episode, conversation, steps, request } = this;
    const total = steps.reduce((sum, { reward }) => sum + reward, 0);
    const solvedReward = episode?.environment.solvedReward ?? Number.POSITIVE_INFINITY;
    const usage = conversation?.usage?.();
    return {
      episodeId: episode?.id ?? "",
      group: request.group,
      played: episode?.played ?? wanted(request.task),
      ...(conversation?.tokens() ?? noTokens()),
      steps,
      status,
      ...(failure && { failure }),
      return: total,
      solved: status !== "failed" && total >= solvedReward,
      ...(usage && { usage }),
    };
  }
}

function isRetryable(error: GymError | PolicyError): boolean {
  return error instanceof GymError ? error.passes : error.retryable;
}

function failureOf(error: GymError | PolicyError): TrajectoryFailure {
  const { code, message } = error;
  if (error instanceof GymError) return { class: error.class, code, message };
  const { status } = error.facts;
  return { class: "policy", code, message, ...(status !== undefined && { status }) };
}

function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...((a.retries || b.retries) && { retries: addRetries(a.retries ?? {}, b.retries ?? {}) }),
  };
}

/** Returns the task as requested, for a trajectory whose episode was never opened. */
function wanted({ environment, split, index, seed }: RolloutTask): Played {
  return { environment, split: split ?? "", index, seed };
}

function noTokens() {
  return { tokens: new Int32Array(), mask: new Uint8Array(), logprobs: new Float32Array(), versions: new Int32Array() };
}
