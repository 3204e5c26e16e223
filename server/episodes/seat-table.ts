/** Whose turn it is in an episode with seats, and what the player of each seat sees of it. */
import type { JsonValue, ObservationPart } from "../../envs/env.js";
import { GymError } from "../errors.js";

/** An episode as the player of one seat sees it. */
export interface SeatView {
  readonly seat: string;
  /** Seat that acts next; null after the end. */
  readonly turn: string | null;
  /** Number of steps so far, of all seats. */
  readonly index: number;
  /** Observation of the seat's turn, or of the end; null while another seat acts. */
  readonly observation: string | null;
  readonly parts?: readonly ObservationPart[];
  /** Sum of the seat's rewards since its last action. */
  readonly reward: number;
  /** Sum of the seat's rewards. */
  readonly return: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: Readonly<Record<string, JsonValue>>;
}

/** Fields of a reset result or a step result that seats need. */
interface SeatResult {
  readonly observation: string;
  readonly parts?: readonly ObservationPart[];
  readonly turn?: string;
  readonly reward?: number;
  readonly rewards?: Readonly<Record<string, number>>;
  readonly terminated?: boolean;
  readonly truncated?: boolean;
  readonly info: Readonly<Record<string, JsonValue>>;
}

/** Whose turn it is, and the rewards of each seat, after the steps that were read. */
export class SeatTable {
  /** -1 before the reset result was read. */
  steps = -1;
  /** Seat that acts next. After a truncation it is the seat that would have acted. */
  turn: string | null = null;
  isOver = false;
  /** Seats that took the steps. */
  readonly actors: (string | null)[] = [];
  private last: SeatResult | null = null;
  private readonly sums: ReadonlyMap<string, { sinceAction: number; all: number }>;

  constructor(seats: readonly string[]) {
    this.sums = new Map(seats.map((seat) => [seat, { sinceAction: 0, all: 0 }]));
  }

  open(result: SeatResult): void {
    if (this.steps >= 0) return;
    this.steps = 0;
    this.take(result);
  }

  add(result: SeatResult): void {
    const actor = this.turn === null ? undefined : this.sums.get(this.turn);
    if (actor) actor.sinceAction = 0;
    for (const [seat, sum] of this.sums) {
      const reward = (result.rewards ? result.rewards[seat] : result.reward) ?? 0;
      sum.sinceAction += reward;
      sum.all += reward;
    }
    this.actors.push(this.turn);
    this.steps += 1;
    this.take(result);
  }

  view(seat: string): SeatView {
    const { observation, parts, terminated = false, truncated = false, info } = this.last as SeatResult;
    const sum = this.sums.get(seat);
    // Only the end of the task is for all seats. After a truncation the observation is that of the seat to act.
    const isSeen = terminated || this.turn === seat;
    return {
      seat,
      turn: this.isOver ? null : this.turn,
      index: this.steps,
      observation: isSeen ? observation : null,
      ...(isSeen && parts && { parts }),
      reward: sum?.sinceAction ?? 0,
      return: sum?.all ?? 0,
      terminated,
      truncated,
      info: isSeen ? info : {},
    };
  }

  private take(result: SeatResult): void {
    this.last = result;
    this.turn = result.turn ?? null;
    this.isOver = result.terminated === true || result.truncated === true;
  }
}

/** Returns the error for a step that is not the seat's, or null. A repetition of the seat's own step is no error. */
export function refusalOf(table: SeatTable, index: number, seat: string): GymError | null {
  const { steps, isOver, turn, actors } = table;
  if (index > steps) return new GymError("STEP_INDEX", `the step index ${steps}`, `${index}`, { nextIndex: steps });
  const actor = index < steps ? actors[index] : isOver ? seat : turn;
  if (actor === seat) return null;
  const place = index < steps ? `, which took step ${index}` : ", which acts next";
  return new GymError("SEAT_TURN", `a step of the seat ${actor}${place}`, `a step of ${seat}`, { turn });
}
