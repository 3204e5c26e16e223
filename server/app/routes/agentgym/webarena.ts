/** AgentGym's WebArena server: `agentenv-webarena` of WooooDyy/AgentGym. The same routes also serve the bundled sites. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { TaskRef } from "../../../../envs/env.js";
import { isElsewhere } from "../../../episodes/episode/refusals.js";
import { type AgentgymStep, type AgentgymSurface, unknown, visitorOf } from "./surface.js";
import { type AgentgymServer, answers, PythonInt } from "./wire.js";

const Id = z.looseObject({ env_idx: PythonInt });
const JsonText = z.string();
/**
 * Reply of AgentGym's server to a reset that failed, whatever the reason. AgentGym's client raises a timeout error on
 * this reply.
 */
const failedReset = { observation: "TimeoutError", sites: "Error", object: "Error" };

const CreateBody = z.looseObject({}).meta({ id: "AgentgymWebarenaCreateRequest" });
const ResetBody = Id.extend({ idx: PythonInt, seed: PythonInt.default(0) }).meta({
  id: "AgentgymWebarenaResetRequest",
});
const StepBody = Id.extend({ action: z.string() }).meta({ id: "AgentgymWebarenaStepRequest" });
const CloseBody = Id.extend({}).meta({ id: "AgentgymWebarenaCloseRequest" });
const OpenReply = z.object({ env_idx: z.int() }).meta({ id: "AgentgymWebarenaOpen" });
const ResetReply = z
  .object({
    observation: z.string(),
    sites: z.union([z.array(z.string()), z.literal("Error")]),
    object: z.string().describe("The goal of the task."),
  })
  .meta({ id: "AgentgymWebarenaReset" });
const StepReply = z
  .object({
    observation: z.string(),
    reward: z.number().describe("The score once terminated; 0 before."),
    terminated: z.boolean(),
    truncated: z.literal(false),
    info: z.null(),
  })
  .meta({ id: "AgentgymWebarenaStep" });
const routes = {
  hello: answers("Says that the server runs.", z.string()),
  create: answers("Creates an environment id. It has no task until its first reset.", OpenReply, { body: CreateBody }),
  reset: answers("Resets an environment id to a task.", ResetReply, { body: ResetBody }),
  step: answers("Takes one step.", StepReply, { body: StepBody }),
  observation: answers("Returns the newest observation.", JsonText, { querystring: Id }),
  metadata: answers("Returns metadata of the newest observation: always empty.", z.looseObject({}), {
    querystring: Id,
  }),
  close: answers("Frees an environment id.", z.object({ closed: z.string() }), { body: CloseBody }),
};

function webarenaServer(name: string, environment: string, taskOf: (index: number) => TaskRef): AgentgymServer {
  const surfaceOptions = () => ({ environment, taskOf: (index: number) => ({ task: taskOf(index), seed: 0 }) });
  function register(app: FastifyInstance, surface: AgentgymSurface): void {
    app.get("/", routes.hello, () => JSON.stringify("ok"));
    app.post("/create", routes.create, async ({ caller }) => ({ env_idx: await surface.reserve(caller.owner) }));
    app.post("/reset", routes.reset, async (request, reply) => {
      const { env_idx, idx } = request.body as z.output<typeof ResetBody>;
      try {
        return resetReply(await surface.reset(visitorOf(request, reply), env_idx, idx));
      } catch (error) {
        if (isElsewhere(error)) throw error;
        request.log.warn({ err: error }, "a reset failed");
        return failedReset;
      }
    });
    app.post("/step", routes.step, async ({ body, caller }) => {
      const { env_idx, action } = body as z.output<typeof StepBody>;
      return stepReply(() => surface.step(caller.owner, env_idx, action));
    });
    app.get("/observation", routes.observation, async ({ query, caller }) =>
      JSON.stringify((await surface.observe(caller.owner, (query as z.output<typeof Id>).env_idx)).observation),
    );
    app.get("/observation_metadata", routes.metadata, async ({ query, caller }) => {
      await surface.observe(caller.owner, (query as z.output<typeof Id>).env_idx);
      return {};
    });
    app.post("/close", routes.close, async ({ body, caller }) => {
      const { env_idx } = body as z.output<typeof CloseBody>;
      if (await surface.close(caller.owner, env_idx)) return { closed: "closed" };
      throw unknown(env_idx);
    });
  }

  return { name, surfaceOptions, register, idName: "env_idx" };
}

/** AgentGym's `idx` is the number of a WebArena task. */
export const webarena = webarenaServer("webarena", "webarena@2", (index) => ({ split: "test", index }));

/** Serves the training tasks of the bundled sites to AgentGym's client of WebArena. */
export const webarenaLab = webarenaServer("webarena-lab", "webarena-lab@2", (index) => ({ split: "train", index }));

function resetReply({ observation, info }: AgentgymStep) {
  return { observation, sites: info.sites as string[], object: String(info.intent) };
}

/** As in AgentGym's server, an error is returned as the observation. */
async function stepReply(take: () => Promise<AgentgymStep>) {
  try {
    const { observation, reward, done } = await take();
    return { observation, reward, terminated: done, truncated: false as const, info: null };
  } catch (error) {
    if (isElsewhere(error)) throw error;
    const observation = (error as Error).message;
    return { observation, reward: 0, terminated: false, truncated: false as const, info: null };
  }
}
