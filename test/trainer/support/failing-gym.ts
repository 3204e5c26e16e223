/**
 * A gym that fails a share of all steps with an infrastructure error, which ends the episode. Each task fails at most
 * `mostInARow` times in a row, so that a run does not wait long.
 */
import {
  type EpisodeRequest,
  type GymClient,
  type GymEnvironment,
  type GymEpisode,
  GymError,
} from "#palestra/trainer/gym/gym.js";

export class FailingGym implements GymClient {
  share = 0;
  failures = 0;
  private readonly inARow = new Map<string, number>();

  constructor(
    private readonly gym: GymClient,
    private readonly mostInARow = Number.POSITIVE_INFINITY,
  ) {}

  get url(): string {
    return this.gym.url;
  }

  environment(name: string): Promise<GymEnvironment> {
    return this.gym.environment(name);
  }

  async begin(request: EpisodeRequest, signal?: AbortSignal): Promise<GymEpisode> {
    const episode = await this.gym.begin(request, signal);
    const step = episode.step.bind(episode);
    const task = JSON.stringify(episode.played);
    episode.step = async (action, ending) => {
      const before = this.inARow.get(task) ?? 0;
      const fails = Math.random() < this.share && before < this.mostInARow;
      this.inARow.set(task, fails ? before + 1 : 0);
      if (!fails) return step(action, ending);
      this.failures += 1;
      throw new GymError("HOST_FAILED", "infrastructure", "expected a worker thread, but received none");
    };
    return episode;
  }

  close(): Promise<void> {
    return this.gym.close();
  }
}
