/**
 * Serves `/v1/socket`: the operations of `/v1` as frames. A request is `{"id", "op", "params"}`, and its reply is
 * `{"id", "result"}` or `{"id", "error"}`. Replies may arrive in any order. openapi/socket.md documents the protocol.
 *
 * Episodes do not belong to a socket. After a lost connection, the client can continue its episodes on another socket.
 * A repeated step gets its stored reply.
 */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { ConnectedClient, PlayedEpisodes } from "../../episodes/episode/client.js";
import { GymError } from "../../errors.js";
import { type Call, callOf, type Operation, type Served } from "../../operations/operation.js";
import { type OperationName, operations } from "../../operations/operations.js";
import { errorText } from "../../operations/replies.js";
import { invalid, reported } from "../plugins/error-replies.js";
import { boundedIssues, parse, quick } from "../validation.js";
import type { Conversation, Pending, SocketProtocol } from "./gym-socket.js";

const FrameId = z.union([z.string().max(200), z.int()]);

const Frame = quick(
  z.strictObject({
    id: FrameId,
    op: z.enum(Object.keys(operations) as [OperationName, ...OperationName[]]),
    params: z.unknown().optional(),
  }),
);

export interface V1SocketOptions {
  served: Served;
  /**
   * Largest number of requests of one socket that are handled at the same time. Further requests are not read
   * (backpressure).
   */
  maxInFlight: number;
  /** Returns the error for a further request of the owner, or null. A socket can outlive its token. */
  refusalOf(owner: string): GymError | null;
  onError(error: GymError): void;
}

/** Estimated size in bytes of a reply that is not the reply to a step. It may be much larger than its request. */
const unknownReplyBytes = 2 ** 18;

export class V1Socket implements SocketProtocol {
  readonly url = "/v1/socket";
  readonly params = paramSchemas();

  constructor(readonly options: V1SocketOptions) {}

  begin(request: FastifyRequest): Conversation {
    return new V1Conversation(request, this);
  }
}

class V1Conversation extends ConnectedClient implements Conversation {
  private readonly call: Call;
  private readonly played: PlayedEpisodes;

  constructor(
    private readonly request: FastifyRequest,
    private readonly protocol: V1Socket,
  ) {
    super();
    const { served } = protocol.options;
    this.played = new PlayedEpisodes(served.gym);
    this.call = callOf(served, request.caller, this);
  }

  get maxInFlight(): number {
    return this.protocol.options.maxInFlight;
  }

  end(): void {
    this.hangUp();
    this.played.leave();
  }

  plays(episodeId: string): void {
    this.played.add(episodeId);
    if (this.isGone) this.played.leave();
  }

  receive(data: Buffer, isBinary: boolean): string | Pending {
    if (isBinary) return this.errorFrame(null, new GymError("SOCKET_FRAME_BINARY", "a text frame", "a binary frame"));
    let frame: unknown;
    try {
      frame = JSON.parse(data.toString());
    } catch (error) {
      const malformed = new GymError("REQUEST_MALFORMED", "a frame of JSON", (error as Error).message);
      return this.errorFrame(null, malformed);
    }
    const parsed = parse(Frame, frame);
    if (!parsed.success) return this.errorFrame(idOf(frame), invalidFrame(parsed.error));
    const { id, op, params } = parsed.data;
    const refusal = this.protocol.options.refusalOf(this.call.caller.owner);
    if (refusal) return this.errorFrame(id, refusal);
    const checked = parse(this.protocol.params[op], params ?? {});
    if (!checked.success) return this.errorFrame(id, invalidFrame(checked.error));
    const operation: Operation = operations[op];
    const reply = this.call.router.run(op, operation, this.call, checked.data as object).then(
      (result) => `{"id":${JSON.stringify(id)},"result":${result}}`,
      (error: Error) => this.errorFrame(id, error),
    );
    // A call that waits for a seat's turn must not hold back the step that ends its wait.
    const isSmall = op === "step" || op === "seat" || op === "seatStep";
    return { reply, replyBytes: isSmall ? 0 : unknownReplyBytes };
  }

  private errorFrame(id: string | number | null, error: Error): string {
    const gymError = reported(error, { log: this.request.log, onError: this.protocol.options.onError });
    return `{"id":${JSON.stringify(id)},${errorText(gymError).slice(1)}`;
  }
}

/** Schemas of the operations' `params`, which combine path, query, body and headers of the HTTP route in one object. */
function paramSchemas(): Record<OperationName, z.ZodType> {
  const entries = Object.entries<Operation>(operations).map(([name, { path, query, body, header }]) => [
    name,
    z.strictObject({ ...path.shape, ...query.shape, ...body?.shape, ...header.shape }),
  ]);
  const schemas = Object.fromEntries(entries) as Record<OperationName, z.ZodType>;
  quick(schemas.step);
  quick(schemas.stepMany);
  return schemas;
}

function idOf(frame: unknown): string | number | null {
  const id = parse(FrameId, (frame as { id?: unknown } | null)?.id);
  return id.success ? id.data : null;
}

function invalidFrame(error: z.ZodError): GymError {
  const issues = error.issues.map(({ path, message }) => ({ instancePath: path.map(String).join("/"), message }));
  return invalid("frame", boundedIssues(issues));
}
