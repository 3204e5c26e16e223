/**
 * The conversations of an episode with several players. Each has the observations, replies and rewards of one seat, as the
 * player of the seat has seen them.
 */
import type { ExportEpisode, ExportTurn } from "./episode.js";

/** A turn of an episode with several players, in the order of play. */
export interface SeatTurn extends Pick<ExportTurn, "reply" | "action" | "observation" | "reward"> {
  /** Seat that replied. */
  readonly seat: string;
  /** Rewards of the seats; undefined if they share `reward`. */
  readonly rewards?: Readonly<Record<string, number>> | undefined;
  /** Seat that acts after the turn, if it is known. */
  readonly next?: string | undefined;
}

/** Instructions and tools of the player of a seat. */
export type SeatPlace = Pick<ExportEpisode, "prompt" | "tools">;

/** Facts of the whole episode. */
export type SharedFacts = Omit<ExportEpisode, "seat" | "prompt" | "tools" | "turns" | "return">;

/**
 * Returns a conversation for each seat that has replied, in the order of the seats. The reward of a turn is the sum of the
 * seat's rewards until its next turn, and its first turn also has the rewards before it.
 *
 * @param shared facts of the episode, with its first observation
 */
export function conversationsOf(
  shared: SharedFacts,
  turns: readonly SeatTurn[],
  places: ReadonlyMap<string, SeatPlace>,
): ExportEpisode[] {
  const sides = new Map([...places.keys()].map((seat) => [seat, new Side()]));
  let seen = shared.opening;
  for (const [index, { seat, observation, ...turn }] of turns.entries()) {
    sides.get(seat)?.add({ ...turn, index }, seen);
    for (const [name, side] of sides) side.credit(turn.rewards ? (turn.rewards[name] ?? 0) : turn.reward);
    seen = observation;
  }
  const next = turns.at(-1)?.next;
  return [...sides].flatMap(([seat, side]) => {
    const place = places.get(seat);
    // The end of the task is for all seats. Another last observation is for the seat that would have acted.
    const last = shared.status === "terminated" || next === seat ? seen : "";
    return place && side.hasPlayed ? [{ ...shared, ...place, seat, ...side.ended(shared.status, last) }] : [];
  });
}

/** What one seat has read, replied and got. */
class Side {
  private opening = "";
  private readonly turns: { -readonly [field in keyof ExportTurn]: ExportTurn[field] }[] = [];
  private return = 0;
  /** Rewards before the first turn. */
  private early = 0;

  get hasPlayed(): boolean {
    return this.turns.length > 0;
  }

  /** @param seen observation before the turn */
  add({ reply, action, index }: Pick<SeatTurn, "reply" | "action"> & { index: number }, seen: string): void {
    const before = this.turns.at(-1);
    if (before) before.observation = seen;
    else this.opening = seen;
    this.turns.push({ reply, action, index, observation: "", reward: this.early, terminated: false, truncated: false });
    this.early = 0;
  }

  credit(reward: number): void {
    this.return += reward;
    const last = this.turns.at(-1);
    if (last) last.reward += reward;
    else this.early += reward;
  }

  ended(status: ExportEpisode["status"], observation: string): Pick<ExportEpisode, "opening" | "turns" | "return"> {
    const last = this.turns.at(-1);
    if (last) {
      last.observation = observation;
      last.terminated = status === "terminated";
      last.truncated = status === "truncated";
    }
    return { opening: this.opening, turns: this.turns, return: this.return };
  }
}
