/** The episodes that this gym may play, and the keys of those that it opens. */
import type { Log } from "../../log/log.js";
import type { FleetState, GymFacts } from "../../log/records/protocol.js";
import type { Episode } from "../episode/episode.js";
import type { EpisodeTable } from "../episode/episode-table.js";

export interface Ownership {
  /** Whether this gym may play the episode with a key. */
  has(key: number): boolean;
  /** @throws {GymError} EPISODE_ELSEWHERE if another gym has the episode, or may have it */
  check(key: number, id: string): void;
  /**
   * Returns the key of a new episode.
   *
   * @param reserve called with the key before this gym can begin to give the episode away
   * @param near key of an episode or session that should stay with the new episode
   * @throws {GymError} EPISODE_ELSEWHERE if this gym can open no episode, LOG_FAILED
   */
  newKey(reserve: (key: number) => void, near?: number): Promise<number>;
  /** Keys of episodes that are created from now on are this one or higher. Undefined if later keys may be lower. */
  readonly lowestNewKey: number | undefined;
  /** Asks once that an episode moves to a gym that has its environment. Returns whether there is one. */
  moveToGymWith(environment: string, key: number): Promise<boolean>;
}

/** The side of a gym that shares its log, and so its episodes, with other gyms. */
export interface Sharing {
  readonly ownership: SharedOwnership;
  /** Called once, when the parts of the gym are there. */
  begin(parts: SharedParts): void;
  /** Called when the gyms or their episodes may have changed. */
  onChange(state: FleetState): void;
  /** Tells the other gyms that this gym serves requests, so that it gets its part of the episodes. */
  serve(): Promise<void>;
  /** Gives all episodes to other gyms. Resolves with whether it has none any more, at the latest after `giveUpMs`. */
  leave(giveUpMs: number): Promise<boolean>;
}

export interface SharedOwnership extends Ownership {
  /**
   * Returns a random key that this gym has, or else another gym.
   *
   * @param random returns a random key of any gym
   * @param near key of an episode or session that should stay with that of the new key
   * @throws {GymError} EPISODE_ELSEWHERE if no gym has a key
   */
  randomKey(random: () => number, near?: number): number;
}

/** Opens the side of a gym that shares its log. */
export type Share = (log: Log) => Sharing;

export interface SharedParts {
  table: EpisodeTable;
  /** Returns the keys of episodes that are being created or loaded. */
  keysInTransit(): Iterable<number>;
  /** Called for each episode that leaves this gym. */
  onLeft(episode: Episode): void;
  facts(): Promise<GymFacts>;
}

/** The episodes of a gym that has its log for itself: all of them. */
export class WholeLog implements Ownership {
  /** @param lowestNewKey next free key */
  constructor(public lowestNewKey: number) {}

  has(): boolean {
    return true;
  }

  check(): void {}

  async newKey(reserve: (key: number) => void): Promise<number> {
    const key = this.lowestNewKey++;
    reserve(key);
    return key;
  }

  async moveToGymWith(): Promise<boolean> {
    return false;
  }
}
