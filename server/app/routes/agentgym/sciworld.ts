/** AgentGym's ScienceWorld server: `agentenv-sciworld` of WooooDyy/AgentGym. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { AgentgymError, type AgentgymStep, type AgentgymSurface, type Insight, visitorOf } from "./surface.js";
import { type AgentgymServer, answers, PythonInt } from "./wire.js";

const split = "agentgym";

const Id = z.looseObject({ id: PythonInt });
const CreateBody = z.looseObject({}).meta({ id: "AgentgymSciworldCreateRequest" });
const ResetBody = Id.extend({ data_idx: PythonInt }).meta({ id: "AgentgymSciworldResetRequest" });
const StepBody = Id.extend({ action: z.string() }).meta({ id: "AgentgymSciworldStepRequest" });
const VisualStepBody = StepBody.meta({ id: "AgentgymSciworldVisualStepRequest" });
const CloseBody = Id.extend({}).meta({ id: "AgentgymSciworldCloseRequest" });

const OpenReply = z.object({ id: z.int() }).meta({ id: "AgentgymSciworldOpen" });
const Step = z.object({
  observation: z.string(),
  reward: z.number().describe("Gain in score of this step."),
  score: z
    .number()
    .describe("Score from 0 to 100, or negative if the task has failed. AgentGym's client uses it as the reward."),
  done: z.boolean(),
});
const StepReply = Step.meta({ id: "AgentgymSciworldStep" });
const Tree = z.record(z.string(), z.unknown());
const VisualStepReply = Step.extend({
  info: z.record(z.string(), z.unknown()).describe("The `info` of the Python API."),
  object_tree: Tree.nullable().describe("null after the end of the task."),
  inventory: z.string(),
  moves: z.int(),
}).meta({ id: "AgentgymSciworldVisualStep" });
const DetailReply = Step.extend({
  task_name: z.string(),
  var_num: z.int(),
  task_description: z.string(),
  deleted: z.literal(false),
}).meta({ id: "AgentgymSciworldDetail" });
const Hint = z.object({ possible_actions: z.array(z.string()), possible_objects: z.array(z.string()) });
const HintReply = Hint.meta({ id: "AgentgymSciworldActionHint" });
const StateReply = Hint.extend({
  observation: z.string(),
  inventory: z.string(),
  task_description: z.string(),
  goal_progress: z.string(),
  current_moves: z.int(),
  environment_info: DetailReply,
}).meta({ id: "AgentgymSciworldState" });

const ofId = { querystring: Id };
const routes = {
  hello: answers("Says which environment this is.", z.string()),
  create: answers("Creates an environment id. It plays the first task until its first reset.", OpenReply, {
    body: CreateBody,
  }),
  reset: answers("Resets an environment id to a task.", DetailReply, { body: ResetBody }),
  step: answers("Takes one step.", StepReply, { body: StepBody }),
  visualStep: answers("Takes one step, and returns the facts that a viewer shows.", VisualStepReply, {
    body: VisualStepBody,
  }),
  observation: answers("Returns the newest observation.", z.string(), ofId),
  actionHint: answers("Lists the wordings of all actions, and the objects that actions can name.", HintReply, ofId),
  goals: answers("Lists the goals of the task, and which of them are met.", z.object({ goals: z.string() }), ofId),
  detail: answers("Returns the newest step and the task.", DetailReply, ofId),
  taskDescription: answers("Returns the description of the task.", z.object({ task_description: z.string() }), ofId),
  objectTree: answers("Returns the tree of visible objects.", z.object({ object_tree: Tree }), ofId),
  state: answers("Returns all of these facts, with the first ten actions and objects.", StateReply, ofId),
  close: answers("Frees an environment id, and returns whether it existed.", z.boolean(), { body: CloseBody }),
};

const environment = "sciworld@1";

export const sciworld: AgentgymServer = {
  name: "sciworld",
  surfaceOptions(gym) {
    const games = gym.registry.get(environment).splits[split]?.size as number;
    return {
      environment,
      taskOf: (dataIndex) => ({
        task: { split, index: atPython(dataIndex, games) },
        seed: 0,
        options: { api: "python" },
      }),
      tellsOfClosed: true,
    };
  },
  register(app, surface) {
    registerPlay(app, surface);
    registerLooks(app, surface);
  },
};

/** Routes that change the state of an environment id. */
function registerPlay(app: FastifyInstance, surface: AgentgymSurface): void {
  app.post("/create", routes.create, async (request, reply) => {
    const { id } = await surface.create(visitorOf(request, reply), () => 0);
    return { id };
  });
  app.post("/reset", routes.reset, async (request, reply) => {
    const { id, data_idx } = request.body as z.output<typeof ResetBody>;
    const last = await surface.reset(visitorOf(request, reply), id, data_idx);
    return detailOf({ last, resetInfo: last.info });
  });
  app.post("/step", routes.step, async ({ body, caller }) => {
    const { id, action } = body as z.output<typeof StepBody>;
    return stepReply(await surface.step(caller.owner, id, action));
  });
  app.post("/step_visual", routes.visualStep, async ({ body, caller }) => {
    const { id, action } = body as z.output<typeof VisualStepBody>;
    const step = await surface.step(caller.owner, id, spokenAction(action));
    const insight = step.done ? null : await surface.inspect(caller.owner, id, viewerQueries);
    return { ...stepReply(step), ...viewerFacts(step, insight) };
  });
  app.post("/close", routes.close, async ({ body, caller }) =>
    JSON.stringify(await surface.close(caller.owner, (body as z.output<typeof CloseBody>).id)),
  );
}

/** Routes that only read. These routes refuse an environment id whose task has ended. */
function registerLooks(app: FastifyInstance, surface: AgentgymSurface): void {
  const inspect = <Queries extends string>(request: FastifyRequest, ...queries: Queries[]) =>
    surface.inspect(request.caller.owner, (request.query as z.output<typeof Id>).id, queries);

  app.get("/", routes.hello, () => JSON.stringify("This is environment ScienceWorld."));
  app.get("/observation", routes.observation, async (request) =>
    JSON.stringify(stepReply((await inspect(request)).last).observation),
  );
  app.get("/detail", routes.detail, async (request) => detailOf(await inspect(request)));
  app.get("/action_hint", routes.actionHint, async (request) => hintOf(await inspect(request, ...hintQueries)));
  app.get("/goals", routes.goals, async (request) => ({ goals: (await inspect(request, "goals")).answers.goals }));
  app.get("/task_description", routes.taskDescription, async (request) => ({
    task_description: (await inspect(request, "task")).answers.task,
  }));
  app.get("/object_tree", routes.objectTree, async (request) => ({
    object_tree: (await inspect(request, "object-tree")).answers["object-tree"],
  }));
  app.get("/state", routes.state, async (request) => stateOf(await inspect(request, ...stateQueries)));
}

const hintQueries = ["possible-actions", "possible-objects"] as const;
const stateQueries = [...hintQueries, "look", "inventory", "task", "goals"] as const;
const viewerQueries = ["look", "inventory", "valid-actions", "object-tree"] as const;

/**
 * Returns the position in a list for a Python index: a negative index counts from the end. @throws {AgentgymError} with
 * the message that Python would give
 */
function atPython(index: number, length: number): number {
  const at = index < 0 ? index + length : index;
  if (at < 0 || at >= length) throw new AgentgymError("list index out of range");
  return at;
}

/** Returns the reply to a step. The `look` of a reset is its observation without the task. */
function stepReply({ observation, done, info }: AgentgymStep) {
  const { look, reward, score } = info as { look?: string; reward: number; score: number };
  return { observation: look ?? observation, reward, score, done };
}

function detailOf({ last, resetInfo }: Pick<Insight<never>, "last" | "resetInfo">) {
  const { task, variation, taskDescription } = resetInfo as {
    task: string;
    variation: number;
    taskDescription: string;
  };
  return {
    task_name: task,
    var_num: variation,
    task_description: taskDescription,
    ...stepReply(last),
    deleted: false as const,
  };
}

function hintOf({ answers }: Insight<(typeof hintQueries)[number]>) {
  return { possible_actions: answers["possible-actions"], possible_objects: answers["possible-objects"] };
}

function stateOf({ answers, ...rest }: Insight<(typeof stateQueries)[number]>) {
  const { possible_actions, possible_objects } = hintOf({ answers, ...rest });
  return {
    observation: answers.look,
    inventory: answers.inventory,
    task_description: answers.task,
    goal_progress: answers.goals,
    possible_actions: (possible_actions as string[]).slice(0, mostInState),
    possible_objects: (possible_objects as string[]).slice(0, mostInState),
    current_moves: rest.last.info.moves,
    environment_info: detailOf(rest),
  };
}

const mostInState = 10;

/** Extracts the action from a model's answer, as AgentGym's viewer does. */
function spokenAction(said: string): string {
  const text = said.endsWith("</s>") ? said.slice(0, -"</s>".length) : said;
  return text.split("Action:")[1]?.trim() ?? text;
}

/** Returns the state of an episode for AgentGym's viewer. @param insight null once the task has ended */
function viewerFacts({ info }: AgentgymStep, insight: Insight<(typeof viewerQueries)[number]> | null) {
  const { moves, score, reward } = info;
  const counts = { moves, score, reward };
  if (!insight) return { info: counts, object_tree: null, inventory: "", moves };
  const { answers, resetInfo } = insight;
  const { look, inventory } = answers;
  const valid = (answers["valid-actions"] as { action: string }[]).map(({ action }) => action).sort();
  const { task: taskName, variation: variationIdx, taskDescription } = resetInfo;
  const taskDesc = `Task Description:\n${taskDescription}`;
  const texts = { look, inv: inventory, taskDesc, valid, variationIdx, taskName, simplificationStr: "" };
  return { info: { ...counts, ...texts }, object_tree: answers["object-tree"], inventory, moves };
}
