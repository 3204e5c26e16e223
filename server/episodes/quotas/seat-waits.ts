/**
 * Calls that wait for a seat's turn. Over HTTP each holds a connection, so callers share the calls that may wait at the
 * same time, and one seat has few of them, since each step of its episode wakes them.
 */
import { GymError } from "../../errors.js";
import { Shares } from "./shares.js";

/** Largest number of calls that wait for the same seat. */
const mostOfSeat = 64;

export interface WaitingCall {
  owner: string;
  episodeId: string;
  seat: string;
}

export class SeatWaits {
  private readonly shares: Shares;
  private readonly ofSeats = new Map<string, number>();

  /** @param most largest number of waiting calls of all callers. They share it, see `Places` */
  constructor(
    most: number,
    private readonly onRefusal: (owner: string) => void,
  ) {
    this.shares = new Shares(most);
  }

  /** Number of calls that wait. */
  get count(): number {
    return this.shares.taken;
  }

  /** Returns the place of a call, which is not taken yet. */
  placeOf(call: WaitingCall): WaitingPlace {
    let isTaken = false;
    return {
      take: () => {
        if (!isTaken) this.take(call);
        isTaken = true;
      },
      leave: () => {
        if (isTaken) this.leave(call);
        isTaken = false;
      },
    };
  }

  private take({ owner, episodeId, seat }: WaitingCall): void {
    const key = `${episodeId} ${seat}`;
    const ofSeat = this.ofSeats.get(key) ?? 0;
    const isCrowded = ofSeat >= mostOfSeat;
    if (isCrowded || !this.shares.take(owner)) {
      this.onRefusal(owner);
      throw GymError.ofState("LIMIT_TOKEN_WAITS", isCrowded ? crowded(seat) : this.exhausted(owner));
    }
    this.ofSeats.set(key, ofSeat + 1);
  }

  private leave({ owner, episodeId, seat }: WaitingCall): void {
    const key = `${episodeId} ${seat}`;
    const ofSeat = (this.ofSeats.get(key) as number) - 1;
    this.shares.give(owner);
    if (ofSeat > 0) this.ofSeats.set(key, ofSeat);
    else this.ofSeats.delete(key);
  }

  private exhausted(owner: string): string {
    const { taken, count } = this.shares;
    const held = `${taken} of the gym's ${count} calls that may wait for a turn are taken, ${this.shares.of(owner)} of them by this caller`;
    return `The caller has reached its share of waiting calls: ${held}. A caller may have as many as are free.`;
  }
}

/** Place of one call among the waiting ones. Both functions may be called repeatedly. */
export interface WaitingPlace {
  /** @throws {GymError} LIMIT_TOKEN_WAITS */
  take(): void;
  leave(): void;
}

function crowded(seat: string): string {
  return `${mostOfSeat} calls already wait for the turn of the seat ${seat} of the episode. A seat has one player.`;
}
