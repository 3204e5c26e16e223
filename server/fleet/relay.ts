/**
 * Passes requests of protocols on to the gym that has their episode or session. A session counts as having a key, like an
 * episode, so the gym with the key's shard plays it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { episodeElsewhere, isElsewhere } from "../episodes/episode/refusals.js";
import type { Caller } from "../episodes/gym.js";
import type { Ownership } from "../episodes/ownership/ownership.js";
import { GymError } from "../errors.js";
import { keyOf } from "../log/records/episode-id.js";
import type { FleetMember } from "../log/records/protocol.js";
import { mayHaveRun, PeerLost } from "./peer-errors.js";
import { isPeer, type PeerReply, type PeerRequest, type Peers } from "./peers.js";
import { RetryDeadline } from "./retry-deadline.js";

/** Headers of a request that was passed on: its caller, the key for which it was, and the gym that has passed it on. */
const [callerHeader, keyHeader, gymHeader] = ["palestra-caller", "palestra-key", "palestra-gym"];

/** Header of a reply that says that the gym does not have the episode. Its value is the episode's id, if one is known. */
export const elsewhereHeader = "palestra-elsewhere";

/** Milliseconds between attempts to find the gym of a request. */
const pauseMs = 100;

export interface Passage<T> {
  /** Key of the episode or session, or null if the request has none yet and any gym can answer it. */
  key: number | null;
  /** Whether the request may be carried out twice. */
  mayRepeat: boolean;
  /** Given when the client has gone. A request that was not begun before is not carried out. */
  gone?: AbortSignal;
  /** @param key key for which this gym is the right one */
  here(key: number | null): Promise<T>;
  there(gym: FleetMember, key: number): Promise<T>;
}

/** Facts about a request that a gym passes on with it. */
export interface Passed {
  caller: Caller;
  key: number;
  /** Incarnation of the gym that has passed it on. */
  gym: number;
}

/** The client of a request has gone before the request was begun. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

export class Relay {
  /**
   * @param secret returns the secret of the fleet
   * @param giveUpMs see `FleetTimes`
   */
  constructor(
    private readonly ownership: Ownership,
    private readonly peers: Peers,
    private readonly secret: () => string,
    private readonly giveUpMs: number,
  ) {}

  /** The other gyms of the fleet that are live. */
  get others(): readonly FleetMember[] {
    return this.ownership.members.others;
  }

  /** Whether this gym has the episode or session with a key. */
  has(key: number): boolean {
    return this.ownership.has(key);
  }

  /**
   * Whether this gym carries out a request that another gym has passed on. A gym that was fenced while it was frozen may
   * pass on what its client has sent again to another gym meanwhile.
   */
  takes({ key, gym }: Passed): boolean {
    return this.has(key) && this.others.some(({ incarnation }) => incarnation === gym);
  }

  /**
   * Carries out a request on the gym that has its key.
   *
   * @throws {GymError} EPISODE_ELSEWHERE, and the errors of the request
   * @throws {ClientGone}
   */
  async run<T>({ key, mayRepeat, gone, here, there }: Passage<T>): Promise<T> {
    const { ownership } = this;
    let place = key;
    for (const deadline = new RetryDeadline(this.giveUpMs); ; await sleep(pauseMs)) {
      deadline.begin();
      // A gym that has no shards, for example because it is about to end, can open no episode.
      if (place === null && ownership.shards.length === 0) place = ownership.anyKey;
      if (gone?.aborted) throw new ClientGone();
      const gym = place === null ? "here" : ownership.ownerOf(place);
      try {
        if (gym === "here") return await here(place);
        if (gym) return await there(gym, place as number);
      } catch (error) {
        if (!mayRepeat && mayHaveRun(error)) throw interrupted();
        if (!(error instanceof PeerLost) && !isElsewhere(error)) throw error;
        // The episode of a session may have another shard than the session. A second refusal looks for the session again.
        const named = keyOf(episodeElsewhere(error) ?? "");
        const isNew = named !== null && named !== place;
        place = isNew ? named : key;
        if (isNew && !deadline.isOver) continue;
      }
      ownership.expectLog();
      if (deadline.isOver) throw unreachable();
    }
  }

  /** Sends a request to another gym. @throws {PeerLost} @throws {GymError} EPISODE_ELSEWHERE */
  async send(gym: FleetMember, { caller, key }: Omit<Passed, "gym">, request: PeerRequest): Promise<PeerReply> {
    const headers = {
      ...request.headers,
      authorization: `Bearer ${this.secret()}`,
      [callerHeader]: Buffer.from(JSON.stringify(caller)).toString("base64"),
      [keyHeader]: String(key),
      [gymHeader]: String(this.ownership.members.self.incarnation),
    };
    const reply = await this.peers.send(gym, { ...request, headers });
    const id = reply.headers[elsewhereHeader];
    if (id === undefined) return reply;
    await reply.body.dump();
    throw GymError.ofState("EPISODE_ELSEWHERE", "The episode has moved to another gym of the fleet.", {
      episodeId: String(id),
    });
  }

  /** Reads the reply of another gym. @throws {PeerLost} */
  async textOf(body: PeerReply["body"]): Promise<string> {
    try {
      return await body.text();
    } catch (error) {
      throw new PeerLost((error as Error).message, true);
    }
  }

  /** Returns what another gym says about a request that it has passed on, or null if a client sent the request. */
  passedBy(headers: Readonly<Record<string, string | string[] | undefined>>): Passed | null {
    const { [callerHeader]: caller, [keyHeader]: key, [gymHeader]: gym, authorization } = headers;
    if (typeof caller !== "string" || typeof authorization !== "string") return null;
    if (!isPeer(authorization, this.secret())) return null;
    const from = JSON.parse(Buffer.from(caller, "base64").toString()) as Caller;
    return { caller: from, key: Number(key), gym: Number(gym) };
  }
}

function unreachable(): GymError {
  return GymError.ofState("EPISODE_ELSEWHERE", "No gym of the fleet could answer the request. Send it again.");
}

function interrupted(): GymError {
  const remedy = "The request may have been carried out: look at the episode before you repeat it.";
  return GymError.ofState("EPISODE_ELSEWHERE", `The gym that has the episode ended before its reply. ${remedy}`);
}
