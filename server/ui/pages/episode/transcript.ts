/** The steps of an episode, loaded in pages as they come into view, and played on from its end. */
import { batch, computed, signal } from "@preact/signals";
import { api, type Environment, type Episode, type Opening, type Step } from "../../api.js";
import type { EpisodeState } from "../../live.js";

const pageSize = 200;

export class Transcript {
  readonly episode = signal<Episode>(null as never);
  readonly steps = signal<readonly Step[]>([]);
  /** Whether a step is being played. */
  readonly isPlaying = signal(false);
  readonly error = signal<unknown>(null);
  /** The episode's environment, or null until it is loaded. It stays null if the gym no longer has the environment. */
  readonly environment = signal<Environment | null>(null);
  /** Whether the episode has an instance, or null while this is unknown. */
  readonly isLive = signal<boolean | null>(null);
  readonly isOver = computed(() => this.episode.value.phase !== "running");

  private constructor(
    episode: Episode,
    readonly opening: Opening,
    /** Whether the transcript was exported, so that there is no gym to play on. */
    readonly isStored = false,
  ) {
    this.episode.value = episode;
  }

  /** Returns the seat that took a step, counted from 1. Undefined if the environment has one player. */
  seatOf(at: number): string | undefined {
    return at === 1 ? this.opening.turn : this.steps.value[at - 2]?.turn;
  }

  /** Returns a transcript that is complete and cannot be played on. */
  static stored(episode: Episode, opening: Opening, steps: readonly Step[]): Transcript {
    const transcript = new Transcript(episode, opening, true);
    transcript.steps.value = steps;
    return transcript;
  }

  /** Loads the episode and its first steps. The rest follows in the background. @throws {CallError} */
  static async load(episodeId: string): Promise<Transcript> {
    const [episode, opening] = await Promise.all([api.episode(episodeId), api.opening(episodeId)]);
    const transcript = new Transcript(episode, opening);
    await Promise.all([transcript.loadPage(0), transcript.loadEnvironment()]);
    return transcript;
  }

  /** Loads the steps that are not loaded yet. */
  async loadRest(): Promise<void> {
    try {
      while (this.steps.value.length < this.episode.value.index) {
        const known = this.steps.value.length;
        await this.loadPage(known);
        if (this.steps.value.length === known) return;
      }
    } catch (error) {
      this.error.value = error;
    }
  }

  /** Adds steps that follow the known ones. Known steps are ignored, so a step can arrive in several ways. */
  add(steps: readonly Step[]): void {
    const known = this.steps.value.length;
    const added = steps.filter(({ index }, i) => index >= known && index - (steps[0] as Step).index === i);
    if (added.length === 0 || added[0]?.index !== known) return;
    batch(() => {
      this.steps.value = [...this.steps.value, ...added];
      const { index } = this.episode.value;
      this.episode.value = { ...this.episode.value, index: Math.max(index, known + added.length) };
    });
  }

  setState({ phase, live, expertUsed, failure }: EpisodeState): void {
    const hasEnded = phase !== "running" && this.episode.value.phase === "running";
    batch(() => {
      this.episode.value = { ...this.episode.value, phase, expertUsed, failure };
      this.isLive.value = live;
    });
    if (hasEnded) void this.loadVerdict();
  }

  /** The events of an episode do not have its verdict. */
  private async loadVerdict(): Promise<void> {
    try {
      this.episode.value = await api.episode(this.episode.value.episodeId);
    } catch (error) {
      this.error.value = error;
    }
  }

  /** Plays a step at the end. Returns whether the gym took it. */
  play(action: string): Promise<boolean> {
    return this.attempt(async () => {
      const { episodeId, index } = this.episode.value;
      await api.step(episodeId, index, action);
      // The log has the time of the step, which the reply lacks.
      const [episode] = await Promise.all([api.episode(episodeId), this.loadPage(this.steps.value.length)]);
      this.episode.value = episode;
      await this.loadRest();
    });
  }

  /** Writes a note, or removes it if it is empty. @throws {CallError} */
  async note(note: { step: number; text: string; tags: string[] }): Promise<void> {
    const { notes } = await api.note(this.episode.value.episodeId, note);
    this.episode.value = { ...this.episode.value, notes };
  }

  /** Returns the expert's next action, or null if there is none. @throws {CallError} */
  async advice(): Promise<string | null> {
    const { action } = await api.expert(this.episode.value.episodeId);
    this.episode.value = { ...this.episode.value, expertUsed: true };
    return action;
  }

  /** Forks the episode after a number of steps. Returns the id of the fork, or undefined. */
  async fork(index: number): Promise<string | undefined> {
    let id: string | undefined;
    await this.attempt(async () => {
      ({ episodeId: id } = await api.fork(this.episode.value.episodeId, index));
    });
    return id;
  }

  private async loadEnvironment(): Promise<void> {
    try {
      this.environment.value = await api.environment(this.episode.value.environment);
    } catch {
      // The episode's pages need no environment.
    }
  }

  /** Returns whether the work succeeded. Otherwise `error` says why not. */
  private async attempt(work: () => Promise<void>): Promise<boolean> {
    this.error.value = null;
    this.isPlaying.value = true;
    try {
      await work();
      return true;
    } catch (error) {
      this.error.value = error;
      return false;
    } finally {
      this.isPlaying.value = false;
    }
  }

  private async loadPage(from: number): Promise<void> {
    const { steps } = await api.steps(this.episode.value.episodeId, from, pageSize);
    this.add(steps);
  }
}
