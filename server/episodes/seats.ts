/**
 * The seats of an episode with several players. The episode takes one step after another, whichever seat acts, so that
 * its log, replay, forks and takeover are those of any episode. A seat's player sees only the observations of its own
 * turns, and the rewards since its last action, as in PettingZoo's AEC games.
 */
import type { JsonValue, ObservationPart } from "../../envs/env.js";
import { seatsOf } from "../../envs/registry.js";
import { GymError, shown } from "../errors.js";
import type { Log } from "../log/log.js";
import type { Client } from "./episode/client.js";
import type { Episode } from "./episode/episode.js";
import { readResetResult } from "./episode/results.js";
import type { StepWaiter } from "./episode/waiting.js";
import type { Watchers } from "./episode/watchers.js";

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

/** Steps read from the log at a time. */
const page = 256;

export class Seats {
  private readonly tables = new WeakMap<Episode, SeatTable>();

  constructor(private readonly gym: PlayedGym) {}

  /**
   * Returns the view of a seat, as soon as the seat acts next, the episode has ended, or `waitMs` have passed.
   *
   * @throws {GymError} EPISODE_UNKNOWN, SEAT_UNKNOWN, LOG_FAILED, and the error that ended the episode
   */
  async view(owner: string, id: string, seat: string, waitMs: number, client: Client): Promise<SeatView> {
    const episode = await this.gym.find(owner, id);
    expectSeat(episode, seat);
    const deadline = performance.now() + waitMs;
    for (;;) {
      const next = this.changed(episode, client);
      try {
        const table = await this.tableOf(episode);
        const refusal = table.isOver ? null : episode.refusal();
        if (refusal) throw refusal;
        const leftMs = deadline - performance.now();
        if (table.isOver || table.turn === seat || leftMs <= 0 || client.isGone) return table.view(seat);
        await next.within(leftMs);
      } finally {
        next.cancel();
      }
    }
  }

  /**
   * Takes the step of a seat, and returns its view as `view` does. A repeated step gives the view as well.
   *
   * @throws {GymError} SEAT_TURN, and the errors of `view` and `Gym.step`
   */
  async step(owner: string, seat: string, request: SeatStep, waitMs: number, client: Client): Promise<SeatView> {
    const episode = await this.gym.find(owner, request.episodeId);
    expectSeat(episode, seat);
    const table = await this.tableOf(episode);
    // An earlier index is a repetition, which gets its stored reply or is refused as a conflict.
    if (request.index === table.steps && !table.isOver && table.turn !== seat)
      throw new GymError("SEAT_TURN", `a step of the seat ${table.turn}, which acts next`, `a step of ${seat}`, {
        turn: table.turn as string,
      });
    await new Promise<string>((resolve, reject) => this.gym.step(owner, request, { resolve, reject }));
    return this.view(owner, request.episodeId, seat, waitMs, client);
  }

  /** Returns the table of an episode after all steps accepted so far. */
  private async tableOf(episode: Episode): Promise<SeatTable> {
    await episode.settled();
    const known = this.tables.get(episode) ?? new SeatTable(seatsOf(episode.spec) ?? []);
    this.tables.set(episode, known);
    if (known.steps < 0) known.open(JSON.parse(await readResetResult(this.gym.log, episode.row)));
    while (known.steps < episode.steps) {
      const first = known.steps;
      const steps = await this.gym.log.call("readSteps", episode.row.key, first, page);
      if (steps.length === 0)
        throw GymError.ofState("LOG_FAILED", `Step ${first} of ${episode.row.id} is missing in the log.`);
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
    return {
      async within(ms: number): Promise<void> {
        const timer = setTimeout(resolve, ms);
        await change;
        clearTimeout(timer);
      },
      cancel: () => {
        for (const end of ends) end();
      },
    };
  }
}

/** Whose turn it is, and the rewards of each seat, after the steps that were read. */
class SeatTable {
  /** -1 before the reset result was read. */
  steps = -1;
  turn: string | null = null;
  isOver = false;
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
    this.steps += 1;
    this.take(result);
  }

  view(seat: string): SeatView {
    const { observation, parts, terminated = false, truncated = false, info } = this.last as SeatResult;
    const sum = this.sums.get(seat);
    const isSeen = this.isOver || this.turn === seat;
    return {
      seat,
      turn: this.turn,
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

/** @throws {GymError} SEAT_UNKNOWN */
export function expectSeat({ spec, row }: Episode, seat: string): void {
  const seats = seatsOf(spec);
  if (!seats) throw new GymError("SEAT_UNKNOWN", "an episode with seats", `one of ${row.environment}, which has none`);
  if (!seats.includes(seat)) throw new GymError("SEAT_UNKNOWN", `one of the seats ${seats.join(", ")}`, shown(seat));
}
