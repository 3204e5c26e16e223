import { createInterface } from "node:readline";
import { usualReplyLength } from "../../../envs/contract/reply-size.js";
import { withStrayOutput } from "../../../envs/contract/stray-output.js";
import type {
  AnyEnvironmentSpec,
  JsonValue,
  ObservationPart,
  Options,
  StepResult,
  TaskRef,
} from "../../../envs/env.js";
import { ServiceFailed } from "../../../envs/errors.js";
import { promptOf, rewardRangeOf, seatsOf, versionedId } from "../../../envs/registry.js";
import { createAsyncWrapped, createWrapped } from "../../../envs/shared/wrappers/wrap.js";
import { SandboxError, type Sandboxes } from "../../../sandboxes/sandbox.js";
import { Availability } from "../../episodes/episode/availability.js";
import { GymError } from "../../errors.js";
import { counted } from "../../formats/counted.js";
import { ask } from "../../hosts/answer.js";
import { questionOf } from "../../hosts/protocol.js";
import { replyText, resetText, SlotFailure } from "../../hosts/reply-text.js";
import { terminalPicture } from "../terminal/terminal-picture.js";

export interface PlayOptions {
  task: TaskRef;
  seed: number;
  options: Options;
  maxSteps?: number | undefined;
  /** Whether to show a picture after the reset and after every step. */
  picture: boolean;
  json: boolean;
}

interface PlayedStep {
  action: string;
  observation: string;
  reward: number;
}

interface Play {
  environment: string;
  task: TaskRef;
  seed: number;
  options: Options;
  steps: PlayedStep[];
  score: number;
  outcome: "terminated" | "truncated" | "left";
}

const help = "Type an action and press Enter. :expert asks the expert, :picture shows one, :quit or Ctrl-D leaves.";

function helpOf({ queries }: AnyEnvironmentSpec): string {
  const summaries = Object.entries(queries ?? {}).map(([name, { summary }]) => `:${name}  ${summary}`);
  return [help, ...summaries].join("\n");
}

/**
 * Implements `palestra play`: a person plays an episode in the terminal, or a script plays it through a pipe.
 *
 * @throws {GymError} ENVIRONMENT_UNAVAILABLE, and the errors of the environment
 */
export async function play(spec: AnyEnvironmentSpec, sandboxes: Sandboxes, options: PlayOptions): Promise<void> {
  await new Availability().check(spec);
  if (!options.json) return void (await playEpisode(spec, sandboxes, options));
  const played = await withStrayOutput(() => playEpisode(spec, sandboxes, options));
  console.log(JSON.stringify(played, null, 2));
}

async function playEpisode(spec: AnyEnvironmentSpec, sandboxes: Sandboxes, options: PlayOptions): Promise<Play> {
  const say = (text: string) => (options.json ? process.stderr : process.stdout).write(`${text}\n`);
  const { environment, signal } = start(spec, sandboxes, options.maxSteps);
  const commands = commandsOf(spec, environment.unwrapped, signal);
  const rewardRange = rewardRangeOf(spec, options.options);
  const answer = async (command: string) => called("an answer", async () => commands.get(command)?.());
  const show = async () => say((await answer(":picture")) ?? "");

  const played: Play = {
    environment: versionedId(spec),
    task: options.task,
    seed: options.seed,
    options: options.options,
    steps: [],
    score: 0,
    outcome: "left",
  };
  try {
    const { observation, turn } = await called("a reset result", async () => {
      const result = await environment.reset(options, signal);
      resetText(result, usualReplyLength, seatsOf(spec));
      return result;
    });
    say(`${promptOf(spec, options.options)}\n\n${helpOf(spec)}\n\n${turnText(turn)}${observation}`);
    if (options.picture) await show();
    for await (const line of prompts(options.json)) {
      if (line === ":quit") break;
      if (line.startsWith(":")) {
        say((await answer(line)) ?? helpOf(spec));
        continue;
      }
      const result = await called("a step result", async () => {
        const stepped = await environment.step(line, signal);
        replyText(played.steps.length, rewardRange, stepped, usualReplyLength, undefined, seatsOf(spec));
        return stepped;
      });
      say(`${turnText(result.turn)}${result.observation}`);
      if (options.picture) await show();
      played.steps.push({ action: line, observation: result.observation, reward: result.reward });
      played.score += result.reward;
      played.outcome = outcomeOf(result);
      if (played.outcome !== "left") break;
    }
  } finally {
    await environment.close();
  }
  say(`\n${played.outcome} after ${counted(played.steps.length, "step")}, score ${played.score}`);
  return played;
}

/** Names the seat that acts next before its observation, if there are seats. */
function turnText(turn: string | undefined): string {
  return turn === undefined ? "" : `[${turn}] `;
}

/**
 * Makes a call of the environment, whose result is checked as in the gym.
 *
 * @throws {GymError} the environment threw, or its result violates the contract. The error names the line that threw
 */
async function called<T>(expected: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof SandboxError || error instanceof ServiceFailed) throw error;
    const { code, message, trace } = error instanceof SlotFailure ? error : SlotFailure.thrown(error);
    throw GymError.ofEnvironment(code, `${expected} from the environment`, message, trace);
  }
}

/** Creates a sync or async instance. The signal never aborts, since a player may take any time. */
function start(spec: AnyEnvironmentSpec, sandboxes: Sandboxes, maxSteps = spec.maxSteps) {
  const context = { now: Date.now };
  const environment = spec.isAsync
    ? createAsyncWrapped(spec, { ...context, sandboxes, record: (ask) => ask() }, maxSteps)
    : createWrapped(spec, context, maxSteps);
  return { environment, signal: new AbortController().signal };
}

/**
 * Returns the commands that a player types with a leading colon, such as `:expert`. Such a command does not use up a
 * step.
 */
function commandsOf(
  spec: AnyEnvironmentSpec,
  engine: unknown,
  signal: AbortSignal,
): Map<string, () => string | Promise<string>> {
  const queries = Object.keys(spec.queries ?? {}).map(
    (name) =>
      [`:${name}`, async () => answerText((await ask(spec, engine, questionOf(name), signal)) as JsonValue)] as const,
  );
  return new Map([
    ...queries,
    [":expert", async () => advice(spec, await ask(spec, engine, "expert", signal))],
    [":picture", async () => picture(spec, await ask(spec, engine, "render", signal))],
  ]);
}

function answerText(answer: JsonValue): string {
  if (!Array.isArray(answer)) return typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
  return answer.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))).join("\n");
}

async function* prompts(json: boolean): AsyncIterable<string> {
  const terminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, output: json ? process.stderr : process.stdout, terminal });
  lines.setPrompt(terminal ? "> " : "");
  lines.prompt();
  for await (const line of lines) {
    yield line;
    lines.prompt();
  }
}

function advice({ id, expert }: AnyEnvironmentSpec, action: unknown): string {
  if (!expert) return `${id} has no expert.`;
  return `The expert would: ${action ?? "give up, since it sees no way to the goal"}`;
}

/** Draws a picture that fits the terminal (80 x 24 if its size is unknown), and leaves some rows for text. */
function picture({ id, render }: AnyEnvironmentSpec, drawn: unknown): string {
  if (!render) return `${id} draws no pictures.`;
  const { mediaType, data } = drawn as ObservationPart & { type: "image" };
  if (mediaType !== "image/png") return `The picture is ${mediaType}; a terminal shows image/png.`;
  const { columns = 80, rows = 24 } = process.stdout;
  return terminalPicture(Buffer.from(data, "base64"), { columns, rows: Math.max(1, rows - 6) });
}

function outcomeOf(result: StepResult): Play["outcome"] {
  if (result.terminated) return "terminated";
  return result.truncated ? "truncated" : "left";
}
