import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Gym } from "../episodes/gym.js";

const Status = z.object({ status: z.enum(["ok", "not ready"]), detail: z.string() }).meta({ id: "Health" });

/** `/livez`: the process answers. `/readyz`: it takes new work. */
export function registerHealth(app: FastifyInstance, gym: Gym): void {
  const config = { public: true };
  const live = { tags: ["health"], summary: "Whether the process answers.", response: { 200: Status } };
  app.get("/livez", { config, schema: live }, () => ({ status: "ok", detail: "alive" }));

  const ready = { tags: ["health"], summary: "Whether it takes new work.", response: { 200: Status, 503: Status } };
  app.get("/readyz", { config, schema: ready }, (_request, reply) => {
    const { draining, logHealthy, readyHosts } = gym.status;
    if (draining) return reply.status(503).send({ status: "not ready", detail: "shutting down" });
    if (!logHealthy) return reply.status(503).send({ status: "not ready", detail: "the episode log has failed" });
    if (readyHosts === 0) return reply.status(503).send({ status: "not ready", detail: "no host is ready" });
    return reply.send({ status: "ok", detail: `${readyHosts} hosts` });
  });
}
