import type { FastifyInstance, FastifyReply } from "fastify";
import type { Logger } from "pino";
import { withoutSecrets } from "../tokens.js";

const slowMs = 1_000;

/**
 * One line for each request that someone may have to look into: failed ones as warnings, slow ones as information. The
 * rest, which are tens of thousands a second, only at `debug`. Bodies and credentials are never logged.
 */
export function registerRequestLog(app: FastifyInstance): void {
  const logger = app.log as Partial<Logger>;
  const enabled = (level: string) => logger.isLevelEnabled?.(level) ?? false;
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const level = levelOf(reply);
    if (!enabled(level)) return;
    const { method, ip } = request;
    // A token in the path is moved out of it, but not out of a path that was written wrongly.
    const url = withoutSecrets(request.url);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log[level]({ method, url, ip, caller: request.caller?.owner, status: reply.statusCode, ms }, "request");
  });
}

function levelOf(reply: FastifyReply): "warn" | "info" | "debug" {
  if (reply.statusCode >= 500) return "warn";
  return reply.elapsedTime > slowMs || reply.statusCode >= 400 ? "info" : "debug";
}
