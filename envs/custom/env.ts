import type {
  AsyncContext,
  AsyncEnvironment,
  Info,
  JsonValue,
  ResetRequest,
  ResetResult,
  StepResult,
  Tool,
} from "../env.js";
import type { Arguments, ToolAnswer, ToolKit, ToolSession } from "../shared/tools/tool-kit.js";
import type { ActionReader } from "./actions.js";
import type { RewardPool } from "./reward/pool.js";
import { promptOf, type Score, type TaskLine, type ToolUse } from "./reward/request.js";

/** Objects that all episodes of one environment share. */
export interface CustomParts {
  taskOf(ref: ResetRequest["task"]): TaskLine;
  reader: ActionReader;
  kits: readonly ToolKit[];
  /** Names of the task fields that reveal the answer and are never shown to the agent. */
  withheld: readonly string[];
  rewards: RewardPool;
}

type Answered = Pick<StepResult, "observation" | "parts" | "reward" | "terminated" | "info">;

/** Assumed number of bytes per token, if the caller does not count tokens. */
const bytesPerToken = 4;

/** Estimates the number of tokens of a text from its number of bytes. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/**
 * One episode of a user's own task, with tools, one answer and a reward. The gym logs the replies of external services,
 * so that the episode can be replayed.
 */
export class CustomTask implements AsyncEnvironment {
  task: TaskLine | undefined;
  /** Number of actions in the episode so far. */
  steps = 0;
  private tokens = 0;
  /** The submitted answer, with the reason for its reward if the reward function states one. */
  submitted: { answer: string; why?: string } | undefined;
  private readonly calls: ToolUse[] = [];
  private sessions = new Map<ToolKit, ToolSession>();

  constructor(
    private readonly context: AsyncContext,
    private readonly parts: CustomParts,
  ) {}

  async reset({ task: ref }: ResetRequest): Promise<ResetResult> {
    await this.close();
    const task = this.parts.taskOf(ref);
    this.task = task;
    this.steps = 0;
    this.tokens = 0;
    this.submitted = undefined;
    this.calls.length = 0;
    const { withheld } = this.parts;
    const info = Object.fromEntries(Object.entries(task).filter(([field]) => !withheld.includes(field)));
    return { observation: promptOf(task), info };
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    this.steps += 1;
    this.tokens += tokensOf(text);
    return { ...(await this.answer(text, signal)), truncated: false };
  }

  async close(): Promise<void> {
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(sessions.map((session) => session.close()));
  }

  private async answer(text: string, signal: AbortSignal): Promise<Answered> {
    const action = this.parts.reader.read(text);
    if (action.kind === "submit") return this.submit(action.answer, signal);
    if (action.kind === "call") return this.call(action.tool, action.given, signal);
    return { observation: action.observation, reward: 0, terminated: false, info: { action: "invalid" } };
  }

  private async call({ name }: Tool, given: Arguments, signal: AbortSignal): Promise<Answered> {
    const session = this.sessionOf(name);
    let isAsked = false;
    const answer = (await this.context.record(async () => {
      isAsked = true;
      return (await session.call(name, given, signal)) as unknown as JsonValue;
    })) as unknown as ToolAnswer;
    if (!isAsked) session.missed?.(name, given);
    const { text, parts, isError = false } = answer;
    this.calls.push({ tool: name, arguments: given as ToolUse["arguments"], isError });
    const info: Info = { action: "call", tool: name, isError };
    return { observation: text, ...(parts && { parts }), reward: 0, terminated: false, info };
  }

  private async submit(answer: string, signal: AbortSignal): Promise<Answered> {
    const request = { task: this.task as TaskLine, answer, steps: this.steps, tokens: this.tokens, calls: this.calls };
    const { reward, info, why } = (await this.context.record(
      async () => (await this.parts.rewards.score(request, signal, true)) as unknown as JsonValue,
    )) as unknown as Score;
    this.submitted = { answer, ...(why !== undefined && { why }) };
    return {
      observation: "The answer was taken.",
      reward,
      terminated: true,
      info: { ...info, action: "submit", answer },
    };
  }

  private sessionOf(name: string): ToolSession {
    const kit = this.parts.kits.find(({ tools }) => tools.some((tool) => tool.name === name)) as ToolKit;
    let session = this.sessions.get(kit);
    if (!session) {
      session = kit.open(this.context);
      this.sessions.set(kit, session);
    }
    return session;
  }
}
