/**
 * Carries out requests on the gym that has their episode or session, wherever that is at the moment. While no gym has it,
 * and after a gym that was lost or has refused, a request looks for the gym again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, lasting } from "../episodes/episode/client.js";
import { callerGone, episodeElsewhere, isElsewhere } from "../episodes/episode/refusals.js";
import { GymError } from "../errors.js";
import { keyOf } from "../log/records/episode-id.js";
import type { FleetMember } from "../log/records/protocol.js";
import type { FleetOwnership } from "./fleet-ownership.js";
import { mayHaveRun, PeerLost } from "./peer-errors.js";
import { RetryDeadline } from "./retry-deadline.js";
import type { StepTurn } from "./step-order.js";

/** Milliseconds between two searches for the owner: the first pause, and the longest. Each pause is twice as long as the one before. */
const [firstPauseMs, longestPauseMs] = [5, 100];

export interface Errand<T> {
  /** Key of the episode or session, or null if the request has none and any gym with shards can carry it out. */
  key: number | null;
  /** Whether the request may be carried out twice. */
  mayRepeat: boolean;
  /** A request whose client has gone is not begun. Default: the request is carried out in any case. */
  client?: Pick<Client, "isGone">;
  /** Place of a step among the steps of its episode. */
  turn?: StepTurn;
  /** @param key key for which this gym is the right one */
  here(key: number | null): Promise<T>;
  there(gym: FleetMember, key: number): Promise<T>;
}

export class Owners {
  /** @param giveUpMs see `FleetTimes` */
  constructor(
    private readonly ownership: FleetOwnership,
    private readonly giveUpMs: number,
  ) {}

  /**
   * @throws {GymError} EPISODE_ELSEWHERE if no gym could carry out the request, or if a gym was lost that may have done so;
   *   CALLER_GONE; the errors of the request
   */
  async at<T>({ key, mayRepeat, client = lasting, turn, here, there }: Errand<T>): Promise<T> {
    const { ownership, giveUpMs } = this;
    let place = key;
    let deadline = new RetryDeadline(giveUpMs);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (turn?.mustWait) {
        if (!(await turn.wait())) throw unreachable();
        deadline = new RetryDeadline(giveUpMs);
      }
      deadline.begin();
      if (client.isGone) throw callerGone();
      // A gym that has no shards, for example because it is about to end, can open no episode.
      if (place === null && ownership.shards.length === 0) place = ownership.anyKey;
      const isBehind = turn?.isBehind ?? false;
      const gym = place === null ? "here" : ownership.ownerOf(place);
      try {
        if (gym === "here") return await here(place);
        if (gym) return await there(gym, place as number);
      } catch (error) {
        if (!mayRepeat && mayHaveRun(error)) throw interrupted();
        // Steps before it were refused, since the episode moves.
        const isEarly = isBehind && isOfIndex(error);
        if (!isEarly && !(error instanceof PeerLost) && !isElsewhere(error)) throw error;
        if (turn) turn.isAlone = true;
        // A session and its episode may have different shards. After a second refusal, the gym looks for the session again.
        const named = keyOf(episodeElsewhere(error) ?? "");
        place = named !== null && named !== place ? named : key;
      }
      ownership.expectLog();
      if (deadline.isOver) throw unreachable();
      await sleep(pauseMs);
    }
  }
}

function isOfIndex(error: unknown): boolean {
  return error instanceof GymError && error.code === "STEP_INDEX";
}

function unreachable(): GymError {
  return GymError.ofState("EPISODE_ELSEWHERE", "No gym of the fleet could carry out the request. Send it again.");
}

function interrupted(): GymError {
  const remedy = "The request may have been carried out: look at the episode before you repeat it.";
  return GymError.ofState("EPISODE_ELSEWHERE", `The gym that got the request ended before its reply. ${remedy}`, {
    mayBeTaken: true,
  });
}
