/** Serves a gym as one of a fleet. A gym that is alone has none of this. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller, Gym } from "../../episodes/gym.js";
import type { GymError } from "../../errors.js";
import { Owners } from "../../fleet/owners.js";
import { Peers } from "../../fleet/peers.js";
import { Placement } from "../../fleet/placement.js";
import { Relay } from "../../fleet/relay.js";
import { FleetRouter } from "../../fleet/router.js";
import type { Router, Served } from "../../operations/operation.js";
import { operations } from "../../operations/operations.js";
import type { GymSockets } from "../sockets/gym-socket.js";
import { FleetSocket } from "./fleet-socket.js";
import { registerForwarded } from "./forwarded-operations.js";
import { relayRequests } from "./relayed-routes.js";

export class Fleet {
  private constructor(
    readonly router: Router,
    readonly relay: Relay,
  ) {}

  /**
   * Joins the app to the fleet of its gym, or returns null if the gym is alone.
   *
   * @param giveUpMs see `FleetTimes`
   */
  static open(app: FastifyInstance, gym: Gym, giveUpMs: number): Fleet | null {
    const { log, ownership } = gym;
    if (!log.fleet) return null;
    const secret = () => log.fleet?.secret ?? "";
    const peers = new Peers(secret, (trouble) => log.noteTrouble(trouble));
    app.addHook("onClose", () => peers.close());
    const placement = new Placement(ownership, (environment) => gym.holdsSandbox(environment));
    const owners = new Owners(ownership, giveUpMs);
    const router = new FleetRouter({ ownership, owners, peers, placement, operations });
    const relay = new Relay(ownership, owners, peers, secret);
    relayRequests(app, relay);
    return new Fleet(router, relay);
  }

  /** Notes which gym has passed a request on, and returns its caller. Returns undefined for a request of a client. */
  readonly passedCaller = (request: FastifyRequest): Caller | undefined => {
    request.passed = this.relay.passedBy(request.headers) ?? undefined;
    return request.passed?.caller;
  };

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
