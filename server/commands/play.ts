import { createInterface } from "node:readline";
import type { Environment, EnvironmentSpec, JsonValue, Options, StepResult, TaskRef } from "../../envs/env.js";
import { promptOf } from "../../envs/registry.js";
import { createWrapped } from "../../envs/wrappers/wrap.js";
import { terminalPicture } from "./terminal-picture.js";

export interface PlayOptions {
  task: TaskRef;
  seed: number;
  options: Options;
  maxSteps?: number | undefined;
  /** Show a picture after the reset and every step. */
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

function helpOf({ queries = {} }: EnvironmentSpec): string {
  const summaries = Object.entries(queries).map(([name, { summary }]) => `:${name}  ${summary}`);
  return [help, ...summaries].join("\n");
}

/** `palestra play`: a person plays an episode in the terminal, or a script through a pipe. */
export async function play(spec: EnvironmentSpec, options: PlayOptions): Promise<Play> {
  const say = (text: string) => (options.json ? process.stderr : process.stdout).write(`${text}\n`);
  const environment = createWrapped(spec, { now: Date.now }, options.maxSteps ?? spec.maxSteps);
  const { observation } = environment.reset(options);
  const commands = commandsOf(spec, environment.unwrapped);
  say(`${promptOf(spec, options.options)}\n\n${helpOf(spec)}\n\n${observation}`);
  if (options.picture) say(picture(spec, environment.unwrapped));

  const played: Play = {
    environment: `${spec.id}@${spec.version}`,
    task: options.task,
    seed: options.seed,
    options: options.options,
    steps: [],
    score: 0,
    outcome: "left",
  };
  for await (const line of prompts(options.json)) {
    if (line === ":quit") break;
    const command = commands.get(line);
    if (command) {
      say(command());
      continue;
    }
    const result = environment.step(line);
    say(result.observation);
    if (options.picture) say(picture(spec, environment.unwrapped));
    played.steps.push({ action: line, observation: result.observation, reward: result.reward });
    played.score += result.reward;
    played.outcome = outcomeOf(result);
    if (played.outcome !== "left") break;
  }
  environment.close();
  say(`\n${played.outcome} after ${played.steps.length} steps, score ${played.score}`);
  if (options.json) console.log(JSON.stringify(played, null, 2));
  return played;
}

/** What is typed behind a colon is no action: the episode stays as it is. */
function commandsOf(spec: EnvironmentSpec, engine: Environment): Map<string, () => string> {
  const queries = Object.entries(spec.queries ?? {}).map(
    ([name, { answer }]) => [`:${name}`, () => answerText(answer(engine))] as const,
  );
  return new Map([...queries, [":expert", () => advice(spec, engine)], [":picture", () => picture(spec, engine)]]);
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

function advice(spec: EnvironmentSpec, engine: Environment): string {
  if (!spec.expert) return `${spec.id} has no expert.`;
  return `The expert would: ${spec.expert(engine) ?? "give up, no way leads there from here"}`;
}

/** For a terminal that is 80 x 24 unless it says otherwise; some rows are left for the words. */
function picture(spec: EnvironmentSpec, engine: Environment): string {
  if (!spec.render) return `${spec.id} draws no pictures.`;
  const { mediaType, data } = spec.render(engine);
  if (mediaType !== "image/png") return `The picture is ${mediaType}; a terminal shows image/png.`;
  const { columns = 80, rows = 24 } = process.stdout;
  return terminalPicture(Buffer.from(data, "base64"), { columns, rows: Math.max(1, rows - 6) });
}

function outcomeOf(result: StepResult): Play["outcome"] {
  if (result.terminated) return "terminated";
  return result.truncated ? "truncated" : "left";
}
