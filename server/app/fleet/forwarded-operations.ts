/** Serves the operations that another gym of the fleet forwards, because this gym has the episode. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Caller, Gym } from "../../episodes/gym.js";
import { GymError, shown } from "../../errors.js";
import { type Forwarded, fleetPath, isPeer } from "../../fleet/peers.js";
import { statesHere, statesName } from "../../fleet/states.js";
import { callOf, type Served } from "../../operations/operation.js";
import { operationNamed } from "../../operations/operations.js";
import { clientOf } from "../plugins/http-client.js";

async function statesText(gym: Gym, caller: Caller, { keys }: { keys: readonly number[] }): Promise<string> {
  return JSON.stringify(await statesHere(gym, keys, caller));
}

const Body = z.object({
  caller: z.object({ owner: z.string(), mayAskExpert: z.boolean(), mayReadRuns: z.boolean() }),
  params: z.looseObject({}),
});

/** @param maxBodyBytes limit on the body of a caller's request, which the forwarded body exceeds by some bytes */
export function registerForwarded(app: FastifyInstance, served: Served, maxBodyBytes: number): void {
  const { log } = served.gym;
  app.route<{ Params: { name: string }; Body: Forwarded }>({
    method: "POST",
    url: `${fleetPath}/:name`,
    config: { public: true },
    bodyLimit: 2 * maxBodyBytes,
    schema: { hide: true, body: Body },
    onRequest(request, _reply, done) {
      const isRefused = !isPeer(request.headers.authorization, log.fleet?.secret ?? "");
      done(isRefused ? GymError.ofState("TOKEN_INVALID", "Only gyms of the same fleet use this path.") : undefined);
    },
    handler(request, reply) {
      const { name } = request.params;
      const { caller, params } = request.body;
      if (name === statesName) return statesText(served.gym, caller, params as { keys: readonly number[] });
      const operation = operationNamed(name);
      if (!operation) throw new GymError("ROUTE_UNKNOWN", "the name of an operation", shown(name));
      reply.header("content-type", "application/json; charset=utf-8");
      // The other gym has checked the parameters.
      return operation.run(callOf(served, caller, clientOf(reply)), params as never);
    },
  });
}
