/**
 * Passes requests of protocols on to the gym that has their episode or session. A session counts as having a key, like an
 * episode, so the gym with the key's shard plays it.
 */
import type { Caller } from "../episodes/gym.js";
import { GymError } from "../errors.js";
import type { FleetMember } from "../log/records/protocol.js";
import type { FleetOwnership } from "./fleet-ownership.js";
import type { Errand, Owners } from "./owners.js";
import { isPeer, type PeerReply, type PeerRequest, type Peers } from "./peers.js";

/** Headers of a forwarded request: its caller, its key, and the forwarding gym. */
const [callerHeader, keyHeader, gymHeader] = ["palestra-caller", "palestra-key", "palestra-gym"];

/** Header of a reply that says that the gym does not have the episode. Its value is the episode's id, if one is known. */
export const elsewhereHeader = "palestra-elsewhere";

/** Facts about a request that a gym passes on with it. */
export interface Passed {
  caller: Caller;
  key: number;
  /** Incarnation of the gym that has passed it on. */
  gym: number;
}

export class Relay {
  /** @param secret returns the secret of the fleet */
  constructor(
    private readonly ownership: FleetOwnership,
    private readonly owners: Owners,
    private readonly peers: Peers,
    private readonly secret: () => string,
  ) {}

  /** The other gyms of the fleet that are live. */
  get others(): readonly FleetMember[] {
    return this.ownership.members.others;
  }

  /**
   * Whether this gym carries out a request that another gym has passed on. A gym that was fenced while it was frozen may
   * pass on what its client has sent again to another gym meanwhile.
   */
  takes({ key, gym }: Passed): boolean {
    return this.ownership.has(key) && this.others.some(({ incarnation }) => incarnation === gym);
  }

  /** See `Owners.at`. */
  run<T>(errand: Errand<T>): Promise<T> {
    return this.owners.at(errand);
  }

  /** Sends a request to another gym. @throws {PeerLost} @throws {GymError} EPISODE_ELSEWHERE */
  async send(gym: FleetMember, { caller, key }: Omit<Passed, "gym">, request: PeerRequest): Promise<PeerReply> {
    const headers = {
      ...request.headers,
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

  /** Returns the facts that the forwarding gym sent about a request, or null if a client sent the request. */
  passedBy(headers: Readonly<Record<string, string | string[] | undefined>>): Passed | null {
    const { [callerHeader]: caller, [keyHeader]: key, [gymHeader]: gym, authorization } = headers;
    if (typeof caller !== "string" || typeof authorization !== "string") return null;
    if (!isPeer(authorization, this.secret())) return null;
    const from = JSON.parse(Buffer.from(caller, "base64").toString()) as Caller;
    return { caller: from, key: Number(key), gym: Number(gym) };
  }
}
