/** AgentGym's TextCraft server: `agentenv-textcraft` of WooooDyy/AgentGym. */
import { z } from "zod";
import type { TaskSplit } from "../../../../envs/env.js";
import { type AgentgymStep, visitorOf } from "./surface.js";
import { type AgentgymServer, answers, PythonInt } from "./wire.js";

const split = "all";
/** Seed of every task, because AgentGym's server resets tasks with its default seed. */
const seed = 42;

const IdQuery = z.looseObject({ id: PythonInt });
const CreateBody = z
  .looseObject({ commands: z.string().nullish(), goal: z.string().nullish() })
  .meta({ id: "AgentgymTextcraftCreateRequest" });
const ResetBody = IdQuery.extend({ data_idx: PythonInt.nullish() }).meta({ id: "AgentgymTextcraftResetRequest" });
const StepBody = IdQuery.extend({ action: z.string() }).meta({ id: "AgentgymTextcraftStepRequest" });
const CloseBody = IdQuery.extend({}).meta({ id: "AgentgymTextcraftCloseRequest" });

const Step = z.object({ observation: z.string(), reward: z.number(), done: z.boolean() });
const StepReply = Step.meta({ id: "AgentgymTextcraftStep" });
const OpenReply = Step.extend({ id: z.int() }).meta({ id: "AgentgymTextcraftOpen" });
const DetailReply = Step.extend({ deleted: z.literal(false) }).meta({ id: "AgentgymTextcraftDetail" });

function stepReply({ observation, reward, done }: AgentgymStep) {
  return { observation, reward, done };
}

const environment = "textcraft@1";

export const textcraft: AgentgymServer = {
  name: "textcraft",
  surfaceOptions(gym) {
    const goals = gym.registry.get(environment).splits[split] as TaskSplit;
    return {
      environment,
      // Computes Python's `%`, which takes the sign of the divisor.
      taskOf(dataIndex) {
        const { size } = goals;
        return { task: { split, index: ((dataIndex % size) + size) % size }, seed };
      },
    };
  },
  register(app, surface) {
    app.get("/", answers("Says which environment this is.", z.string()), () =>
      JSON.stringify("This is environment TextCraft."),
    );

    const create = answers("Creates an environment id with the task of the same number.", OpenReply, {
      body: CreateBody,
    });
    app.post("/create", create, async (request, reply) => {
      const { id, ...step } = await surface.create(visitorOf(request, reply), (id) => id);
      return { id, ...stepReply(step) };
    });

    const reset = answers("Resets an environment id to a task.", OpenReply, { body: ResetBody });
    app.post("/reset", reset, async (request, reply) => {
      const { id, data_idx } = request.body as z.output<typeof ResetBody>;
      return { id, ...stepReply(await surface.reset(visitorOf(request, reply), id, data_idx ?? 0)) };
    });

    app.post("/step", answers("Takes one step.", StepReply, { body: StepBody }), async (request) => {
      const { id, action } = request.body as z.output<typeof StepBody>;
      return stepReply(await surface.step(request.caller.owner, id, action));
    });

    const observation = answers("Returns the newest observation.", z.string(), { querystring: IdQuery });
    app.get("/observation", observation, async (request) => {
      const { id } = request.query as z.output<typeof IdQuery>;
      return JSON.stringify((await surface.observe(request.caller.owner, id)).observation);
    });

    const detail = answers("Returns the newest observation, reward and end.", DetailReply, { querystring: IdQuery });
    app.get("/detail", detail, async (request) => {
      const { id } = request.query as z.output<typeof IdQuery>;
      return { ...stepReply(await surface.observe(request.caller.owner, id)), deleted: false as const };
    });

    const close = answers("Frees an environment id, and returns whether it existed.", z.boolean(), { body: CloseBody });
    app.post("/close", close, async (request) => {
      const { id } = request.body as z.output<typeof CloseBody>;
      return JSON.stringify(await surface.close(request.caller.owner, id));
    });
  },
};
