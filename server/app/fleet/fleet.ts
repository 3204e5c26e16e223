/** Serves a gym as one of a fleet. A gym that is alone has none of this. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller, Gym } from "../../episodes/gym.js";
import type { GymError } from "../../errors.js";
import { FleetPart } from "../../fleet/fleet-part.js";
import { Owners } from "../../fleet/owners.js";
import { Peers } from "../../fleet/peers.js";
import { Placement } from "../../fleet/placement.js";
import { Relay } from "../../fleet/relay.js";
import { FleetRouter } from "../../fleet/router.js";
import type { Router, Served } from "../../operations/operation.js";
import { operations } from "../../operations/operations.js";
import type { Metrics } from "../plugins/metrics.js";
import type { GymSockets } from "../sockets/gym-socket.js";
import { FleetSocket } from "./fleet-socket.js";
import { registerForwarded } from "./forwarded-operations.js";
import { relayRequests } from "./relayed-routes.js";

export class Fleet {
  private constructor(
    private readonly gym: Gym,
    private readonly part: FleetPart,
    readonly router: Router,
    readonly relay: Relay,
  ) {}

  /**
   * Joins the app to the fleet of its gym, or returns null if the gym is alone.
   *
   * @param giveUpMs see `FleetTimes`
   */
  static open(app: FastifyInstance, gym: Gym, giveUpMs: number): Fleet | null {
    const { log, sharing: part } = gym;
    if (!(part instanceof FleetPart)) return null;
    const { ownership } = part;
    // The others would send the steps of its episodes in vain before.
    app.addHook("onListen", async () => void part.serve().catch(() => {}));
    const secret = () => log.fleet?.secret ?? "";
    const peers = new Peers(secret, (trouble) => log.noteTrouble(trouble));
    app.addHook("onClose", () => peers.close());
    const placement = new Placement(ownership, (environment) => gym.holdsSandbox(environment));
    const owners = new Owners(ownership, giveUpMs);
    const onForward = () => {
      part.forwarded += 1;
    };
    const router = new FleetRouter({ ownership, owners, peers, placement, onForward, operations });
    const relay = new Relay(ownership, owners, peers, secret);
    relayRequests(app, relay);
    return new Fleet(gym, part, router, relay);
  }

  /** Notes which gym has passed a request on, and returns its caller. Returns undefined for a request of a client. */
  readonly passedCaller = (request: FastifyRequest): Caller | undefined => {
    request.passed = this.relay.passedBy(request.headers) ?? undefined;
    return request.passed?.caller;
  };

  /** Adds the metrics of a fleet. */
  count(metrics: Metrics): void {
    const { gym, part } = this;
    metrics.gauge("palestra_fleet_gyms", "Gyms of the fleet that are live.", () => gym.log.fleet?.nodes.length ?? 0);
    metrics.gauge("palestra_fleet_shards", "Shards of this gym.", () => part.ownership.shards.length);
    const forwarded = "Operations that this gym has forwarded to other gyms of the fleet.";
    metrics.total("palestra_fleet_forwarded_total", forwarded, () => part.forwarded);
    const moved = "Shards that this gym has given to other gyms of the fleet.";
    metrics.total("palestra_fleet_moved_shards_total", moved, () => part.movedShards);
  }

  /** Serves what the other gyms ask. @param maxBodyBytes limit on the body of a caller's request */
  serveGyms(app: FastifyInstance, { sockets, served, maxBodyBytes, onError }: ServingParts): void {
    registerForwarded(app, served, maxBodyBytes);
    sockets.register(app, new FleetSocket({ served, onError }));
  }
}

interface ServingParts {
  sockets: GymSockets;
  served: Served;
  maxBodyBytes: number;
  onError(error: GymError): void;
}
