import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Gym } from "../../../episodes/gym.js";
import type { AgentgymSurface, SurfaceOptions } from "./surface.js";

/** One of AgentGym's servers, under `/agentgym/<name>`. */
export interface AgentgymServer {
  name: string;
  surfaceOptions(gym: Gym): Omit<SurfaceOptions, "name">;
  register(app: FastifyInstance, surface: AgentgymSurface): void;
  /** Name of the environment id in requests. Default: `id`. */
  idName?: string;
  /** Status of domain errors. Default: 200. */
  failureStatus?: number;
}

/** Accepts the values that pydantic accepts as an `int`: integers, and text that contains an integer. */
export const PythonInt = z.union(
  [
    z.int(),
    z
      .string()
      .regex(/^[+-]?[0-9]{1,15}$/)
      .transform(Number),
  ],
  { error: "Input should be a valid integer" },
);

/** Domain error of AgentGym's servers for text environments, with status 200. */
export const Failure = z.object({ error: z.string() }).meta({ id: "AgentgymFailure" });

/** FastAPI's reply to an invalid body or query, with status 422. */
export const ValidationFailure = z
  .object({ detail: z.array(z.object({ type: z.string(), loc: z.array(z.string()), msg: z.string() })) })
  .meta({ id: "AgentgymValidationFailure" });

/** Schema of a route. Each reply may be a domain error instead, as in AgentGym. */
export function answers(summary: string, reply: z.ZodType, takes: { body?: z.ZodType; querystring?: z.ZodType } = {}) {
  return {
    schema: {
      summary,
      ...takes,
      response: { 200: reply.or(Failure).describe("The result, or a domain error `{error: message}`.") },
    },
  };
}
