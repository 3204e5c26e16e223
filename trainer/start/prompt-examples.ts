/**
 * Worked examples for the instructions, which a model that was not cloned learns the format of replies from: solved episodes of
 * experts on training tasks. A run writes them to `prompt-examples.json` in its output folder, so that it resumes with the
 * same ones, and so that its model can be evaluated with them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Tokenizer } from "../../native/api/index.js";
import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import { counted } from "../../server/formats/counted.js";
import { mixtureOf } from "../curriculum/index.js";
import { TrainerError } from "../errors.js";
import type { GymClient, Played } from "../gym/gym.js";
import type { BoundedTaskSet, RunTaskSets } from "../gym/task-set.js";
import { ChatFormat, unusableTemplate } from "../policy/chat-format.js";
import { examplesKey, type PromptExamples } from "../rollout/instructions.js";
import type { TrajectoryFailure } from "../rollout/trajectory.js";
import { type Dialogue, type ExpertDialogue, expertDialogues } from "./dialogues.js";

export const promptExamplesFile = "prompt-examples.json";

/** Expert episodes that are played for each example, of which the shortest are taken. */
const choice = 4;

const Turn = z.object({ observation: z.string(), reply: z.string() });
const Task = z.object({ environment: z.string(), split: z.string(), index: z.int(), seed: z.int() });
const File = z.object({
  format: z.literal(1),
  examples: z.array(z.object({ task: Task, seat: z.string().optional(), turns: z.array(Turn).min(1) })).min(1),
});
type Example = z.output<typeof File>["examples"][number];

export interface PromptExamplesRequest {
  readonly gym: GymClient;
  readonly taskSets: RunTaskSets;
  readonly format: ActionFormat;
  readonly settings: {
    readonly output: string;
    readonly seed: number;
    readonly max_rounds: number;
    readonly prompt_examples: number;
  };
  readonly signal: AbortSignal;
  readonly onStage: (stage: string) => void;
}

/**
 * Returns the examples of a run: those of its output folder, else new ones. None of them is a held-out task.
 *
 * @throws {TrainerError} EXAMPLES_IMPOSSIBLE: experts solved too few training tasks
 */
export async function promptExamples(request: PromptExamplesRequest): Promise<PromptExamples | undefined> {
  const { settings, taskSets, onStage } = request;
  if (settings.prompt_examples === 0) return undefined;
  const path = join(settings.output, promptExamplesFile);
  if (existsSync(path)) return readPromptExamples(path);
  const environments = [...new Set(taskSets.train.map(({ environment }) => environment))];
  onStage(`playing ${counted(settings.prompt_examples, "worked example")} of each environment by experts`);
  const examples: Example[] = [];
  for (const environment of environments) examples.push(...(await examplesOf(environment, request)));
  mkdirSync(settings.output, { recursive: true });
  writeFileSync(path, `${JSON.stringify({ format: 1, examples }, null, 2)}\n`);
  return textsOf(examples);
}

/**
 * Checks that the model reads the examples.
 *
 * @param context maximum number of tokens of a conversation
 * @throws {TrainerError} MODEL_UNUSABLE: the model's template leaves instructions out
 * @throws {TrainerError} EXAMPLES_IMPOSSIBLE: they leave no room for an episode
 */
export function expectReadable(examples: PromptExamples, tokenizer: Tokenizer | undefined, context: number): void {
  if (!tokenizer) return;
  if (!new ChatFormat(tokenizer).showsInstructions) {
    throw unusableTemplate(
      "that shows the instructions, with prompt_examples above 0",
      "a template that leaves them out. Set prompt_examples to 0, or choose a pretrained model",
    );
  }
  for (const [place, text] of examples) {
    const { length } = tokenizer.encode(text, { addSpecialTokens: false });
    if (length < context) continue;
    throw new TrainerError(
      "EXAMPLES_IMPOSSIBLE",
      `expected worked examples of ${place} with fewer tokens than the context of ${context}, but received ${length}. Lower prompt_examples or raise context_length.`,
    );
  }
}

/** Reads the examples of a run. @throws {TrainerError} EXAMPLES_IMPOSSIBLE: the file is damaged */
export function readPromptExamples(path: string): PromptExamples {
  try {
    return textsOf(File.parse(JSON.parse(readFileSync(path, "utf8"))).examples);
  } catch (error) {
    throw new TrainerError(
      "EXAMPLES_IMPOSSIBLE",
      `expected the worked examples of a run in ${path}, but received: ${(error as Error).message}`,
    );
  }
}

async function examplesOf(environment: string, request: PromptExamplesRequest): Promise<Example[]> {
  const { gym, taskSets, format, settings, signal } = request;
  const { seed, max_rounds: maxRounds, prompt_examples: count } = settings;
  const sets = taskSets.train.filter((set) => set.environment === environment);
  // The seed differs from those of reinforcement learning and of cloning.
  const mixture = mixtureOf(sets, seed + 2);
  const drawn = Array.from({ length: choice * count }, () => mixture.next());
  const tasks = distinct(drawn).filter((task) => !taskSets.heldOut.some((set) => contains(set, task)));
  let failure = "";
  const onFailed = ({ code, message }: TrajectoryFailure) => {
    failure = ` The last failure is ${code}: ${message}`;
  };
  const dialogues = await expertDialogues({ gym, format, tasks, maxRounds, concurrency: 8, signal, onFailed });
  const bySeat = [...new Set(dialogues.map(({ seat }) => seat))].map((name) =>
    shortestOf(
      dialogues.filter(({ seat }) => seat === name),
      count,
    ),
  );
  const fewest = Math.min(...bySeat.map(({ length }) => length));
  if (fewest === count) return bySeat.flat();
  throw new TrainerError(
    "EXAMPLES_IMPOSSIBLE",
    `expected ${counted(count, "training task")} of ${environment} outside of eval_tasks that the expert solves in ${counted(maxRounds, "round")}, but received ${bySeat.length === 0 ? 0 : fewest}. Lower prompt_examples, raise max_rounds or add train_tasks.${failure}`,
  );
}

/** Returns the shortest dialogues as examples. */
function shortestOf(dialogues: readonly ExpertDialogue[], count: number): Example[] {
  const shortest = [...dialogues].sort((a, b) => lengthOf(a) - lengthOf(b)).slice(0, count);
  return shortest.map(({ played: task, seat, turns }) => ({
    task,
    ...(seat !== undefined && { seat }),
    turns: [...turns],
  }));
}

function distinct(tasks: readonly Played[]): Played[] {
  return [...new Map(tasks.map((task) => [`${task.split} ${task.index}`, task])).values()];
}

function contains({ environment, split, first, last }: BoundedTaskSet, task: Played): boolean {
  const isSame = withoutVersion(environment) === withoutVersion(task.environment);
  return isSame && split === task.split && first <= task.index && task.index <= last;
}

function withoutVersion(environment: string): string {
  return environment.replace(/@.*/, "");
}

function lengthOf({ turns }: Dialogue): number {
  return turns.reduce((sum, { observation, reply }) => sum + observation.length + reply.length, 0);
}

/** Returns the examples of each environment, or of each of its seats, as one text. */
function textsOf(examples: readonly Example[]): PromptExamples {
  const byPlace = new Map<string, Example[]>();
  for (const example of examples) {
    const key = examplesKey(example.task.environment, example.seat);
    byPlace.set(key, [...(byPlace.get(key) ?? []), example]);
  }
  return new Map([...byPlace].map(([key, own]) => [key, own.map(textOf).join("\n\n")]));
}

function textOf({ turns }: Example, at: number): string {
  const said = turns.map(
    ({ observation, reply }) => `Observation:\n${observation.trim()}\n\nYour reply:\n${reply.trim()}`,
  );
  return [`Example ${at + 1} of an episode that was solved:`, ...said, `End of example ${at + 1}.`].join("\n\n");
}
