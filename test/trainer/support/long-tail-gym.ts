/** A gym with the latencies of a shared machine: most steps are quick, and a few are very slow. */
import { sleep } from "#palestra/trainer/gym/back-off.js";
import type { EpisodeRequest, GymClient, GymEnvironment, GymEpisode } from "#palestra/trainer/gym/gym.js";
import { keyedHash, keyedRandom } from "#palestra/trainer/keyed-random.js";

/** A log-normal distribution. */
export interface Latency {
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** The standard normal distribution's 0.99 quantile. */
const z99 = 2.3263478740408408;

/** Draws a latency in milliseconds. Equal keys give equal draws. */
export function latencyMs({ medianMs, p99Ms }: Latency, ...keys: readonly number[]): number {
  const random = keyedRandom(...keys);
  // Box and Muller 1958, with 1 - u, since 0 has no logarithm.
  const z = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return medianMs * (p99Ms / medianMs) ** (z / z99);
}

export interface LongTailOptions {
  readonly latency: Latency;
  readonly seed: number;
  /** Whether the steps of an episode are slow. Default: all are. */
  isSlow?(request: EpisodeRequest): boolean;
  /** Waits before a reply. Default: a wait in real time. */
  wait?(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Delays each step's reply. The delay depends on the seed, the task, the number of earlier episodes of the task, and
 * the step. So a caller that begins the same episodes gets the same delays, in any order of play.
 */
export class LongTailGym implements GymClient {
  private readonly begun = new Map<string, number>();

  constructor(
    private readonly gym: GymClient,
    private readonly options: LongTailOptions,
  ) {}

  get url(): string {
    return this.gym.url;
  }

  environment(name: string): Promise<GymEnvironment> {
    return this.gym.environment(name);
  }

  async begin(request: EpisodeRequest, signal?: AbortSignal): Promise<GymEpisode> {
    const { latency, seed, isSlow = () => true, wait = sleep } = this.options;
    if (!isSlow(request)) return this.gym.begin(request, signal);
    // The count comes before any wait, so it follows the order of the calls.
    const task = `${request.environment}:${request.split ?? ""}:${request.index}:${request.seed ?? 0}`;
    const sample = this.begun.get(task) ?? 0;
    this.begun.set(task, sample + 1);
    const key = keyedHash(seed, ...Buffer.from(task), sample);
    let steps = 0;
    return slowed(await this.gym.begin(request, signal), (own) => wait(latencyMs(latency, key, steps++), own));
  }

  close(): Promise<void> {
    return this.gym.close();
  }
}

function slowed(episode: GymEpisode, wait: (signal?: AbortSignal) => Promise<void>): GymEpisode {
  const { id, environment, played, prompt, tools, observation, info } = episode;
  return {
    ...{ id, environment, played, prompt, tools, observation, info },
    async step(action, signal) {
      const reply = await episode.step(action, signal);
      await wait(signal);
      return reply;
    },
    expert: (signal) => episode.expert(signal),
    close: () => episode.close(),
  };
}
