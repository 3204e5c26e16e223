/** AgentGym's SearchQA server: `agentenv-searchqa` of WooooDyy/AgentGym. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Gym } from "../../../episodes/gym.js";
import { type AgentgymSurface, type SurfaceOptions, visitorOf } from "./surface.js";
import { type AgentgymServer, answers, PythonInt } from "./wire.js";

const Id = z.looseObject({ env_idx: PythonInt });
const JsonText = z.string();
const CreateBody = z.looseObject({ id: PythonInt }).meta({ id: "AgentgymSearchqaCreateRequest" });
const ResetBody = Id.extend({ id: PythonInt }).meta({ id: "AgentgymSearchqaResetRequest" });
const StepBody = Id.extend({ action: z.string() }).meta({ id: "AgentgymSearchqaStepRequest" });
const CloseBody = Id.extend({}).meta({ id: "AgentgymSearchqaCloseRequest" });
const StepReply = z
  .object({ observation: z.string(), reward: z.number(), done: z.boolean(), info: z.null() })
  .meta({ id: "AgentgymSearchqaStep" });
const routes = {
  hello: answers("Says that the server runs.", z.string()),
  create: answers("Creates an environment id with the question of this number.", z.int(), { body: CreateBody }),
  reset: answers("Resets an environment id to a question, and returns the prompt.", JsonText, { body: ResetBody }),
  step: answers("Takes one step.", StepReply, { body: StepBody }),
  observation: answers("Returns the prompt with the question.", JsonText, { querystring: Id }),
  close: answers("Frees an environment id.", z.boolean(), { body: CloseBody }),
};

const environment = "searchqa@1";

function surfaceOptions(gym: Gym): Omit<SurfaceOptions, "name"> {
  // AgentGym's own questions are not part of the gym. The split `agentgym` exists once `palestra setup` has fetched them.
  const split = "agentgym" in gym.registry.get(environment).splits ? "agentgym" : "bundled";
  return { environment, taskOf: (index) => ({ task: { split, index }, seed: 0 }) };
}

function register(app: FastifyInstance, surface: AgentgymSurface): void {
  app.get("/", routes.hello, () => JSON.stringify("ok"));
  app.post("/create", routes.create, async (request, reply) => {
    const { id } = request.body as z.output<typeof CreateBody>;
    return JSON.stringify((await surface.create(visitorOf(request, reply), () => id)).id);
  });
  app.post("/reset", routes.reset, async (request, reply) => {
    const { env_idx, id } = request.body as z.output<typeof ResetBody>;
    return JSON.stringify((await surface.reset(visitorOf(request, reply), env_idx, id)).observation);
  });
  app.post("/step", routes.step, async ({ body, caller }) => {
    const { env_idx, action } = body as z.output<typeof StepBody>;
    const { observation, reward, done } = await surface.step(caller.owner, env_idx, action);
    return { observation, reward, done, info: null };
  });
  app.get("/observation", routes.observation, async ({ query, caller }) =>
    JSON.stringify(await surface.firstObservation(caller.owner, (query as z.output<typeof Id>).env_idx)),
  );
  app.post("/close", routes.close, async ({ body, caller }) =>
    JSON.stringify(await surface.close(caller.owner, (body as z.output<typeof CloseBody>).env_idx)),
  );
}

export const searchqa: AgentgymServer = {
  name: "searchqa",
  surfaceOptions,
  register,
  idName: "env_idx",
  failureStatus: 500,
};
