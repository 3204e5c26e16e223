import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Gym } from "../../episodes/gym.js";
import { counted } from "../../formats/counted.js";

const Status = z.object({ status: z.enum(["ok", "not ready"]), detail: z.string() }).meta({ id: "Health" });

/**
 * Health checks. `/livez` reports that the process answers. `/readyz` reports whether the gym accepts new work. Everybody
 * may ask, but only callers with a token get the texts of errors, which may contain paths and sizes.
 */
export function registerHealth(app: FastifyInstance, gym: Pick<Gym, "status">): void {
  const yes = Status.describe("Yes.");
  const no = Status.describe(
    "No. `detail` names the part that is not ready and, for a caller with a token, its error.",
  );
  const common = { tags: ["health"], security: [] };
  const live = { ...common, operationId: "livez", summary: "Whether the process answers.", response: { 200: yes } };
  app.get("/livez", { config: { public: true }, schema: live }, () => ({ status: "ok", detail: "alive" }));

  const readiness = {
    operationId: "readyz",
    summary: "Whether the gym takes new work.",
    response: { 200: yes, 503: no },
  };
  const ready = { ...common, ...readiness };
  app.get("/readyz", { config: { callerOptional: true }, schema: ready }, (request, reply) => {
    const unready = unreadyPart(gym.status);
    if (unready !== null) {
      const { part, error } = unready;
      const detail = error !== undefined && hasToken(request) ? `${part}: ${error}` : part;
      return reply.status(503).send({ status: "not ready", detail });
    }
    const { readyHosts, logDurability } = gym.status;
    const log = logDurability ? `, ${logDurability} log` : "";
    return reply.send({ status: "ok", detail: `${counted(readyHosts, "host")}${log}` });
  });
}

/** Returns the part of the gym because of which it takes no new work, and the part's error, or null if it takes work. */
function unreadyPart(status: Gym["status"]): { part: string; error?: string } | null {
  const { draining, isMember, isInFleet, logHealthy, logFailure, refusal, readyHosts, lacksStandby } = status;
  if (draining) return { part: "shutting down" };
  if (!logHealthy) return { part: "the episode log has failed" };
  if (!isMember) return { part: "the database of the fleet cannot be reached" };
  if (logFailure !== null) return { part: "the episode log cannot be written", error: logFailure };
  if (readyHosts === 0) return { part: "no host is ready" };
  // All gyms of a fleet have the same log. If none were ready, a balancer would not pass on the steps of running episodes.
  if (isInFleet) return null;
  if (lacksStandby) return { part: "the database has no synchronous standby" };
  if (!refusal) return null;
  if (refusal.code === "DISK_LOW") return { part: "the episode log's disk has little space", error: refusal.message };
  return { part: "the episode log has reached its limit", error: refusal.message };
}

/** Whether the request has a valid token. A gym on a loopback address also has callers without a token. */
function hasToken({ caller, headers }: FastifyRequest): boolean {
  return caller !== undefined && headers.authorization !== undefined;
}
