/** The player of an episode, or of one of its seats: a conversation with the policy, the steps taken and their rewards. */
import type { GymEpisode } from "../gym/gym.js";
import type { Conversation, Policy, Reply, Tokens, Usage } from "../policy/policy.js";
import { type InstructionSettings, instructionsFor, type Place } from "./instructions.js";
import type { TrajectoryStep } from "./trajectory.js";

export interface PlayerOptions {
  readonly policy: Policy;
  readonly episode: GymEpisode;
  /** Seat of the player, if the environment has seats. */
  readonly seat: string | undefined;
  /** Name of the partner that plays the seat; undefined if the policy of the rollout plays it. */
  readonly partner?: string | undefined;
  readonly settings: InstructionSettings;
  /** Seed of the policy's random draws. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

export class Player {
  readonly steps: { -readonly [field in keyof TrajectoryStep]: TrajectoryStep[field] }[] = [];
  /** Sum of the player's rewards. */
  return = 0;
  private conversation: Conversation | undefined;
  /** Rewards before the first step, which other seats' steps gave. */
  private early = 0;

  constructor(private readonly options: PlayerOptions) {}

  get seat(): string | undefined {
    return this.options.seat;
  }

  get partner(): string | undefined {
    return this.options.partner;
  }

  get tools() {
    return this.place.tools;
  }

  /** Lets the policy reply to an observation. The first one begins the conversation. */
  reply(observation: string): Promise<Reply> {
    const { signal } = this.options;
    if (this.conversation) return this.conversation.reply(observation, signal);
    this.conversation = this.begin(observation);
    return this.conversation.reply(undefined, signal);
  }

  /** Notes a step. Its reward is added by `credit`. */
  add(step: Omit<TrajectoryStep, "reward">): void {
    this.steps.push({ ...step, reward: this.early });
    this.early = 0;
  }

  /** Adds a reward to the player's newest step. */
  credit(reward: number): void {
    this.return += reward;
    const last = this.steps.at(-1);
    if (last) last.reward += reward;
    else this.early += reward;
  }

  tokens(): Tokens | undefined {
    return this.conversation?.tokens();
  }

  usage(): Usage | undefined {
    return this.conversation?.usage?.();
  }

  close(): void {
    this.conversation?.close();
  }

  private get place() {
    return placeOf(this.options.episode, this.options.seat);
  }

  private begin(observation: string): Conversation {
    const { policy, episode, settings, seed, signal } = this.options;
    const { prompt, tools: offered } = instructionsFor(settings, this.place);
    return policy.converse({
      played: episode.played,
      prompt,
      format: settings.format,
      tools: this.tools,
      offered,
      observation,
      seed,
      ...(episode.environment.hasExpert && { expert: () => episode.expert(signal) }),
    });
  }
}

/** Returns the prompt and the tools of an episode's player, or of the player of a seat. */
export function placeOf(episode: GymEpisode, seat: string | undefined): Place {
  const { environment } = episode;
  const own = seat === undefined ? undefined : environment.seats?.get(seat);
  return own ? { environment, ...own, seat } : episode;
}
