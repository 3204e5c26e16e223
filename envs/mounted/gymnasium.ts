/** Gymnasium environments. Each episode is played by a Python process that plays no other episode at the same time. */
import { accessSync, constants } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonValue, ResetRequest, ResetResult, StepResult, Tool } from "../env.js";
import { ServiceFailed } from "../errors.js";
import { AnswerProcess, gymVariables, type Program } from "../shared/processes/answer-process.js";
import type { Mount } from "./mount.js";
import { anySeed, type Facts, type Kind, type RemoteEpisode } from "./remote.js";
import { type Ask, Workers } from "./workers.js";

const worker = fileURLToPath(new URL("./python/worker.py", import.meta.url));
const defaultPython = "python3";
const defaultTimeoutS = 60;
const defaultSteps = 100;
const startMs = 30_000;

/** Description of an environment by the worker. */
interface Described {
  version: string;
  package: string;
  maxSteps: number | null;
  solved: number | null;
  rewards: [number, number] | null;
  space: string;
  action: string;
  /** First action and number of actions of a discrete space. */
  first: number;
  count: number;
  names: string[] | null;
  observation: string;
  render: string | null;
  description: string;
}

type Details = Pick<Described, "names" | "render">;

/** Result of a reset or a step by the worker. */
interface Played {
  wrong?: string;
  observation: string;
  image?: string;
  reward: number;
  terminated: boolean;
  truncated: boolean;
  info: { [key: string]: JsonValue };
}

export const gymnasium: Kind = {
  assume: ({ address }) => ({
    identity: `gymnasium ${address}`,
    title: `${address} of Gymnasium`,
    splits: { seeds: anySeed },
    maxSteps: defaultSteps,
    prompt: "Reply with one action that the observation allows.",
    tools: [],
    details: null,
  }),
  async discover(mount, signal) {
    const process = new AnswerProcess<Ask>(programOf(mount), () => {});
    try {
      return factsOf(mount, (await process.ask({ call: "describe" }, signal)) as Described);
    } finally {
      process.close();
    }
  },
  async check({ options }) {
    // The environment was there when the gym started. A start of Python would take too long for a probe.
    const { python = defaultPython } = options;
    if (python.includes("/")) accessSync(python, constants.X_OK);
  },
  open: (mount, { details }) => new GymnasiumEpisode(workersOf(mount), details as unknown as Details),
};

function factsOf({ address }: Mount, described: Described): Facts {
  const { version, package: home, maxSteps, rewards, solved, names, render } = described;
  return {
    identity: JSON.stringify(["gymnasium", address, described as unknown as JsonValue]),
    title: `${address} of Gymnasium ${version}${home.startsWith("gymnasium ") ? "" : ` from ${home}`}`,
    splits: { seeds: anySeed },
    maxSteps: maxSteps ?? defaultSteps,
    ...(rewards && { rewardRange: rewards }),
    ...(solved !== null && { solvedReward: solved }),
    prompt: promptFor(address, described),
    tools: toolsFor(described),
    details: { names, render } satisfies Details,
  };
}

/** Largest number of actions that the prompt lists one by one. */
const mostListed = 64;

function promptFor(id: string, described: Described): string {
  const { space, action, observation, description } = described;
  const how = space === "Text" ? "Your whole reply is the action." : "Reply with one action as JSON.";
  return [
    `You play the Gymnasium environment ${id}.`,
    // Only actions have a dash, so that a policy finds them.
    ...(description === "" ? [] : [description.replace(/^(\s*)- /gm, "$1* ")]),
    `Space of observations: ${observation}. Space of actions: ${action}.`,
    space === "Discrete" ? `Reply with one action:\n${discreteActions(described)}` : how,
  ].join("\n\n");
}

function discreteActions({ count, first, names }: Described): string {
  if (names) return names.map((name, i) => `- ${name}: action ${first + i}`).join("\n");
  if (count > mostListed) return `a number from ${first} to ${first + count - 1}`;
  return Array.from({ length: count }, (_, i) => `- ${first + i}`).join("\n");
}

function toolsFor({ space, names, count, first }: Described): Tool[] {
  if (space !== "Discrete") return [];
  const value = names
    ? { type: "string" as const, enum: names, description: "Name of the action." }
    : { type: "integer" as const, description: `Number of the action, from ${first} to ${first + count - 1}.` };
  const parameters = {
    type: "object",
    properties: { action: value },
    required: ["action"],
    additionalProperties: false,
  };
  return [{ name: "act", description: "Performs one action.", parameters, action: "{action}" } as Tool];
}

const allWorkers = new Map<string, Workers>();

function workersOf(mount: Mount): Workers {
  const key = `${mount.name} ${JSON.stringify(mount)}`;
  const workers = allWorkers.get(key) ?? new Workers(programOf(mount), mount.options.workers);
  allWorkers.set(key, workers);
  return workers;
}

function programOf({ address, options }: Mount): Program {
  const { python = defaultPython, render, actions, timeout = defaultTimeoutS } = options;
  const given = JSON.stringify({ ...(render !== undefined && { render }), ...(actions && { actions }) });
  const failed = (received: string) => new ServiceFailed(`a Python process that plays ${address}`, received);
  return {
    command: [python, worker, address, given],
    // An environment may need keys or settings of its own, and the operator has chosen it.
    environment: gymVariables(),
    name: `the Python process of ${address}`,
    times: { start: startMs, answer: timeout * 1_000 },
    errors: {
      unusable: failed,
      late: (milliseconds) => failed(`no answer within ${milliseconds} ms`),
      ended: (how, printed) => failed(`its end (${how})${printed === "" ? "" : `: ${printed.slice(-300)}`}`),
      threw: (message) => new Error(`${address} failed: ${message}`),
    },
  };
}

class GymnasiumEpisode implements RemoteEpisode {
  private process: AnswerProcess<Ask> | undefined;
  /** Whether the last call succeeded, so that the process can play a further episode. */
  private isSound = true;

  constructor(
    private readonly workers: Workers,
    private readonly details: Details,
  ) {}

  async reset({ task }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    this.process ??= await this.workers.take(signal);
    const played = await this.ask({ call: "reset", seed: task.index, ...this.details }, signal);
    return { ...shown(played), info: { remote: played.info } };
  }

  async step(action: string, signal: AbortSignal): Promise<StepResult> {
    const played = await this.ask({ call: "step", action }, signal);
    const { wrong, reward, terminated, truncated, info } = played;
    if (wrong !== undefined)
      return {
        observation: `Error: ${wrong}`,
        reward: 0,
        terminated: false,
        truncated: false,
        info: { isWrong: true },
      };
    // Only the gym truncates episodes. An end that the environment calls a truncation ends the task here too.
    const more = truncated ? { isTruncatedByRemote: true } : {};
    return {
      ...shown(played),
      reward,
      terminated: terminated || truncated,
      truncated: false,
      info: { remote: info, ...more },
    };
  }

  async close(): Promise<void> {
    const { process } = this;
    this.process = undefined;
    if (process) this.workers.giveBack(process, this.isSound);
  }

  private async ask(request: Ask, signal: AbortSignal): Promise<Played> {
    this.isSound = false;
    const played = (await (this.process as AnswerProcess<Ask>).ask(request, signal)) as Played;
    this.isSound = true;
    return played;
  }
}

function shown({ observation, image }: Played): Pick<ResetResult, "observation" | "parts"> {
  if (image === undefined) return { observation };
  return { observation, parts: [{ type: "image", mediaType: "image/png", data: image }] };
}
