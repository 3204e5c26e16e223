import { createInterface } from "node:readline";
import type { Environment, EnvironmentSpec, Options, StepResult, TaskRef } from "../../envs/env.js";
import { promptOf } from "../../envs/registry.js";
import { createWrapped } from "../../envs/wrappers/wrap.js";

export interface PlayOptions {
  task: TaskRef;
  seed: number;
  options: Options;
  maxSteps?: number | undefined;
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

const help = "Type an action and press Enter. :expert asks the expert, :quit or Ctrl-D leaves.";

/** `palestra play`: a person plays an episode in the terminal, or a script through a pipe. */
export async function play(spec: EnvironmentSpec, options: PlayOptions): Promise<Play> {
  const say = (text: string) => (options.json ? process.stderr : process.stdout).write(`${text}\n`);
  const environment = createWrapped(spec, { now: Date.now }, options.maxSteps ?? spec.maxSteps);
  const { observation } = environment.reset(options);
  say(`${promptOf(spec, options.options)}\n\n${help}\n\n${observation}`);

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
    if (line === ":expert") {
      say(advice(spec, environment.unwrapped));
      continue;
    }
    const result = environment.step(line);
    say(result.observation);
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

function outcomeOf(result: StepResult): Play["outcome"] {
  if (result.terminated) return "terminated";
  return result.truncated ? "truncated" : "left";
}
