/**
 * The seats of an episode with several players. The episode takes one step after another, whichever seat acts, so that
 * its log, replay, forks and takeover are those of any episode. A seat's player sees only the observations of its own
 * turns, and the rewards since its last action, as in PettingZoo's AEC games.
 */
import { seatsOf } from "../../envs/registry.js";
import { GymError, shown } from "../errors.js";
import type { Log } from "../log/log.js";
import type { Client } from "./episode/client.js";
import type { Episode } from "./episode/episode.js";
import { readResetResult } from "./episode/results.js";
import type { StepWaiter } from "./episode/waiting.js";
import type { Watchers } from "./episode/watchers.js";
import type { SeatWaits, WaitingPlace } from "./quotas/seat-waits.js";
import { refusalOf, SeatTable, type SeatView } from "./seat-table.js";

interface SeatStep {
  readonly episodeId: string;
  readonly index: number;
  readonly action: string;
}

/** What seats need of the gym. */
interface PlayedGym {
  readonly log: Log;
  readonly watchers: Watchers;
  find(owner: string, id: string): Promise<Episode>;
  step(owner: string, request: SeatStep, waiter: StepWaiter): void;
}

/** How a call waits for its seat's turn. */
interface Wait {
  readonly waitMs: number;
  readonly client: Client;
  readonly place: WaitingPlace;
}

/** Limits on the steps that are read from the log at a time. */
const page = { steps: 256, characters: 2 ** 22 };

export class Seats {
  private readonly tables = new WeakMap<Episode, SeatTable>();
  /** Ends the waits of the calls that wait for a turn. */
  private readonly waiting = new Set<() => void>();
  private isDraining = false;

  constructor(
    private readonly gym: PlayedGym,
    readonly waits: SeatWaits,
  ) {}

  /** Ends all waits: the gym shuts down, and the calls get the view as it is. */
  drain(): void {
    this.isDraining = true;
    for (const end of this.waiting) end();
  }

  /**
   * Returns the view of a seat, as soon as the seat acts next, the episode has ended, or `waitMs` have passed.
   *
   * @throws {GymError} EPISODE_UNKNOWN, SEAT_UNKNOWN, LIMIT_TOKEN_WAITS, LOG_FAILED, and the error that ended the episode
   */
  async view(owner: string, id: string, seat: string, waitMs: number, client: Client): Promise<SeatView> {
    const place = this.waits.placeOf({ owner, episodeId: id, seat });
    try {
      return await this.turnOf(owner, id, seat, { waitMs, client, place });
    } finally {
      place.leave();
    }
  }

  /**
   * Takes the step of a seat, and returns its view as `view` does. A repeated step gives the view as well. A step whose call
   * may not wait is not taken.
   *
   * @throws {GymError} SEAT_TURN, and the errors of `view` and `Gym.step`
   */
  async step(owner: string, seat: string, request: SeatStep, waitMs: number, client: Client): Promise<SeatView> {
    const { episodeId } = request;
    const episode = await this.gym.find(owner, episodeId);
    expectSeat(episode, seat);
    await episode.settled();
    const table = await this.tableOf(episode);
    const refusal = refusalOf(table, request.index, seat);
    if (refusal) throw refusal;
    const place = this.waits.placeOf({ owner, episodeId, seat });
    try {
      if (waitMs > 0) place.take();
      await new Promise<string>((resolve, reject) => this.gym.step(owner, request, { resolve, reject }));
      return await this.turnOf(owner, episodeId, seat, { waitMs, client, place });
    } finally {
      place.leave();
    }
  }

  private async turnOf(owner: string, id: string, seat: string, { waitMs, client, place }: Wait): Promise<SeatView> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      // The episode may leave the memory and come back as another object while the call waits.
      const episode = await this.gym.find(owner, id);
      expectSeat(episode, seat);
      const next = this.changed(episode, client);
      try {
        const table = await this.tableOf(episode);
        const refusal = table.isOver ? null : episode.refusal();
        if (refusal) throw refusal;
        const leftMs = deadline - performance.now();
        const isDone = table.isOver || table.turn === seat || this.isDraining || client.isGone;
        if (isDone || leftMs <= 0) return table.view(seat);
        place.take();
        // Finding the episode again renews its lease.
        await next.within(Math.min(leftMs, episode.row.leaseMs / 2));
      } finally {
        next.cancel();
      }
    }
  }

  /** Returns the table of an episode after all steps in the log. */
  private async tableOf(episode: Episode): Promise<SeatTable> {
    const known = this.tables.get(episode) ?? new SeatTable(seatsOf(episode.spec) ?? []);
    this.tables.set(episode, known);
    if (known.steps < 0) known.open(JSON.parse(await readResetResult(this.gym.log, episode.row)));
    while (known.steps < episode.steps) {
      const first = known.steps;
      const { key, id } = episode.row;
      const steps = await this.gym.log.call("readSteps", key, first, page.steps, page.characters);
      if (steps.length === 0) throw GymError.ofState("LOG_FAILED", `Step ${first} of ${id} is missing in the log.`);
      // Another call may have read the same steps meanwhile.
      for (const { reply } of steps.slice(known.steps - first)) known.add(JSON.parse(reply));
    }
    return known;
  }

  /** Watches for the next change of an episode, from now on. */
  private changed({ row }: Episode, client: Client) {
    let resolve = () => {};
    const change = new Promise<void>((done) => {
      resolve = done;
    });
    const ends = [
      this.gym.watchers.watchEpisode(row.id, { onStep: resolve, onState: resolve, onLeft: resolve }),
      client.onGone(resolve),
    ];
    this.waiting.add(resolve);
    return {
      async within(ms: number): Promise<void> {
        const timer = setTimeout(resolve, ms);
        await change;
        clearTimeout(timer);
      },
      cancel: () => {
        this.waiting.delete(resolve);
        for (const end of ends) end();
      },
    };
  }
}

/** @throws {GymError} SEAT_UNKNOWN */
export function expectSeat({ spec, row }: Episode, seat: string): void {
  const seats = seatsOf(spec);
  if (!seats) throw new GymError("SEAT_UNKNOWN", "an episode with seats", `one of ${row.environment}, which has none`);
  if (!seats.includes(seat)) throw new GymError("SEAT_UNKNOWN", `one of the seats ${seats.join(", ")}`, shown(seat));
}
