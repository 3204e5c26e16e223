/** AgentGym's BabyAI server: `agentenv-babyai` of WooooDyy/AgentGym. */
import { z } from "zod";
import { type AgentgymStep, finished, visitorOf } from "./surface.js";
import { type AgentgymServer, answers, PythonInt } from "./wire.js";

const split = "agentgym";

const Id = z.looseObject({ id: PythonInt });
const CreateBody = z.looseObject({}).meta({ id: "AgentgymBabyaiCreateRequest" });
const ResetBody = Id.extend({ data_idx: PythonInt }).meta({ id: "AgentgymBabyaiResetRequest" });
const StepBody = Id.extend({ action: z.string() }).meta({ id: "AgentgymBabyaiStepRequest" });
const CloseBody = Id.extend({}).meta({ id: "AgentgymBabyaiCloseRequest" });
const RenderBody = Id.extend({}).meta({ id: "AgentgymBabyaiRenderRequest" });

const OpenReply = z.object({ id: z.int() }).meta({ id: "AgentgymBabyaiOpen" });
const Step = z.object({
  observation: z.string(),
  reward: z.number(),
  score: z.number().describe("Sum of all rewards. AgentGym's client uses it as the reward."),
  done: z.boolean(),
});
const StepReply = Step.meta({ id: "AgentgymBabyaiStep" });
const DetailReply = Step.extend({ deleted: z.literal(false) }).meta({ id: "AgentgymBabyaiDetail" });

const routes = {
  hello: answers("Says which environment this is.", z.string()),
  create: answers("Creates an environment id. It plays the task of the same number until its first reset.", OpenReply, {
    body: CreateBody,
  }),
  reset: answers("Resets an environment id to a task.", DetailReply, { body: ResetBody }),
  step: answers("Takes one step.", StepReply, { body: StepBody }),
  observation: answers("Returns the newest observation after the goal. Refuses a finished task.", DetailReply, {
    querystring: Id,
  }),
  close: answers("Frees an environment id, and returns whether it existed.", z.boolean(), { body: CloseBody }),
  render: answers("Returns MiniGrid's picture of the grid as a data URL.", z.string(), { body: RenderBody }),
};

export const babyai: AgentgymServer = {
  name: "babyai",
  surfaceOptions: () => ({
    environment: "babyai@1",
    taskOf: (index) => ({ task: { split, index }, seed: 0, options: { ends: "agentgym" } }),
  }),
  register(app, surface) {
    app.get("/", routes.hello, () => JSON.stringify("This is environment BabyAI."));
    app.post("/create", routes.create, async (request, reply) => {
      const { id } = await surface.create(visitorOf(request, reply), (id) => id % surface.taskCount(split));
      return { id };
    });
    app.post("/reset", routes.reset, async (request, reply) => {
      const { id, data_idx } = request.body as z.output<typeof ResetBody>;
      return { ...stepReply(await surface.reset(visitorOf(request, reply), id, data_idx)), deleted: false as const };
    });
    app.post("/step", routes.step, async ({ body, caller }) => {
      const { id, action } = body as z.output<typeof StepBody>;
      return stepReply(await surface.step(caller.owner, id, action));
    });
    app.get("/observation", routes.observation, async ({ query, caller }) => {
      const { id } = query as z.output<typeof Id>;
      const step = await surface.observe(caller.owner, id);
      if (step.done) throw finished(id);
      return { ...stepReply(step), observation: withGoal(step), deleted: false as const };
    });
    app.post("/close", routes.close, async ({ body, caller }) =>
      JSON.stringify(await surface.close(caller.owner, (body as z.output<typeof CloseBody>).id)),
    );
    app.post("/render", routes.render, async ({ body, caller }) => {
      const picture = await surface.render(caller.owner, (body as z.output<typeof RenderBody>).id);
      const { mediaType, data } = JSON.parse(picture) as { mediaType: string; data: string };
      return JSON.stringify(`data:${mediaType};base64,${data}`);
    });
  },
};

function stepReply({ observation, reward, done, info }: AgentgymStep) {
  return { observation, reward, score: Number(info.score ?? 0), done };
}

/** Returns the observation, with the goal in front of it. The observation of a reset already contains the goal. */
function withGoal({ observation, info }: AgentgymStep): string {
  return info.moves === undefined ? observation : `Your goal: ${info.goal}\n${observation}`;
}
