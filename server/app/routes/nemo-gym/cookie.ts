/**
 * The cookie of a session, with the number of steps that its client has seen. Each reply to a step renews the cookie, so a
 * request names the step that it expects. A request that is repeated because its reply was lost then takes no second step,
 * not even if the gym was killed in between.
 */
import type { FastifyRequest } from "fastify";
import { idOf, nameOf } from "../../../adapter/session-ids.js";

export interface Seat {
  session: number;
  /** Index of the next step. */
  index: number;
}

/** The name differs between environments, because browsers and other clients share cookies between ports. */
function cookieName(environment: string): string {
  return `palestra-${environment.replace(/[^\w-]/g, "-")}`;
}

/** Returns what the cookie of an environment says, or null if the request has no such cookie. */
export function seatIn({ headers }: FastifyRequest, environment: string): Seat | null {
  const start = `${cookieName(environment)}=`;
  const pair = (headers.cookie ?? "").split(";").find((each) => each.trim().startsWith(start));
  const [, name = "", index] = /^(s[0-9a-z]+)\.([0-9]{1,15})$/.exec(pair?.trim().slice(start.length) ?? "") ?? [];
  const session = idOf(name);
  return session === null ? null : { session, index: Number(index) };
}

/** Returns the value of the header `Set-Cookie`. */
export function cookieOf(environment: string, { session, index }: Seat): string {
  return `${cookieName(environment)}=${nameOf(session)}.${index}; Path=/; HttpOnly; SameSite=Strict`;
}
