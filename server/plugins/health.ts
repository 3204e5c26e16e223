import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Gym } from "../episodes/gym.js";

const Status = z.object({ status: z.enum(["ok", "not ready"]), detail: z.string() }).meta({ id: "Health" });

/** Health checks. `/livez` reports that the process answers. `/readyz` reports whether the gym accepts new work. */
export function registerHealth(app: FastifyInstance, gym: Gym): void {
  const config = { public: true };
  const yes = Status.describe("Yes.");
  const no = Status.describe("No. `detail` says why.");
  const common = { tags: ["health"], security: [] };
  const live = { ...common, operationId: "livez", summary: "Whether the process answers.", response: { 200: yes } };
  app.get("/livez", { config, schema: live }, () => ({ status: "ok", detail: "alive" }));

  const readiness = {
    operationId: "readyz",
    summary: "Whether the gym takes new work.",
    response: { 200: yes, 503: no },
  };
  const ready = { ...common, ...readiness };
  app.get("/readyz", { config, schema: ready }, (_request, reply) => {
    const detail = unready(gym.status);
    if (detail !== null) return reply.status(503).send({ status: "not ready", detail });
    return reply.send({ status: "ok", detail: `${gym.status.readyHosts} hosts` });
  });
}

/** Returns why the gym takes no new work, or null if it does. */
function unready({ draining, logHealthy, logFailure, refusal, readyHosts }: Gym["status"]): string | null {
  if (draining) return "shutting down";
  if (!logHealthy) return "the episode log has failed";
  if (logFailure !== null) return `the episode log cannot be written: ${logFailure}`;
  if (refusal) return `new episodes are refused: ${refusal.message}`;
  return readyHosts === 0 ? "no host is ready" : null;
}
