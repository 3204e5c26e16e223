/** Parts of HTTP that the routes of the endpoint share. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { openAbort } from "../abort.js";
import { EndpointError } from "./protocol/errors.js";

export const seatPattern = /^[a-z0-9-]{1,100}$/;
export const seatForm = "a seat's name of lower-case letters, digits and dashes";

/** Returns the id of the rollout in a request's path. */
export function idOf({ params }: FastifyRequest): string {
  return (params as { id: string }).id;
}

/** Returns the seat in a request's path, if it has one. @throws {EndpointError} */
export function seatOf({ params }: FastifyRequest): string | undefined {
  const { seat } = params as { seat?: string };
  if (seat === undefined || seatPattern.test(seat)) return seat;
  throw new EndpointError("invalid_request", `expected ${seatForm}, but received ${JSON.stringify(seat)}`, "seat");
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
