import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../../episodes/gym.js";
import { GymError, shown } from "../../errors.js";
import { isLoopback } from "../../formats/loopback.js";
import type { Token, Tokens } from "../../tokens/token-records.js";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Whether the reply is a stream, which takes as long as the client listens. */
    isStream?: boolean;
    /** Whether the route needs no token, even if the server does not listen on a loopback address. */
    public?: boolean;
    /**
     * Whether the route answers every caller. For a caller that other routes would refuse, `request.caller` is
     * undefined.
     */
    callerOptional?: boolean;
  }
}

export interface AuthOptions {
  tokens: Pick<Tokens, "find" | "lookUp">;
  /**
   * Token of the user who runs the gym. A caller with this token owns the episodes of callers without a token, and has all
   * rights.
   */
  localToken?: { matches(secret: string): boolean } | undefined;
  /** Whether every caller needs a token. */
  required: boolean;
  /** Whether the server listens on a loopback address. */
  loopback: boolean;
  /** Whether callers without a token may request the expert's advice. */
  localExpert: boolean;
  /** Returns the caller of a request that another gym has passed on, or undefined for a request of a client. */
  passedCaller?: ((request: FastifyRequest) => Caller | undefined) | undefined;
}

/** Owner of episodes that are created without a token. */
export const localOwner = "local";

const pathToken = /^\/t\/([^/?]+)(.*)$/s;

/**
 * Moves a token from the path or the header `X-API-Key` into the header `Authorization`, before routing and logging.
 * Clients that cannot send headers, such as AgentGym's, call `/t/<token>/agentgym/textcraft`. Clients of the Open Reward
 * Standard send `X-API-Key`, which is empty if the user has no token.
 */
export function tokenFromPath(request: IncomingMessage): string {
  const url = request.url ?? "/";
  const match = pathToken.exec(url);
  const { "x-api-key": key } = request.headers;
  if (key) request.headers.authorization ??= `Bearer ${key}`;
  if (!match) return url;
  request.headers.authorization = `Bearer ${match[1]}`;
  const rest = match[2] as string;
  // Without a path after it, the token would stay in the URL, and so come into the log and into errors.
  return rest.startsWith("/") ? rest : `/t${rest}`;
}

/**
 * Sets `request.caller` on every request, or refuses it with TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED or
 * ORIGIN_REFUSED.
 *
 * If the server listens on a loopback address, callers need no token. This must not help foreign web pages in a browser
 * on this machine, so their requests are refused with ORIGIN_REFUSED.
 */
export function registerAuth(app: FastifyInstance, options: AuthOptions): void {
  app.decorateRequest("caller");
  app.addHook("onRequest", (request, _reply, done) => {
    const { public: isPublic, callerOptional } = request.routeOptions.config;
    const refuse = (error: unknown) => {
      const isRefusal = error instanceof GymError && error.code !== "REQUEST_MALFORMED";
      if (callerOptional && isRefusal) done();
      else done(error as Error);
    };
    const admit = (caller: Caller) => {
      request.caller = caller;
      done();
    };
    try {
      expectOneHost(request.raw);
      const passed = options.passedCaller?.(request);
      if (isPublic) done();
      else admit(passed ?? callerOf(request, options));
    } catch (error) {
      const isUnknown = error instanceof GymError && error.code === "TOKEN_INVALID";
      const lookedUp = isUnknown ? options.tokens.lookUp?.(secretOf(request) ?? "") : undefined;
      if (!lookedUp) return refuse(error);
      lookedUp.then(() => callerOf(request, options)).then(admit, refuse);
    }
  });
}

function secretOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

/**
 * A proxy in front of the gym could use another of several `Host` headers than the gym does (RFC 9112, section 3.2).
 *
 * @throws {GymError} REQUEST_MALFORMED
 */
function expectOneHost({ rawHeaders = [] }: Partial<IncomingMessage>): void {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i] as string)) hosts += 1;
  if (hosts > 1) throw new GymError("REQUEST_MALFORMED", "one `Host` header", `${hosts} of them`);
}

/** Compares the length first, since each header of each request is compared. */
function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === "host";
}

function callerOf(request: FastifyRequest, options: AuthOptions): Caller {
  const { tokens, localToken, required, loopback, localExpert } = options;
  const header = request.headers.authorization;
  if (header === undefined) {
    if (required) throw new GymError("TOKEN_MISSING", "the header `Authorization: Bearer <token>`", "no such header");
    refuseForeignPages(request, loopback);
    return { owner: localOwner, mayAskExpert: localExpert, mayReadRuns: true };
  }
  const secret = secretOf(request);
  if (secret !== undefined && localToken?.matches(secret))
    return { owner: localOwner, mayAskExpert: true, mayReadRuns: true };
  const token = secret === undefined ? undefined : tokens.find(secret);
  if (!token)
    throw new GymError("TOKEN_INVALID", "a valid bearer token of this gym", "an unknown or revoked credential");
  const expiry = expiryOf(token);
  if (expiry) throw expiry;
  const { id: owner, rights } = token;
  return { owner, mayAskExpert: rights.includes("expert"), mayReadRuns: rights.includes("runs") };
}

/**
 * Returns the error for a further request on a socket, or null. A socket can outlive the token with which it was opened.
 *
 * @param owner owner of the episodes of the socket's caller
 */
export function refusalOfOwner(tokens: Pick<Tokens, "findById">, owner: string): GymError | null {
  if (owner === localOwner) return null;
  const token = tokens.findById(owner);
  if (token) return expiryOf(token);
  return GymError.ofState("TOKEN_INVALID", "The bearer token of the socket was revoked.");
}

/**
 * Returns the error for a token that has expired, or null. The time is read from the wall clock at every call. If the
 * clock is set back, a token is valid until the clock reaches its expiry again.
 */
function expiryOf({ expiresAt }: Token): GymError | null {
  if (expiresAt === undefined || Date.now() < Date.parse(expiresAt)) return null;
  return GymError.ofState("TOKEN_EXPIRED", `The bearer token expired at ${expiresAt}.`);
}

function refuseForeignPages(request: FastifyRequest, loopback: boolean): void {
  const { origin } = request.headers;
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === request.host)) {
    throw new GymError("ORIGIN_REFUSED", "a page of this server, or a token", `the origin ${shown(origin)}`);
  }
  // Browsers send no origin with a GET request for a picture, a script or a frame. A link to the gym may be followed from any
  // page, which then cannot read the reply.
  const { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest = "document" } = request.headers;
  const isLink = mode === "navigate" && dest === "document";
  if ((site === "cross-site" || site === "same-site") && !isLink) {
    throw new GymError("ORIGIN_REFUSED", "a page of this server, or a token", `a request of a ${site} page`);
  }
  // DNS rebinding: an attacker's host name that resolves to this machine makes a foreign page look like ours.
  if (loopback && !isLoopback(request.hostname)) {
    throw new GymError("ORIGIN_REFUSED", "a loopback host name, or a token", `the host ${shown(request.hostname)}`);
  }
}
