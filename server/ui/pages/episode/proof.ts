/** The replay of an episode in a fresh instance, whose results the gym compares with its log. */
import { signal } from "@preact/signals";
import { type ReplayLine, replayLines } from "../../api.js";

/** Whether each result is equal, from the reset on. Results that are not known yet are missing. */
export type Outcomes = readonly boolean[];

export interface Difference {
  /** Number of the step, or 0 for the reset. */
  at: number;
  logged: string;
  replayed: string;
}

export class Proof {
  /** Null before the first replay. */
  readonly outcomes = signal<Outcomes | null>(null);
  readonly isRunning = signal(false);
  /** Whether all results were equal. Null until the replay is over. */
  readonly proved = signal<boolean | null>(null);
  readonly difference = signal<Difference | null>(null);
  /** Number of steps whose answers of outside services came from the log. */
  readonly recorded = signal(0);
  readonly error = signal<unknown>(null);
  private left: AbortController | null = null;

  async start(episodeId: string): Promise<void> {
    this.stop();
    const left = new AbortController();
    this.left = left;
    this.outcomes.value = [];
    this.recorded.value = 0;
    this.proved.value = this.difference.value = this.error.value = null;
    this.isRunning.value = true;
    try {
      for await (const lines of replayLines(episodeId, left.signal)) this.take(lines);
    } catch (error) {
      if (!left.signal.aborted) this.error.value = error;
    } finally {
      if (this.left === left) this.isRunning.value = false;
    }
  }

  /** Ends the replay. The gym frees its instance. */
  stop(): void {
    this.left?.abort();
    this.left = null;
    this.isRunning.value = false;
  }

  private take(lines: readonly ReplayLine[]): void {
    const outcomes = [...(this.outcomes.value ?? [])];
    for (const line of lines) {
      if ("error" in line) this.error.value = new Error(`${line.error.code}: ${line.error.message}`);
      else if ("proved" in line) this.proved.value = line.proved;
      else {
        const at = line.index === null ? 0 : line.index + 1;
        outcomes[at] = line.equal;
        if (line.recorded) this.recorded.value += 1;
        if (!line.equal) this.difference.value = { at, logged: line.logged ?? "", replayed: line.replayed ?? "" };
      }
    }
    this.outcomes.value = outcomes;
  }
}
