/** AgentGym's TextCraft server: `agentenv-textcraft` of WooooDyy/AgentGym. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Gym } from "../../episodes/gym.js";
import { AgentgymSurface } from "./surface.js";
import { Failure, PythonInt, type Surface } from "./wire.js";

const split = "all";
/** AgentGym's server resets every task with its default seed. */
const seed = 42;

const Id = z.looseObject({ id: PythonInt });
const Step = z.object({ observation: z.string(), reward: z.number(), done: z.boolean() });
const Reset = Step.extend({ id: z.int() });

export const textcraft: Surface = {
  name: "textcraft",
  async register(app: FastifyInstance, gym: Gym) {
    const goals = gym.registry.get("textcraft@1").splits[split]?.size as number;
    const surface = await AgentgymSurface.open(gym, {
      name: "textcraft",
      environment: "textcraft@1",
      // As Python's %, which takes the sign of the divisor.
      taskOf: (dataIndex) => ({ task: { split, index: ((dataIndex % goals) + goals) % goals }, seed }),
    });

    app.get("/", { schema: { response: { 200: z.string() } } }, () => JSON.stringify("This is environment TextCraft."));

    const CreateBody = z.looseObject({ commands: z.string().nullish(), goal: z.string().nullish() });
    app.post("/create", { schema: { body: CreateBody, response: { 200: Reset.or(Failure) } } }, (request) =>
      surface.create(request.caller.owner, (handle) => handle),
    );

    const ResetBody = Id.extend({ data_idx: PythonInt.nullish() });
    app.post("/reset", { schema: { body: ResetBody, response: { 200: Reset.or(Failure) } } }, async (request) => {
      const { id, data_idx } = request.body as z.output<typeof ResetBody>;
      return { id, ...(await surface.reset(request.caller.owner, id, data_idx ?? 0)) };
    });

    const StepBody = Id.extend({ action: z.string() });
    app.post("/step", { schema: { body: StepBody, response: { 200: Step.or(Failure) } } }, (request) => {
      const { id, action } = request.body as z.output<typeof StepBody>;
      return surface.step(request.caller.owner, id, action);
    });

    app.get(
      "/observation",
      { schema: { querystring: Id, response: { 200: z.string().or(Failure) } } },
      async (request) => {
        const { id } = request.query as z.output<typeof Id>;
        return JSON.stringify((await surface.observe(request.caller.owner, id)).observation);
      },
    );

    const Detail = Step.extend({ deleted: z.literal(false) });
    app.get("/detail", { schema: { querystring: Id, response: { 200: Detail.or(Failure) } } }, async (request) => {
      const { id } = request.query as z.output<typeof Id>;
      return { ...(await surface.observe(request.caller.owner, id)), deleted: false as const };
    });

    app.post("/close", { schema: { body: Id, response: { 200: z.boolean() } } }, async (request) => {
      const { id } = request.body as z.output<typeof Id>;
      return JSON.stringify(await surface.close(request.caller.owner, id));
    });
  },
};
