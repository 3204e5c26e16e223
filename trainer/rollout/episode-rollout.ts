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
import { keyedHash } from "../keyed-random.js";
import { addRetries, type Policy, PolicyError, type Reply, type Tokens, type Usage } from "../policy/policy.js";
import type { PromptExamples } from "./instructions.js";
import { Player } from "./player.js";
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
  /** Rewards of seats. Default: `own`. */
  readonly seatRewards?: SeatRewards | undefined;
}

/**
 * Rewards of the seats. `own`: a seat's own rewards, where the environment gives them, else those that the seats share;
 * `shared`: the rewards of the episode, for each seat.
 */
export const seatRewards = ["own", "shared"] as const;
export type SeatRewards = (typeof seatRewards)[number];

/** Policies of the seats that the policy of a rollout does not play, by seat. */
export type SeatPartners = ReadonlyMap<string, Policy>;

export interface Turn {
  readonly reply: Reply;
  /** Seat that replied, if the environment has seats. */
  readonly seat?: string | undefined;
  /** Action that was sent; undefined if the reply had no action. */
  readonly action: string | undefined;
  /** Observation of the environment, or the refusal of the action format. */
  readonly observation: string;
  readonly reward: number;
  /** Rewards of the seats; undefined if they share `reward`. */
  readonly rewards?: GymStep["rewards"];
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
  /** Default: the policy plays all seats. */
  readonly partners?: SeatPartners | undefined;
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
  /** Players by seat; one player without seats. */
  private readonly players = new Map<string | undefined, Player>();
  /** Steps of all players in the order of play. */
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
      for (const player of this.players.values()) player.close();
      // The close is not awaited here, since closing the client waits for it.
      void this.episode?.close();
    }
  }

  private async rounds(): Promise<TrajectoryStatus> {
    const { gym, task, settings, signal, watcher } = this.request;
    const episode = await gym.begin(task, signal);
    this.episode = episode;
    watcher?.began?.(episode);
    // Each seat has a player from the start, since it may get a reward before its first turn.
    for (const name of episode.environment.seats?.keys() ?? []) this.playerOf(name, episode);
    let { observation: seen, turn: seat } = episode;
    for (;;) {
      const player = this.playerOf(seat, episode);
      if (player.steps.length >= settings.maxRounds) return "limit";
      const reply = await player.reply(seen);
      const turn = await this.act(episode, player, reply);
      const { first, end } = reply;
      player.add({ first, end, action: turn.action ?? "", observationHash: textHash(seen) });
      this.credit(turn);
      this.steps.push({ ...(player.steps.at(-1) as TrajectoryStep), reward: turn.reward });
      watcher?.turned?.(turn);
      if (turn.end) return turn.end;
      seen = turn.observation;
      seat = turn.next;
    }
  }

  private playerOf(seat: string | undefined, episode: GymEpisode): Player {
    const known = this.players.get(seat);
    if (known) return known;
    const { policy, partners, settings, seed, signal } = this.request;
    const partner = seat === undefined ? undefined : partners?.get(seat);
    // The seats of an episode draw differently.
    const ofSeat = seat === undefined ? seed : keyedHash(seed, this.players.size);
    const ofPlayer = { seat, settings, seed: ofSeat };
    const player = new Player({ policy: partner ?? policy, partner: partner?.name, episode, ...ofPlayer, signal });
    this.players.set(seat, player);
    return player;
  }

  /** Adds the reward of a step, or each seat's own reward, to the players. */
  private credit(turn: Turn): void {
    const isShared = this.request.settings.seatRewards === "shared";
    for (const [seat, player] of this.players) player.credit(isShared ? turn.reward : rewardOf(turn, seat));
  }

  private async act(
    episode: GymEpisode,
    { seat, tools }: Player,
    reply: Reply,
  ): Promise<Turn & { end?: TrajectoryStatus; next?: string | undefined }> {
    const none = { reply, seat, action: undefined, reward: 0, info: {}, next: seat };
    // A reply that was cut off at the end of the context may contain an action that the policy did not intend.
    if (reply.finish === "context") return { ...none, observation: "", end: "limit" };
    const reading = this.request.settings.format.read(reply.text, tools);
    if ("refusal" in reading) return { ...none, observation: reading.refusal };
    const { action } = reading;
    const step = await episode.step(action, this.request.signal);
    const { observation, reward, rewards, terminated, truncated, turn: next, info } = step;
    const turn = { reply, seat, action, observation, reward, rewards, info, next };
    if (terminated) return { ...turn, end: "terminated" };
    return truncated ? { ...turn, end: "truncated" } : turn;
  }

  private trajectory(status: TrajectoryStatus, failure?: TrajectoryFailure): Trajectory {
    const { episode, players, steps, request } = this;
    const total = steps.reduce((sum, { reward }) => sum + reward, 0);
    const solvedReward = episode?.environment.solvedReward ?? Number.POSITIVE_INFINITY;
    const only = players.get(undefined);
    const own = [...players.values()].filter(({ partner }) => partner === undefined);
    const usage = own.map((player) => player.usage()).reduce(addUsage, undefined);
    const shared = {
      episodeId: episode?.id ?? "",
      group: request.group,
      played: episode?.played ?? wanted(request.task),
      status,
      ...(failure && { failure }),
      solved: status !== "failed" && total >= solvedReward,
    };
    const ofSeats = [...players].flatMap(([seat, player]) => {
      if (seat === undefined) return [];
      const { partner, steps, return: sum } = player;
      return [{ ...shared, ...tokensOf(player), seat, ...(partner !== undefined && { partner }), steps, return: sum }];
    });
    return {
      ...shared,
      ...tokensOf(only),
      steps: only?.steps ?? steps,
      return: total,
      ...(usage && { usage }),
      ...(ofSeats.length > 0 && { seats: ofSeats }),
    };
  }
}

/** Returns the reward of a step for a seat, or for the only player. */
export function rewardOf({ reward, rewards }: Pick<Turn, "reward" | "rewards">, seat: string | undefined): number {
  return rewards && seat !== undefined ? (rewards[seat] ?? 0) : reward;
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

/** Returns the tokens of a player, or none for a policy without tokens. */
function tokensOf(player: Player | undefined): Tokens {
  const none = () => ({
    tokens: new Int32Array(),
    mask: new Uint8Array(),
    logprobs: new Float32Array(),
    versions: new Int32Array(),
  });
  return player?.tokens() ?? none();
}
