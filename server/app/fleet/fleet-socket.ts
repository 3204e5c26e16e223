/** Serves the socket on which another gym of the fleet forwards steps. `fleet/peer-socket.ts` documents the frames. */
import type { FastifyRequest } from "fastify";
import { lasting } from "../../episodes/episode/client.js";
import { GymError } from "../../errors.js";
import { fleetSocketPath } from "../../fleet/peer-socket.js";
import { type Forwarded, isPeer } from "../../fleet/peers.js";
import { callOf, type Operation, type Served } from "../../operations/operation.js";
import { operationNamed } from "../../operations/operations.js";
import { errorText } from "../../operations/replies.js";
import { reported } from "../plugins/error-replies.js";
import type { Conversation, Line, SocketProtocol } from "../sockets/gym-socket.js";

/** Code of the WebSocket protocol for a policy violation. */
const policyViolation = 1008;

export interface FleetSocketOptions {
  served: Served;
  onError(error: GymError): void;
}

export class FleetSocket implements SocketProtocol {
  readonly url = fleetSocketPath;

  constructor(private readonly options: FleetSocketOptions) {}

  refusalOf({ headers }: FastifyRequest): GymError | null {
    if (isPeer(headers.authorization, this.options.served.gym.log.fleet?.secret ?? "")) return null;
    return GymError.ofState("TOKEN_INVALID", "Only gyms of the same fleet use this path.");
  }

  begin(request: FastifyRequest, line: Line): Conversation {
    const { served, onError } = this.options;
    return {
      // The gym limits the steps in flight. A limit of the socket would let slow steps of one caller hold up those of all.
      maxInFlight: Number.POSITIVE_INFINITY,
      maxHeldBytes: Number.POSITIVE_INFINITY,
      receive: (message) => {
        const frame = readFrame(message.toString());
        if (!frame) return void line.close(policyViolation, "malformed frame");
        const { id, operation, forwarded } = frame;
        const { caller, params } = forwarded;
        // The operations on this socket do not end when their caller disconnects.
        const reply = operation.run(callOf(served, caller, lasting), params as never).then(
          (result) => `${id}=${result}`,
          (error: Error) => `${id}!${errorText(reported(error, { log: request.log, onError }))}`,
        );
        return { reply, replyBytes: 0 };
      },
      end: () => {},
    };
  }
}

interface Frame {
  id: string;
  operation: Operation;
  forwarded: Forwarded;
}

/** Returns the parts of a frame, or null if it is malformed. */
function readFrame(frame: string): Frame | null {
  const [head = "", id = "", name = ""] = /^(\d+) (\w+) /.exec(frame) ?? [];
  const operation = operationNamed(name);
  if (!operation) return null;
  try {
    // The other gym has checked the parameters.
    return { id, operation, forwarded: JSON.parse(frame.slice(head.length)) as Forwarded };
  } catch {
    return null;
  }
}
