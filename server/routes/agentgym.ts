import type { FastifyError, FastifyInstance } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import type { Gym } from "../episodes/gym.js";
import type { ErrorCode, GymError } from "../errors.js";
import { toGymError } from "../plugins/error-replies.js";
import { AgentgymError } from "./agentgym/surface.js";
import { textcraft } from "./agentgym/textcraft.js";
import type { Surface } from "./agentgym/wire.js";

/** One line for each of AgentGym's servers. */
const surfaces: readonly Surface[] = [textcraft];

/** Failures of the request itself, which keep their status; every other one is a domain error, status 200. */
const requestErrors: readonly ErrorCode[] = [
  "TOKEN_MISSING",
  "TOKEN_INVALID",
  "ORIGIN_REFUSED",
  "REQUEST_TOO_LARGE",
  "REQUEST_MEDIA_TYPE",
  "SERVER_FAULT",
];

/** AgentGym's servers behind one prefix each, for its clients unchanged. */
export async function registerAgentgym(
  app: FastifyInstance,
  gym: Gym,
  onError: (error: GymError) => void,
): Promise<void> {
  for (const surface of surfaces) {
    await app.register(
      async (scope) => {
        scope.addHook("onRoute", (route) => {
          route.schema = { ...route.schema, tags: ["agentgym"] };
        });
        scope.addHook("preValidation", async (request) => {
          if (request.method === "POST") request.body ??= {};
        });
        scope.addHook("onSend", async (_request, reply) => {
          reply.header("content-type", "application/json");
        });
        scope.setErrorHandler((error: FastifyError, request, reply) => {
          if (error instanceof AgentgymError) return reply.status(200).send({ error: error.message });
          if (hasZodFastifySchemaValidationErrors(error)) return reply.status(422).send(validationDetail(error));
          const gymError = toGymError(error);
          onError(gymError);
          if (gymError.code === "REQUEST_MALFORMED") return reply.status(422).send(malformedDetail(gymError));
          if (gymError.code === "SERVER_FAULT") request.log.error({ err: error }, "fault in the gym");
          const status = requestErrors.includes(gymError.code) ? gymError.status : 200;
          return reply.status(status).send({ error: gymError.message });
        });
        await surface.register(scope, gym);
      },
      { prefix: `/agentgym/${surface.name}` },
    );
  }
}

/** FastAPI's reply to a body that does not validate. */
function validationDetail(error: FastifyError) {
  const place = error.validationContext === "querystring" ? "query" : (error.validationContext ?? "body");
  const detail = (error.validation ?? []).map(({ instancePath, message, keyword }) => ({
    type: keyword,
    loc: [place, ...instancePath.split("/").filter((part) => part !== "")],
    msg: message,
  }));
  return { detail };
}

function malformedDetail(error: GymError) {
  return { detail: [{ type: "json_invalid", loc: ["body"], msg: error.message }] };
}
