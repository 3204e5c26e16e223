/**
 * The ends of the think times of all episodes. An episode thinks once at a time, so a list of episodes for each millisecond
 * holds them in constant time per episode, where a heap of a million events would be slow.
 */
const slots = 2 ** 17;
const nobody = -1;

export class ThinkWheel {
  private readonly heads = new Int32Array(slots).fill(nobody);
  private readonly next: Int32Array;
  private readonly endsAt: Float64Array;
  /** The millisecond whose episodes are in `due`. */
  private tick = -1;
  private due: number[] = [];
  private taken = 0;

  constructor(episodes: number) {
    this.next = new Int32Array(episodes).fill(nobody);
    this.endsAt = new Float64Array(episodes);
  }

  /** @param endsAtMs not before the time of the last episode that was taken */
  add(episode: number, endsAtMs: number): void {
    this.endsAt[episode] = endsAtMs;
    if (Math.floor(endsAtMs) <= this.tick) return this.insert(episode, endsAtMs);
    const slot = Math.floor(endsAtMs) % slots;
    this.next[episode] = this.heads[slot] as number;
    this.heads[slot] = episode;
  }

  /** Returns the time of the next end, or `limitMs` if none is earlier. */
  nextAt(limitMs: number): number {
    while (this.taken === this.due.length && this.tick < limitMs) this.fill(this.tick + 1);
    if (this.taken === this.due.length) return limitMs;
    return Math.min(limitMs, this.endsAt[this.due[this.taken] as number] as number);
  }

  /** Returns the episode of the time that `nextAt` has returned. */
  take(): number {
    return this.due[this.taken++] as number;
  }

  private fill(tick: number): void {
    this.tick = tick;
    this.due = [];
    this.taken = 0;
    const slot = tick % slots;
    let episode = this.heads[slot] as number;
    this.heads[slot] = nobody;
    while (episode !== nobody) {
      const following = this.next[episode] as number;
      const endsAt = this.endsAt[episode] as number;
      if (Math.floor(endsAt) === tick) this.due.push(episode);
      // The episode belongs to a later turn of the wheel.
      else {
        this.next[episode] = this.heads[slot] as number;
        this.heads[slot] = episode;
      }
      episode = following;
    }
    this.due.sort((a, b) => (this.endsAt[a] as number) - (this.endsAt[b] as number) || a - b);
  }

  /** Adds an episode to those of the current millisecond. */
  private insert(episode: number, endsAtMs: number): void {
    let place = this.due.length;
    while (place > this.taken && (this.endsAt[this.due[place - 1] as number] as number) > endsAtMs) place -= 1;
    this.due.splice(place, 0, episode);
  }
}
