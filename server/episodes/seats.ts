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

/** Limits on the steps that are read from the log at a time. */
const page = { steps: 256, characters: 2 ** 22 };

export class Seats {
  private readonly tables = new WeakMap<Episode, SeatTable>();
  /** Ends the waits of the calls that wait for a turn. */
  private readonly waiting = new Set<() => void>();
  private isDraining = false;

  constructor(private readonly gym: PlayedGym) {}

  /** Ends all waits: the gym shuts down, and the calls get the view as it is. */
  drain(): void {
    this.isDraining = true;
    for (const end of this.waiting) end();
  }

  /**
   * Returns the view of a seat, as soon as the seat acts next, the episode has ended, or `waitMs` have passed.
   *
   * @throws {GymError} EPISODE_UNKNOWN, SEAT_UNKNOWN, LOG_FAILED, and the error that ended the episode
   */
  async view(owner: string, id: string, seat: string, waitMs: number, client: Client): Promise<SeatView> {
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
        // Finding the episode again renews its lease.
        await next.within(Math.min(leftMs, episode.row.leaseMs / 2));
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
    await episode.settled();
    const table = await this.tableOf(episode);
    const refusal = refusalOf(table, request.index, seat);
    if (refusal) throw refusal;
    await new Promise<string>((resolve, reject) => this.gym.step(owner, request, { resolve, reject }));
    return this.view(owner, request.episodeId, seat, waitMs, client);
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

/** Whose turn it is, and the rewards of each seat, after the steps that were read. */
class SeatTable {
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
function refusalOf(table: SeatTable, index: number, seat: string): GymError | null {
  const { steps, isOver, turn, actors } = table;
  if (index > steps) return new GymError("STEP_INDEX", `the step index ${steps}`, `${index}`, { nextIndex: steps });
  const actor = index < steps ? actors[index] : isOver ? seat : turn;
  if (actor === seat) return null;
  const place = index < steps ? `, which took step ${index}` : ", which acts next";
  return new GymError("SEAT_TURN", `a step of the seat ${actor}${place}`, `a step of ${seat}`, { turn });
}

/** @throws {GymError} SEAT_UNKNOWN */
export function expectSeat({ spec, row }: Episode, seat: string): void {
  const seats = seatsOf(spec);
  if (!seats) throw new GymError("SEAT_UNKNOWN", "an episode with seats", `one of ${row.environment}, which has none`);
  if (!seats.includes(seat)) throw new GymError("SEAT_UNKNOWN", `one of the seats ${seats.join(", ")}`, shown(seat));
}
