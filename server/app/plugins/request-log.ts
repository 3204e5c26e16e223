import type { FastifyInstance, FastifyReply } from "fastify";
import type { Logger } from "pino";
import { textWithoutSecrets } from "../../formats/secrets.js";

const slowMs = 1_000;

/**
 * Logs one line per request. Server errors are warnings. Slow requests and client errors are logged at level `info`.
 * All other requests, tens of thousands per second, are logged at level `debug`. Bodies and credentials are never
 * logged.
 */
export function registerRequestLog(app: FastifyInstance): void {
  const logger = app.log as Partial<Logger>;
  const enabled = (level: string) => logger.isLevelEnabled?.(level) ?? false;
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const level = levelOf(reply, request.routeOptions.config.isStream ?? false);
    if (!enabled(level)) return;
    const { method, ip } = request;
    // `tokenFromPath` removes a token from a well-formed path only.
    const url = textWithoutSecrets(request.url);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log[level]({ method, url, ip, caller: request.caller?.owner, status: reply.statusCode, ms }, "request");
  });
}

function levelOf(reply: FastifyReply, isStream: boolean): "warn" | "info" | "debug" {
  if (reply.statusCode >= 500) return "warn";
  const isSlow = !isStream && reply.elapsedTime > slowMs;
  return isSlow || reply.statusCode >= 400 ? "info" : "debug";
}
