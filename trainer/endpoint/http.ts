/** Parts of HTTP that the routes of the endpoint share. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { openAbort } from "../abort.js";
import { EndpointError } from "./protocol/errors.js";

/** Returns the id of the rollout in a request's path. */
export function idOf({ params }: FastifyRequest): string {
  return (params as { id: string }).id;
}

/** Makes a controller that aborts if the caller disconnects before its reply is complete. */
export function hangUp(reply: FastifyReply): AbortController {
  const leaving = openAbort();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) leaving.abort(new EndpointError("endpoint_closed", "the caller has disconnected"));
  });
  return leaving;
}

/** Sends an error. @param body body of the error in the protocol of the request */
export function refuse(reply: FastifyReply, error: EndpointError, body: object): void {
  // The request has already waited for admission, so the caller can retry soon.
  if (error.code === "no_room") reply.header("retry-after", "1");
  reply.status(error.status).send(body);
}
