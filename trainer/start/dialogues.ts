/** Plays episodes of experts as text, for cloning, and reads first observations, for building a tokenizer. */

import type { ActionFormat, Instructions } from "../../server/formats/actions/action-format.js";
import type { GymClient, GymEpisode, Played } from "../gym/gym.js";
import { ExpertPolicy } from "../policy/expert.js";
import { defaultBackOff, defaultRetries, playEpisode, type RolloutTask } from "../rollout/episode-rollout.js";
import { instructionsFor, type PromptExamples } from "../rollout/instructions.js";
import { placeOf } from "../rollout/player.js";
import type { TrajectoryFailure } from "../rollout/trajectory.js";

/** An episode as text. */
export interface Dialogue extends Instructions {
  readonly turns: readonly DialogueTurn[];
}

/** An episode of an expert as text. */
export interface ExpertDialogue extends Dialogue {
  readonly played: Played;
  /** Seat whose dialogue it is, if the environment has seats. */
  readonly seat?: string;
}

export interface DialogueTurn {
  readonly observation: string;
  readonly reply: string;
  /** False for a reply that is read and not cloned. Default: true. */
  readonly isLearnt?: boolean;
}

export interface DialogueRequest {
  readonly gym: GymClient;
  readonly format: ActionFormat;
  /** Worked examples for the instructions. Default: none. */
  readonly examples?: PromptExamples | undefined;
  readonly tasks: readonly RolloutTask[];
  /** Maximum number of replies in an episode; longer episodes are left out. */
  readonly maxRounds: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called for each episode that failed in the gym and is left out. */
  onFailed?(failure: TrajectoryFailure): void;
  /** Called for each episode that has ended. */
  onPlayed?(): void;
}

/**
 * Plays the tasks with the environments' experts.
 *
 * @returns the solved episodes, in the order of the tasks. An episode with seats gives a dialogue for each seat
 */
export async function expertDialogues({ tasks, concurrency, ...request }: DialogueRequest): Promise<ExpertDialogue[]> {
  const policy = new ExpertPolicy(request.format);
  const dialogues = await eachAtOnce(tasks, concurrency, async (task) => {
    let episode: GymEpisode | undefined;
    let seen = "";
    /** Turns by seat; those of the only player without seats. */
    const turns = new Map<string | undefined, DialogueTurn[]>();
    const trajectory = await playEpisode({
      ...request,
      policy,
      task,
      settings: { ...request, retries: defaultRetries, backOff: defaultBackOff },
      group: "",
      seed: 0,
      watcher: {
        began: (begun) => {
          episode = begun;
          seen = begun.observation;
          turns.clear();
        },
        turned: ({ seat, reply, observation }) => {
          turns.set(seat, [...(turns.get(seat) ?? []), { observation: seen, reply: reply.text }]);
          seen = observation;
        },
      },
    });
    request.onPlayed?.();
    if (trajectory.failure) request.onFailed?.(trajectory.failure);
    if (!trajectory.solved || !episode) return [];
    const { played } = trajectory;
    const instructions = (seat: string | undefined) => instructionsFor(request, placeOf(episode as GymEpisode, seat));
    return [...turns].map(([seat, ofSeat]) => ({
      ...instructions(seat),
      played,
      ...(seat !== undefined && { seat }),
      turns: ofSeat,
    }));
  });
  return dialogues.flat();
}

/** Reads the first observation of each task. */
export function openings({ gym, tasks, concurrency, signal, onPlayed }: Omit<DialogueRequest, "format" | "maxRounds">) {
  return eachAtOnce(tasks, concurrency, async (task) => {
    const episode = await gym.begin(task, signal);
    await episode.close();
    onPlayed?.();
    return episode.observation;
  });
}

/**
 * Runs work on all items with bounded concurrency.
 *
 * @returns results in order
 * @throws the first error, after all running work has ended
 */
async function eachAtOnce<T, R>(items: readonly T[], concurrency: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [at, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
