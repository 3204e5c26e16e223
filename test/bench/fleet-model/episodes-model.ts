/** The episodes of a simulation, as arrays: a million objects would take too much memory. */
export class EpisodesModel {
  readonly owner: Int16Array;
  readonly steps: Uint16Array;
  /** Whether the owner has the episode in memory. */
  readonly isLoaded: Uint8Array;
  /** Time at which the client sent the step in flight, or -1 while the client thinks. */
  readonly askedAt: Float64Array;
  /** Whether the episode has ended, so that the client creates another one next. */
  readonly hasEnded: Uint8Array;
  /** Number of the failure whose end the step in flight has waited for, from 1, or 0. */
  readonly waitsFor: Uint8Array;

  constructor(readonly count: number) {
    this.owner = new Int16Array(count);
    this.steps = new Uint16Array(count);
    this.isLoaded = new Uint8Array(count);
    this.askedAt = new Float64Array(count).fill(-1);
    this.hasEnded = new Uint8Array(count);
    this.waitsFor = new Uint8Array(count);
  }

  isThinking(episode: number): boolean {
    return this.askedAt[episode] === -1;
  }
}
