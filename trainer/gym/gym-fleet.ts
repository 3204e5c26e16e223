/**
 * Requests to the gyms of a fleet. A request about an episode goes to the gym that has it, so that no gym forwards it, and
 * new episodes are spread over the gyms. Gyms that cannot be reached are left out, since every gym answers every request.
 *
 * Repeating a request through another gym is safe: a step contains its index, and a create has an idempotency key.
 */
import { openAbort } from "../abort.js";
import { backOffMs, sleep } from "./back-off.js";
import { FleetMap } from "./fleet-map.js";
import { GymError } from "./gym.js";
import { GymSocket, type GymSocketOptions, type Requests } from "./gym-socket.js";

/** Milliseconds between two looks at the fleet. */
const refreshMs = 3_000;
/** Milliseconds that the first connections to the other gyms may delay the first request. */
const joiningMs = 1_000;
/** Milliseconds until a gym that does not accept a connection, or does not describe its fleet, counts as unreachable. */
const connectMs = 3_000;
/** Milliseconds between pings of a gym. A frozen gym is left after one to two of them. */
const heartbeatMs = 10_000;
/** Milliseconds until a gym that could not be reached is tried again. */
const absentMs = 10_000;
const backOff = { baseMs: 50, maxMs: 2_000 };

/** Another gym of the fleet, beside the one at the given URL. */
interface Member {
  /** Undefined until the gym has confirmed that it belongs to the fleet. */
  socket: GymSocket | undefined;
  /** Time at which it is tried again. */
  retryAt: number;
  joining: Promise<void> | undefined;
}

export class GymFleet implements Requests {
  private readonly members = new Map<string, Member>();
  private readonly closing = openAbort();
  private map: FleetMap | undefined;
  /** Address of the gym behind the given URL. Undefined while unknown, since a balancer may lead to any gym. */
  private firstAddress: string | undefined;
  private refreshing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private creates = 0;

  private constructor(
    private readonly url: string,
    private readonly first: GymSocket,
    private readonly options: GymSocketOptions,
  ) {}

  /**
   * Connects to a gym, and to the other gyms of its fleet if it has one. To a gym that is alone, all requests go over its
   * one connection.
   *
   * @throws {GymError} GYM_UNREACHABLE or GYM_REFUSED
   */
  static async connect(url: string, options: GymSocketOptions = {}): Promise<GymFleet> {
    const fleet = new GymFleet(url, await GymSocket.connect(url, options), options);
    await fleet.look(fleet.first);
    if (!fleet.map) return fleet;
    fleet.first.hurry(0, heartbeatMs);
    fleet.first.onReconnected = () => {
      fleet.firstAddress = undefined;
      void fleet.refresh();
    };
    fleet.timer = setInterval(() => void fleet.refresh(), refreshMs).unref();
    await fleet.untilJoined();
    return fleet;
  }

  request<T>(op: string, params: object, signal?: AbortSignal): Promise<T> {
    if (this.closing.signal.aborted || !this.map) return this.first.request(op, params, signal);
    return this.requestOfFleet(op, params, signal);
  }

  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    clearInterval(this.timer);
    await Promise.all([this.first.close(), ...[...this.members.keys()].map((address) => this.drop(address))]);
  }

  private async untilJoined(): Promise<void> {
    const joined = new AbortController();
    const all = Promise.all([...this.members.values()].map(({ joining }) => joining));
    await Promise.race([all, sleep(joiningMs, joined.signal).catch(() => {})]);
    joined.abort();
  }

  private async requestOfFleet<T>(op: string, params: object, signal?: AbortSignal): Promise<T> {
    let givenUpAt = 0;
    for (let attempt = 0; ; attempt++) {
      const socket = this.socketFor(op, params as Addressed, attempt);
      try {
        return await socket.request<T>(op, params, signal);
      } catch (error) {
        const isWorthAnother = error instanceof GymError && this.isWorthAnother(error, socket);
        // A step may have taken hours before its gym was lost.
        if (attempt === 0) givenUpAt = performance.now() + (this.options.giveUpMs ?? 60_000);
        if (!isWorthAnother || performance.now() > givenUpAt) throw error;
      }
      void this.refresh();
      await sleep(backOffMs(backOff, attempt), signal);
    }
  }

  /** Whether another gym may answer the request, or the same gym later. */
  private isWorthAnother({ code }: GymError, socket: GymSocket): boolean {
    if (this.closing.signal.aborted) return false;
    if (code === "GYM_UNREACHABLE" || code === "EPISODE_ELSEWHERE") return true;
    return socket !== this.first && (code === "GYM_REFUSED" || code === "GYM_CLOSED");
  }

  private socketFor(op: string, { episodeId, environment, episodes }: Addressed, attempt: number): GymSocket {
    const map = this.map as FleetMap;
    const owner = episodeId === undefined ? undefined : map.ownerOf(episodeId);
    // After a failure, another gym knows sooner than this map which gym has the episode.
    const direct = attempt > 0 || owner === undefined ? undefined : this.openSocketAt(owner);
    if (direct) return direct;
    const open = map.addressesFor(this.url).filter((address) => this.openSocketAt(address));
    const wanted = environment ?? episodes?.[0]?.environment;
    const able = wanted === undefined ? [] : open.filter((address) => map.offers(address, wanted));
    if (able.length > 0 && /^create/.test(op))
      return this.openSocketAt(able[this.creates++ % able.length]) as GymSocket;
    if (this.first.isOpen && attempt === 0) return this.first;
    return this.openSocketAt(open[attempt % Math.max(1, open.length)]) ?? this.first;
  }

  private openSocketAt(address: string | undefined): GymSocket | undefined {
    if (address === undefined) return undefined;
    if (address === this.firstAddress && this.first.isOpen) return this.first;
    const { socket } = this.members.get(address) ?? {};
    return socket?.isOpen ? socket : undefined;
  }

  /** Reads the map again from any gym. Never rejects. */
  private refresh(): Promise<void> {
    this.refreshing ??= this.readMap().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async readMap(): Promise<void> {
    const sockets = [this.first, ...[...this.members.values()].flatMap(({ socket }) => socket ?? [])];
    const open = sockets.filter(({ isOpen }) => isOpen);
    // Without an open connection, each gym is tried.
    for (const socket of open.length > 0 ? open : sockets) if (await this.look(socket)) break;
    this.join();
    // Connects again.
    if (!this.first.isOpen) void mapFrom(this.first);
  }

  /** Reads the map from one gym. Returns whether it has answered. */
  private async look(socket: GymSocket): Promise<boolean> {
    const map = await mapFrom(socket);
    if (!map || this.closing.signal.aborted) return map !== undefined;
    if (!map.isFleet) return true;
    this.map = map;
    if (socket === this.first) this.firstAddress = map.self?.address ?? undefined;
    const addresses = map.addressesFor(this.url).filter((address) => address !== this.firstAddress);
    for (const address of this.members.keys()) if (!addresses.includes(address)) void this.drop(address);
    for (const address of addresses) {
      if (!this.members.has(address)) this.members.set(address, { socket: undefined, retryAt: 0, joining: undefined });
    }
    this.join();
    return true;
  }

  /** Connects to the gyms without a connection, in the background. */
  private join(): void {
    for (const [address, member] of this.members) {
      if (member.socket?.isOpen || member.joining || performance.now() < member.retryAt) continue;
      member.joining = this.joinAt(address, member).finally(() => {
        member.joining = undefined;
      });
    }
  }

  private async joinAt(address: string, member: Member): Promise<void> {
    const before = member.socket;
    member.socket = undefined;
    await before?.close();
    const options = { ...this.options, giveUpMs: 0, heartbeatMs, connectMs };
    const socket = await GymSocket.connect(address, options).catch(() => undefined);
    const map = socket && (await mapFrom(socket));
    const isWanted = this.members.get(address) === member && !this.closing.signal.aborted;
    if (isWanted && map && this.map?.isConfirmedBy(map, address)) {
      member.socket = socket;
      return;
    }
    member.retryAt = performance.now() + absentMs;
    await socket?.close();
  }

  private async drop(address: string): Promise<void> {
    const { socket, joining } = this.members.get(address) ?? {};
    this.members.delete(address);
    await Promise.all([socket?.close(), joining]);
  }
}

/** Parameters by which a gym is chosen. */
interface Addressed {
  readonly episodeId?: string;
  readonly environment?: string;
  readonly episodes?: readonly { readonly environment: string }[];
}

/** Reads the map from a gym. Undefined if it does not answer, or is older than fleets. */
async function mapFrom(socket: GymSocket): Promise<FleetMap | undefined> {
  try {
    return new FleetMap(await socket.request("getFleet", {}, AbortSignal.timeout(connectMs)));
  } catch {
    return undefined;
  }
}
