/** A gym whose steps take as long as those of a machine that many share: mostly quick, now and then very slow. */
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

/** Equal keys give equal draws. */
export function latencyMs({ medianMs, p99Ms }: Latency, ...keys: readonly number[]): number {
  const random = keyedRandom(...keys);
  // Box and Muller 1958; 1 - u, since the logarithm of 0 is none.
  const z = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return medianMs * (p99Ms / medianMs) ** (z / z99);
}

export interface LongTailOptions {
  readonly latency: Latency;
  readonly seed: number;
  /** Whose steps are slow. Default: all. */
  isSlow?(request: EpisodeRequest): boolean;
  /** Default: in real time. */
  wait?(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Holds back each step's reply. How long follows from the seed, the task, how often the task was begun before, and the
 * step: whoever begins the same episodes waits as long at the same steps, in whatever order they are played.
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
    // Counted before anything is waited for: in the order in which the episodes were asked for.
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
