/** Routes that list an environment's tasks, the same in the Open Reward Standard and in OpenEnv. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { AnyEnvironmentSpec, TaskSummary } from "../../../envs/env.js";
import { pageOf, splitOf, taskOf } from "../../episodes/episode/tasks.js";
import { GymError } from "../../errors.js";

/** Largest number of tasks in a reply. Some splits have a task for every seed. */
const mostTasks = 10_000;

const Task = z.object({ split: z.string(), index: z.int().min(0), title: z.string() }).meta({ id: "NamedTask" });
const SplitBody = z.object({ split: z.string().max(200) });
const TaskBody = SplitBody.extend({ index: z.int().min(0) });
const RangeBody = SplitBody.extend({ start: z.int().min(0).nullish(), stop: z.int().min(0).nullish() });

export interface TaskRouteOptions {
  tag: string;
  /** Path of the environment's routes: "/:name", or "" if the environment is not in the path. */
  base: string;
  /** Returns the environment of a request. @throws {GymError} ENVIRONMENT_UNKNOWN */
  specOf(request: FastifyRequest): AnyEnvironmentSpec;
}

export function registerTaskRoutes(app: FastifyInstance, { tag, base, specOf }: TaskRouteOptions): void {
  const answers = (summary: string, reply: z.ZodType, body?: z.ZodType) => ({
    schema: { tags: [tag], summary, ...(body && { body }), response: { 200: reply } },
  });

  const splits = z.array(z.object({ name: z.string(), type: z.enum(["train", "validation", "test"]) }));
  app.get(`${base}/splits`, answers("Lists the splits of an environment.", splits), async (request) =>
    splitsOf(specOf(request)),
  );

  const count = answers("Counts the tasks of a split.", z.object({ num_tasks: z.int() }), SplitBody);
  app.post(`${base}/num_tasks`, count, async (request) => {
    const { split } = request.body as z.output<typeof SplitBody>;
    return { num_tasks: splitOf(specOf(request), split).size };
  });

  const one = answers("Returns a task.", z.object({ task: Task, env_name: z.string() }), TaskBody);
  app.post(`${base}/task`, one, async (request) => {
    const spec = specOf(request);
    const task = taskOf(spec, request.body as z.output<typeof TaskBody>);
    const { title } = splitOf(spec, task.split);
    return { task: { ...task, title: title(task.index) }, env_name: spec.id };
  });

  const many = z.object({ tasks: z.array(Task), env_name: z.string() });
  app.post(`${base}/tasks`, answers("Lists all tasks of a split.", many, SplitBody), async (request) => {
    const { split } = request.body as z.output<typeof SplitBody>;
    return tasksOf(specOf(request), split, 0, undefined);
  });

  const range = answers("Lists the tasks from `start` to `stop`, without `stop`.", many, RangeBody);
  app.post(`${base}/task_range`, range, async (request) => {
    const { split, start, stop } = request.body as z.output<typeof RangeBody>;
    return tasksOf(specOf(request), split, start ?? 0, stop ?? undefined);
  });
}

/** Splits have one of three kinds in these protocols. A split with another name counts as one for validation. */
function splitsOf(spec: AnyEnvironmentSpec) {
  const kinds = ["train", "validation", "test"] as const;
  return Object.keys(spec.splits).map((name) => ({ name, type: kinds.find((kind) => kind === name) ?? "validation" }));
}

/** @throws {GymError} SPLIT_UNKNOWN, REQUEST_INVALID for too many tasks */
async function tasksOf(spec: AnyEnvironmentSpec, name: string, start: number, stop: number | undefined) {
  const split = splitOf(spec, name);
  const end = Math.min(stop ?? split.size, split.size);
  if (end - start > mostTasks)
    throw new GymError("REQUEST_INVALID", `a list of at most ${mostTasks} tasks`, `one of ${end - start}`);
  const tasks: TaskSummary[] = [];
  for (let from = start; from < end; ) {
    const page = await pageOf(split, from, end - from);
    tasks.push(...page.tasks);
    from = page.next ?? end;
  }
  return { tasks, env_name: spec.id };
}
