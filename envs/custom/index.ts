/** Environments made of a user's own files: tasks, a choice of tools, a reward. */
import type { AsyncEnvironmentSpec, JsonValue, TaskRef, TaskSplit, Tool } from "../env.js";
import { ActionReader, answerIn, submit } from "./actions.js";
import { type Definition, definitionOf } from "./definition.js";
import { CustomTask } from "./env.js";
import { kitsOf } from "./kits.js";
import { rangeOf } from "./reward/pieces.js";
import { RewardPool } from "./reward/pool.js";
import { TaskFile } from "./task-file.js";

/**
 * @param entry path of a definition, or its text
 * @param isFirst whether servers are asked for their tools, and the reward function is loaded once to see that it can be
 * @throws {Error} a file is not what it has to be, a server does not answer, the reward function cannot be loaded
 */
export async function customEnvironment(entry: string, isFirst: boolean): Promise<AsyncEnvironmentSpec<CustomTask>> {
  const settings = definitionOf(entry);
  const files = new Map(Object.entries(settings.tasks).map(([split, path]) => [split, TaskFile.read(path)]));
  const taskOf = ({ split, index }: TaskRef) => (files.get(split) as TaskFile).at(index);
  const kits = await kitsOf(settings.tools, isFirst);
  const tools = kits.flatMap((kit) => kit.tools);
  const reader = new ActionReader(tools);
  const { reward, limits, id, version, maxSteps } = settings;
  const range = settings.rewardRange ?? (typeof reward === "string" ? ([0, 1] as const) : rangeOf(reward));
  const { rewardMs: timeoutMs, rewardMemoryMb: memoryMb, rewardProcesses: processes } = limits;
  const rewards = new RewardPool(reward, { timeoutMs, memoryMb, processes }, range);
  if (isFirst) await rewards.check();
  return {
    isAsync: true,
    id,
    version,
    summary: settings.summary ?? `Tasks of ${[...Object.values(settings.tasks)].map(fileName).join(", ")}.`,
    splits: Object.fromEntries(
      [...files].map(([split, file]) => [split, splitOf(file, settings.tasks[split] as string)]),
    ),
    maxSteps,
    // A step that is no submission is worth nothing.
    rewardRange: [Math.min(0, range[0]), Math.max(0, range[1])],
    solvedReward: settings.solvedReward ?? range[1],
    ...(hasFamilies(files) && { familyKey: "family" }),
    prompt: promptText(settings, tools),
    tools: [...tools, submit],
    requirements: [...new Set(kits.flatMap((kit) => kit.requirements))],
    restore: "replay",
    deadlineMs: deadlineOf(settings),
    create: (context) => new CustomTask(context, { taskOf, reader, kits, rewards }),
    expert: async ({ task, steps }) => expertAction(task?.expert, task?.answer, steps),
    async verify({ task, answer, steps = 1, tokens }, signal) {
      const counted = tokens ?? Math.ceil(Buffer.byteLength(answer) / 4);
      const request = { task: taskOf(task), answer: answerIn(answer), steps, tokens: counted, calls: [] };
      return rewards.score(request, signal);
    },
  };
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
  const actions = [...tools, submit].map(({ action, description }) => `- ${action}: ${description}`);
  return `${intro}\n\nEach of your replies is one of these actions, where {arguments} is a JSON object:\n${actions.join("\n")}`;
}

/** What a call may rightly take: that of a tool, or of the reward with others before it in line. */
function deadlineOf({ tools, limits }: Definition): number {
  const ofTools = tools.map((choice) => (Object.values(choice)[0] as { timeoutMs?: number }).timeoutMs ?? 0);
  return 2 * Math.max(limits.rewardMs, ...ofTools) + 30_000;
}

/** A task may hold its solution: actions in `expert`, or an `answer` that is text or a number. */
function expertAction(actions: JsonValue | undefined, answer: JsonValue | undefined, steps: number): string | null {
  if (Array.isArray(actions)) return typeof actions[steps] === "string" ? actions[steps] : null;
  const first = Array.isArray(answer) ? answer[0] : answer;
  return typeof first === "string" || typeof first === "number" ? `${submit.name} ${first}` : null;
}
