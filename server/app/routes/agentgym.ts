import type { FastifyError, FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import type { Gym } from "../../episodes/gym.js";
import type { ErrorCode, GymError } from "../../errors.js";
import { tellAbout } from "../plugins/about-requests.js";
import { toGymError } from "../plugins/error-replies.js";
import { babyai } from "./agentgym/babyai.js";
import { sciworld } from "./agentgym/sciworld.js";
import { searchqa } from "./agentgym/searchqa.js";
import { AgentgymError, AgentgymSurface } from "./agentgym/surface.js";
import { textcraft } from "./agentgym/textcraft.js";
import { webarena, webarenaLab } from "./agentgym/webarena.js";
import { type AgentgymServer, Failure, ValidationFailure } from "./agentgym/wire.js";

const servers: readonly AgentgymServer[] = [textcraft, babyai, sciworld, webarena, webarenaLab, searchqa];

/** Errors of the request itself, which are sent with their own status. All other errors are sent as domain errors. */
const requestErrors: readonly ErrorCode[] = [
  "TOKEN_MISSING",
  "TOKEN_INVALID",
  "TOKEN_EXPIRED",
  "ORIGIN_REFUSED",
  "REQUEST_TOO_LARGE",
  "REQUEST_MEDIA_TYPE",
  "SERVER_FAULT",
  "EPISODE_ELSEWHERE",
];

/** Serves each of AgentGym's servers under its own prefix. AgentGym's clients work unchanged. */
export async function registerAgentgym(
  app: FastifyInstance,
  gym: Gym,
  onError: (error: GymError) => void,
): Promise<void> {
  for (const server of servers) {
    await app.register(
      async (scope) => {
        scope.addHook("onRoute", (route) => document(server, route));
        scope.addHook("preValidation", async (request) => {
          if (request.method === "POST" && request.body === undefined) request.body = {};
        });
        scope.addHook("onSend", async (_request, reply) => {
          reply.header("content-type", "application/json");
        });
        scope.setErrorHandler((error: FastifyError, request, reply) => {
          const { failureStatus = 200 } = server;
          if (error instanceof AgentgymError) return reply.status(failureStatus).send({ error: error.message });
          if (hasZodFastifySchemaValidationErrors(error)) return reply.status(422).send(validationDetail(error));
          const gymError = toGymError(error, request);
          onError(gymError);
          if (gymError.code === "REQUEST_MALFORMED") return reply.status(422).send(malformedDetail(gymError));
          if (gymError.code === "SERVER_FAULT") request.log.error({ err: error }, "fault in the gym");
          const status = requestErrors.includes(gymError.code) ? gymError.status : failureStatus;
          return reply.status(status).send({ error: gymError.message });
        });
        tellAbout(scope, { keyOf: (request) => keyIn(server, request), mayRepeat });
        const { name } = server;
        const surface = await AgentgymSurface.open(gym, { name, ...server.surfaceOptions(gym) });
        scope.addHook("onClose", async () => surface.stop());
        server.register(scope, surface);
      },
      { prefix: `/agentgym/${server.name}` },
    );
  }
}

/** Returns the environment id that a request names, which is the key of its session. */
function keyIn({ idName = "id" }: AgentgymServer, { body, query, routeOptions }: FastifyRequest): number | null {
  if (routeOptions.url?.endsWith("/create")) return null;
  const { [idName]: id } = { ...(query as object), ...(body as object | undefined) } as Record<string, unknown>;
  return Number.isSafeInteger(id) && (id as number) >= 0 ? (id as number) : null;
}

/** Steps have no numbers in this protocol. */
function mayRepeat({ routeOptions }: FastifyRequest): boolean {
  return !/\/step(_visual)?$/.test(routeOptions.url ?? "");
}

/** Adds the parts of the OpenAPI document that all of AgentGym's routes share. */
function document({ name }: AgentgymServer, route: RouteOptions & { routePath: string }): void {
  const words = ["agentgym", ...name.split("-"), ...(route.routePath.slice(1) || "hello").split("_")];
  const operationId = words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
  const response = { ...(route.schema?.response as object), ...refusals };
  route.schema = { ...route.schema, tags: ["agentgym"], operationId, response };
}

const refusals = {
  401: Failure.describe("TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED"),
  403: Failure.describe("ORIGIN_REFUSED"),
  413: Failure.describe("REQUEST_TOO_LARGE"),
  415: Failure.describe("REQUEST_MEDIA_TYPE"),
  422: ValidationFailure.describe("The body or query is not JSON or does not fit its schema."),
  500: Failure.describe("SERVER_FAULT"),
  503: Failure.describe("EPISODE_ELSEWHERE"),
};

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
