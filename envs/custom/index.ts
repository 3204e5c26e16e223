/** Environments built from a user's own files: tasks, a choice of tools and a reward. */
import type { AsyncEnvironmentSpec, EnvironmentFacts, JsonValue, TaskRef, TaskSplit, Tool } from "../env.js";
import { ServiceFailed } from "../errors.js";
import type { ToolKit } from "../shared/tools/tool-kit.js";
import { ActionReader, answerIn, submit, takesJson } from "./actions.js";
import {
  BadDefinition,
  checkRewardFile,
  type Definition,
  definitionOf,
  longestTimerMs,
  withRewardFacts,
} from "./definition.js";
import { CustomTask, tokensOf } from "./env.js";
import { kitsOf } from "./kits.js";
import { fieldsOf, rangeOf } from "./reward/pieces.js";
import { RewardPool, rewardFacts } from "./reward/pool.js";
import type { RewardProcesses } from "./reward/program.js";
import { TaskFile } from "./task-file.js";
import { verdict } from "./verdict.js";

export interface CustomEnvironment {
  spec: AsyncEnvironmentSpec<CustomTask>;
  /** The definition as JSON text with absolute paths, from which another process builds the same environment. */
  definition: string;
}

/**
 * @param entry path of a definition, or a definition as JSON text
 * @param isFirst true if no other process of the gym has checked this definition yet. If false, the checks are skipped,
 *   and episodes fail with an infrastructure error if a file has changed or no longer exists.
 * @throws {Error} `isFirst` is true and a file is invalid, a server does not answer or the reward cannot be loaded
 */
export async function customEnvironment(entry: string, isFirst: boolean): Promise<CustomEnvironment> {
  const settings = definitionOf(entry);
  try {
    const whole = isFirst ? await withFacts(settings) : settings;
    const { spec, sums } = await makeEnvironment(whole, isFirst);
    return { spec, definition: JSON.stringify({ ...whole, sums }) };
  } catch (error) {
    if (isFirst) throw error;
    return { spec: lostEnvironment(settings, error as Error), definition: entry };
  }
}

async function withFacts(settings: Definition): Promise<Definition> {
  // A built-in reward was checked when the definition was read.
  if (typeof settings.reward !== "string") return settings;
  checkRewardFile(settings);
  return withRewardFacts(settings, await rewardFacts(settings.reward, rewardProcesses(settings)));
}

async function makeEnvironment(settings: Definition, isFirst: boolean) {
  const read = ([split, path]: [string, string]) => [split, TaskFile.read(path, settings.sums?.[split])] as const;
  const files = new Map(Object.entries(settings.tasks).map(read));
  const taskOf = ({ split, index }: TaskRef) => (files.get(split) as TaskFile).at(index);
  const kits = await kitsOf(settings.tools, isFirst);
  const reader = new ActionReader(kits.flatMap((kit) => kit.tools));
  const rewards = new RewardPool(settings.reward, rewardProcesses(settings), rewardRangeOf(settings));
  const fields = typeof settings.reward === "string" ? [] : fieldsOf(settings.reward);
  if (isFirst) checkFields(fields, files);
  const withheld = ["prompt", "answer", "expert", ...fields];
  const spec: AsyncEnvironmentSpec<CustomTask> = {
    ...factsOf(settings, files, kits),
    isAsync: true,
    restore: "replay",
    deadlineMs: deadlineOf(settings),
    create: (context) => new CustomTask(context, { taskOf, reader, kits, rewards, withheld }),
    expert: async ({ task, steps }) => expertAction(task?.expert, task?.answer, steps),
    verdict: async (environment, end) => verdict(environment, end),
    async verify({ task, answer, steps = 1, tokens }, signal) {
      const counted = tokens ?? tokensOf(answer);
      const request = { task: taskOf(task), answer: answerIn(answer), steps, tokens: counted, calls: [] };
      const { reward, info } = await rewards.score(request, signal);
      return { reward, info };
    },
  };
  return { spec, sums: Object.fromEntries([...files].map(([split, { sum }]) => [split, sum])) };
}

/** Number of tasks per file that `checkFields` reads. */
const mostLookedAt = 100;

/**
 * Checks that each field that the reward reads occurs in at least one task. Otherwise every answer would score 0.
 *
 * @throws {BadDefinition} a field occurs in none of the tasks
 */
function checkFields(fields: readonly string[], files: ReadonlyMap<string, TaskFile>): void {
  const tasks = [...files.values()].flatMap((file) =>
    Array.from({ length: Math.min(file.size, mostLookedAt) }, (_, index) => file.at(index)),
  );
  const missing = fields.find((field) => !tasks.some((task) => Object.hasOwn(task, field)));
  if (missing === undefined) return;
  const received = Object.keys(tasks[0] as object).join(", ");
  throw new BadDefinition(
    `expected tasks with the field ${missing}, which the reward reads, but the first task has the fields ${received}`,
  );
}

function factsOf(
  settings: Definition,
  files: ReadonlyMap<string, TaskFile>,
  kits: readonly ToolKit[],
): Omit<EnvironmentFacts, "restore"> {
  const { id, version, maxSteps, tasks } = settings;
  const tools = kits.flatMap((kit) => kit.tools);
  const range = rewardRangeOf(settings);
  return {
    id,
    version,
    summary: settings.summary ?? `Tasks of ${Object.values(tasks).map(fileName).join(", ")}.`,
    splits: Object.fromEntries([...files].map(([split, file]) => [split, splitOf(file, tasks[split] as string)])),
    maxSteps,
    // A step without a submission has reward 0.
    rewardRange: [Math.min(0, range[0]), Math.max(0, range[1])],
    solvedReward: settings.solvedReward ?? range[1],
    ...(hasFamilies(files) && { familyKey: "family" }),
    prompt: promptText(settings, tools),
    tools: [...tools, submit],
    requirements: [...new Set(kits.flatMap((kit) => kit.requirements))],
  };
}

/**
 * Returns a placeholder for an environment that can no longer be built, so that the process still serves the other
 * environments.
 */
function lostEnvironment({ id, version, maxSteps }: Definition, error: Error): AsyncEnvironmentSpec<CustomTask> {
  const lost = (): never => {
    throw new ServiceFailed(
      `the files and servers of ${id} to be unchanged since the gym started`,
      error.message,
      error,
    );
  };
  return {
    isAsync: true,
    id,
    version,
    maxSteps,
    summary: error.message,
    splits: {},
    rewardRange: [0, 0],
    prompt: "",
    requirements: [],
    restore: "replay",
    create: lost,
    verify: lost,
  };
}

function rewardRangeOf({ rewardRange, reward }: Definition): readonly [number, number] {
  return rewardRange ?? (typeof reward === "string" ? [0, 1] : rangeOf(reward));
}

function rewardProcesses({ limits, rewardVariables: variables }: Definition): RewardProcesses {
  const { rewardMs: timeoutMs, rewardMemoryMb: memoryMb, rewardProcesses: processes } = limits;
  return { timeoutMs, memoryMb, processes, variables };
}

function splitOf(file: TaskFile, path: string): TaskSplit {
  return {
    size: file.size,
    summary: `The tasks of ${fileName(path)}, in its order.`,
    title: (index) => file.title(index),
  };
}

function fileName(path: string): string {
  return path.replace(/^.*\//, "");
}

function hasFamilies(files: ReadonlyMap<string, TaskFile>): boolean {
  return [...files.values()].every((file) => typeof file.at(0).family === "string");
}

function promptText({ prompt }: Definition, tools: readonly Tool[]): string {
  const intro = prompt ?? "Solve the task.";
  if (tools.length === 0) return `${intro}\n\nYour reply is your answer.`;
  const actions = [...tools, submit].map(({ action, description, parameters }) => {
    const schema = takesJson(action) ? `\n  JSON Schema of {arguments}: ${JSON.stringify(parameters)}` : "";
    return `- ${action}: ${description}${schema}`;
  });
  const where = tools.some(({ action }) => takesJson(action)) ? ", where {arguments} is a JSON object" : "";
  return `${intro}\n\nEach of your replies is one of these actions${where}:\n${actions.join("\n")}`;
}

/** Milliseconds added to the time limits of a step, for starting and stopping a process or a sandbox. */
const overheadMs = 30_000;
/**
 * Maximum time in milliseconds for rerunning the earlier commands of a shell: the sandbox of a shell lives for an hour.
 */
const longestHistoryMs = 3_600_000;

/**
 * Returns the deadline of a step in milliseconds. The factor 3 covers a tool that waits for a free process, connects
 * and answers, and a reward function that waits in a queue. A restored shell first reruns all earlier commands, each
 * with its own time limit.
 */
function deadlineOf({ tools, limits, maxSteps }: Definition): number {
  const ofTools = tools.map((choice) => {
    const { timeoutMs, queryMs } = Object.values(choice)[0] as { timeoutMs?: number; queryMs?: number };
    return timeoutMs ?? queryMs ?? 0;
  });
  const ofHistory = tools.map((choice) => ("shell" in choice ? maxSteps * choice.shell.timeoutMs : 0));
  const history = Math.min(longestHistoryMs, Math.max(0, ...ofHistory));
  return Math.min(longestTimerMs, 3 * Math.max(limits.rewardMs, ...ofTools) + history + overheadMs);
}

/**
 * Returns the next action of the solution stored in a task: the next entry of the field `expert`, or else a submission
 * of the field `answer`. Returns null if the task has neither.
 */
function expertAction(actions: JsonValue | undefined, answer: JsonValue | undefined, steps: number): string | null {
  if (Array.isArray(actions)) return typeof actions[steps] === "string" ? actions[steps] : null;
  const first = Array.isArray(answer) ? answer[0] : answer;
  return typeof first === "string" || typeof first === "number" ? `${submit.name} ${first}` : null;
}
