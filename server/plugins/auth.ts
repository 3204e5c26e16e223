import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../episodes/gym.js";
import { GymError, shown } from "../errors.js";
import type { TokenStore } from "../tokens.js";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Answered without a token, whatever the address. */
    public?: boolean;
    /** Answered to everybody; `request.caller` is missing where any other route would refuse the request. */
    callerOptional?: boolean;
  }
}

export interface AuthOptions {
  tokens: TokenStore;
  /** Stands for callers without a token, with the right `expert`. */
  localToken?: { matches(secret: string): boolean } | undefined;
  required: boolean;
  /** Whether the server listens on a loopback address. */
  loopback: boolean;
  /** Whether callers without a token may ask the expert. */
  localExpert: boolean;
}

/** The owner of what is created without a token. */
export const localOwner = "local";

const pathToken = /^\/t\/([A-Za-z0-9_-]+)(\/.*)$/;

/**
 * Clients that cannot send headers, such as AgentGym's, carry their token in the path: `/t/<token>/agentgym/textcraft`.
 * It is moved into the header before anything is routed or logged.
 */
export function tokenFromPath(request: IncomingMessage): string {
  const url = request.url ?? "/";
  const match = pathToken.exec(url);
  if (!match) return url;
  request.headers.authorization = `Bearer ${match[1]}`;
  return match[2] as string;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}

/**
 * Gives every request its caller.
 *
 * @throws {GymError} TOKEN_MISSING, TOKEN_INVALID; ORIGIN_REFUSED for a web page that a browser on this machine shows,
 * since on a loopback address being on the machine is the credential, and pages must not borrow it
 */
export function registerAuth(app: FastifyInstance, options: AuthOptions): void {
  app.decorateRequest("caller");
  app.addHook("onRequest", (request, _reply, done) => {
    const { public: isPublic, callerOptional } = request.routeOptions.config;
    try {
      if (!isPublic) request.caller = callerOf(request, options);
      done();
    } catch (error) {
      if (callerOptional && error instanceof GymError) done();
      else done(error as Error);
    }
  });
}

function callerOf(request: FastifyRequest, options: AuthOptions): Caller {
  const { tokens, localToken, required, loopback, localExpert } = options;
  const header = request.headers.authorization;
  if (header === undefined) {
    if (required) throw new GymError("TOKEN_MISSING", "the header `Authorization: Bearer <token>`", "none");
    refuseForeignPages(request, loopback);
    return { owner: localOwner, mayAskExpert: localExpert };
  }
  const secret = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (secret !== undefined && localToken?.matches(secret)) return { owner: localOwner, mayAskExpert: true };
  const token = secret === undefined ? undefined : tokens.find(secret);
  if (!token) throw new GymError("TOKEN_INVALID", "a bearer token of this gym", "another credential");
  return { owner: token.id, mayAskExpert: token.rights.includes("expert") };
}

function refuseForeignPages(request: FastifyRequest, loopback: boolean): void {
  const { origin } = request.headers;
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === request.host)) {
    throw new GymError("ORIGIN_REFUSED", "a page of this server, or a token", `the origin ${shown(origin)}`);
  }
  // A name that an attacker's DNS points at this machine makes a foreign page look like one of ours.
  if (loopback && !isLoopback(request.hostname)) {
    throw new GymError("ORIGIN_REFUSED", "a loopback host name, or a token", `the host ${shown(request.hostname)}`);
  }
}
