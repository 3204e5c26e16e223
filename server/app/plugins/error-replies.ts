import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { GymError, shortened, shown } from "../../errors.js";
import type { SchemaIssue } from "../validation.js";

/** Converts every failure of a request to an error of the error table. */
export function registerErrorReplies(app: FastifyInstance, onError: (error: GymError) => void): void {
  const methods = new AllowedMethods();
  app.addHook("onRoute", ({ url, method, prefix }) => methods.add(url, method, prefix));

  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const error = unknownRoute(request, methods);
    onError(error);
    if (error.code === "METHOD_NOT_ALLOWED") reply.header("allow", methods.of(request.url).join(", "));
    return reply.status(error.status).send({ error: error.toBody() });
  };
  app.setNotFoundHandler(answerUnknown);

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const gymError = toGymError(error, request);
    if (gymError.code === "SERVER_FAULT") request.log.error({ err: error }, "fault in the gym");
    // The error for an unknown path has priority over a fault in the body or headers.
    else if (request.is404 && !(error instanceof GymError)) return answerUnknown(request, reply);
    onError(gymError);
    return reply.status(gymError.status).send({ error: gymError.toBody() });
  });
}

/** Limit on the characters of a path parameter that the router accepts. The schemas allow fewer characters. */
export const longestPathPart = 500;

/** Answers a request whose path the router cannot decode. Such a request reaches no route, hook or error handler. */
export function refusePath(request: FastifyRequest, reply: FastifyReply, onError: (error: GymError) => void): void {
  const expected = `a path that can be decoded, with no part over ${longestPathPart} characters`;
  const error = new GymError("REQUEST_INVALID", expected, shown(request.url));
  onError(error);
  reply.status(error.status).send({ error: error.toBody() });
}

/**
 * Converts any error to an error of the table. Fastify's errors about a request become errors with the class `action`.
 * An error of unknown origin becomes SERVER_FAULT.
 *
 * @param request request that caused the error, for the message
 */
export function toGymError(error: FastifyError | Error, request?: FastifyRequest): GymError {
  if (error instanceof GymError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return invalid(error.validationContext, error.validation);
  const { code, statusCode = 500, message } = error as FastifyError;
  switch (code) {
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new GymError("REQUEST_MALFORMED", "a body as long as its Content-Length", "a different length");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new GymError("REQUEST_TOO_LARGE", `a body of at most ${bodyLimit(request)}`, bodyLength(request));
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new GymError("REQUEST_MEDIA_TYPE", "the content type application/json", mediaType(request));
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new GymError("REQUEST_INVALID", "a well-formed request", shortened(message, longestReason));
  }
  return GymError.ofState("SERVER_FAULT", "The gym itself has a bug. The details are in its log.");
}

interface Listeners {
  log: Pick<FastifyRequest["log"], "error">;
  onError(error: GymError): void;
}

/** Converts an error as `toGymError` does, reports it to `onError`, and logs it if the gym has a bug. */
export function reported(error: Error, { log, onError }: Listeners, request?: FastifyRequest): GymError {
  const gymError = toGymError(error, request);
  if (gymError.code === "SERVER_FAULT") log.error({ err: error }, "fault in the gym");
  onError(gymError);
  return gymError;
}

const longestReason = 200;

function bodyLimit(request: FastifyRequest | undefined): string {
  const limit = request?.routeOptions.bodyLimit;
  return limit === undefined ? "`maxBodyBytes`" : `${limit} bytes`;
}

function bodyLength(request: FastifyRequest | undefined): string {
  const length = request?.headers["content-length"];
  // A chunked body does not state its length.
  return length === undefined ? "a longer body" : `${shortened(length, longestReason)} bytes`;
}

function mediaType(request: FastifyRequest | undefined): string {
  if (request === undefined) return "an unknown type";
  const type = request.headers["content-type"];
  return type === undefined ? "none" : shown(type);
}

/**
 * @param where part of the request: `body`, `params`, `querystring`, `headers` or `frame`
 * @param issues result of `boundedIssues`
 */
export function invalid(where: string | undefined, issues: readonly SchemaIssue[]): GymError {
  const found = issues.map(({ instancePath, message }) => ({
    path: instancePath.replace(/^\//, "").replaceAll("/", "."),
    message: message ?? "does not fit",
  }));
  const received = found.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
  return new GymError("REQUEST_INVALID", `a ${where ?? "request"} that fits its schema`, received, { issues: found });
}

function unknownRoute(request: FastifyRequest, methods: AllowedMethods): GymError {
  const allowed = methods.of(request.url);
  if (allowed.length > 0) return new GymError("METHOD_NOT_ALLOWED", allowed.join(" or "), request.method);
  return new GymError("ROUTE_UNKNOWN", "a path that /openapi.json lists", shown(request.url));
}

/** HTTP methods of each path, to distinguish a wrong method from a wrong path. */
class AllowedMethods {
  private readonly routes: { pattern: RegExp; methods: string[] }[] = [];

  add(url: string, method: string | string[], prefix: string): void {
    // The root of a prefix is served with and without a trailing slash.
    const end = url === prefix && url !== "" ? "/?$" : "$";
    const pattern = new RegExp(`^${url.replace(/:[A-Za-z]+/g, "[^/]+").replace(/\*/g, ".*")}${end}`);
    this.routes.push({ pattern, methods: [method].flat() });
  }

  of(url: string): string[] {
    const path = url.split("?", 1)[0] as string;
    return [...new Set(this.routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
  }
}
