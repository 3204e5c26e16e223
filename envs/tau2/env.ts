/** The environment: an agent serves a user with the tools of a domain, as in tau2-bench. */
import type { AsyncContext, AsyncEnvironment, Info, JsonValue, ResetRequest, ResetResult, StepResult } from "../env.js";
import { type Action, readAction } from "./actions.js";
import type { DomainName } from "./domains/domain.js";
import type { Toolkit } from "./domains/toolkit.js";
import { type Ending, type Episode, type Evaluation, evaluate } from "./episode/evaluate.js";
import type { Message, ToolCall } from "./episode/message.js";
import type { Tau2Task } from "./episode/task.js";
import { NotReplayable, World } from "./episode/world.js";
import { neededFolder } from "./folder.js";
import { hasJudge, holds } from "./judge.js";
import { jsonText } from "./python/text.js";
import { taskOf } from "./tasks.js";
import { fixedUser, letterUser, scriptOf } from "./user/fixed.js";
import { modelUser } from "./user/model.js";
import type { User } from "./user/user.js";
import * as words from "./words.js";

/** Limits of tau2-bench: messages and answers of an episode, and failed calls. */
const mostMessages = 200;
const mostErrors = 10;

type Told = Omit<StepResult, "truncated">;

interface Play {
  task: Tau2Task;
  world: World;
  user: User;
}

export class Tau2 implements AsyncEnvironment {
  private play: Play | undefined;
  messages: Message[] = [];
  /** Why the conversation has ended, and its evaluation. */
  ending: Ending | undefined;
  evaluation: Evaluation | undefined;
  private calls = 0;
  private count = 0;
  private errors = 0;

  constructor(
    private readonly context: Pick<AsyncContext, "record">,
    readonly domain: DomainName,
  ) {}

  async reset({ task, options }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    const known = taskOf(this.domain, task);
    const world = new World(neededFolder(), this.domain);
    world.initialize(known.initial);
    this.play = { task: known, world, user: this.userOf(known, world, options.user) };
    this.messages = [...known.initial.messages];
    this.ending = undefined;
    this.evaluation = undefined;
    this.calls = 0;
    this.count = 0;
    this.errors = 0;
    const info: Info = { taskId: known.id };
    if (this.messages.length === 0 && this.play.user.opens) this.say(words.greeting);
    if (this.isUsersTurn && this.play.user.opens) await this.userTurns(signal);
    const shown = words.conversation(this.messages);
    return { observation: this.isUsersTurn ? `${shown}\n${words.waiting}`.trim() : shown, info };
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const action = readAction(text, this.tools);
    return { ...(await this.take(action, signal)), truncated: false };
  }

  async close(): Promise<void> {
    this.play = undefined;
  }

  /** The current task. Undefined before the first reset. */
  get task(): Tau2Task | undefined {
    return this.play?.task;
  }

  private get tools(): Toolkit {
    return (this.play as Play).world.domain.agent.tools;
  }

  /** Whether the user is to write next: nobody has written, or the agent has. */
  private get isUsersTurn(): boolean {
    const last = this.messages.at(-1);
    return last === undefined || (last.role === "assistant" && !last.calls);
  }

  private userOf(task: Tau2Task, world: World, kind: string | undefined): User {
    if (kind === "model") return modelUser(neededFolder(), task, world, (ask) => this.context.record(ask));
    const script = kind === "script" ? scriptOf(this.domain, task.id) : undefined;
    return script ? fixedUser(script) : letterUser(task);
  }

  private async take(action: Action, signal: AbortSignal): Promise<Told> {
    if (action.kind === "invalid") return seen(words.invalid(action.expected, action.received), { action: "invalid" });
    if (action.kind === "say") {
      this.say(action.message);
      return (await this.limited(signal)) ?? this.heard(signal);
    }
    const { name } = action;
    const call: ToolCall = { id: `call_${++this.calls}`, name, arguments: action.arguments, requestor: "assistant" };
    this.messages.push({ role: "assistant", content: null, calls: [call] });
    const isError = this.perform([call]);
    return (await this.limited(signal)) ?? seen(this.messages.at(-1)?.content ?? "", { action: name, isError });
  }

  private say(content: string): void {
    // The first message of an episode does not count in tau2-bench.
    if (this.messages.length > 0) this.count += 1;
    this.messages.push({ role: "assistant", content, calls: undefined });
  }

  /** Performs the calls of a message, and returns whether one failed. */
  private perform(calls: readonly ToolCall[]): boolean {
    this.count += 2;
    const answers = calls.map((call) => ({ call, ...(this.play as Play).world.answer(call) }));
    for (const { call, content, isError } of answers)
      this.messages.push({ role: "tool", id: call.id, content, requestor: call.requestor, isError });
    const failed = answers.filter(({ isError }) => isError).length;
    this.errors += failed;
    return failed > 0;
  }

  private async heard(signal: AbortSignal): Promise<Told> {
    const before = this.messages.length;
    await this.userTurns(signal);
    if (this.ending) return this.end(signal);
    return seen(words.conversation(this.messages.slice(before)), { action: "say" });
  }

  /** Lets the user call tools until the user writes a message. */
  private async userTurns(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { content, calls } = await (this.play as Play).user.next(this.messages, signal);
      const made = calls?.map((each): ToolCall => ({ ...each, id: `user_call_${++this.calls}`, requestor: "user" }));
      this.messages.push({ role: "user", content, calls: made });
      if (made) this.perform(made);
      else this.count += 1;
      const hasStopped = !made && words.stops.some((stop) => content?.includes(stop));
      this.ending = this.limit ?? (hasStopped ? "user_stop" : undefined);
      if (this.ending || !made) return;
    }
  }

  private get limit(): Ending | undefined {
    if (this.errors >= mostErrors) return "too_many_errors";
    return this.count >= mostMessages ? "max_steps" : undefined;
  }

  private async limited(signal: AbortSignal): Promise<Told | undefined> {
    this.ending = this.limit;
    return this.ending && this.end(signal);
  }

  private async end(signal: AbortSignal): Promise<Told> {
    const { task } = this.play as Play;
    const ending = this.ending as Ending;
    const verdicts = await this.judged(task, ending, signal);
    const episode = { task, ending, messages: this.messages, ...(verdicts && { verdicts }) };
    const evaluation = evaluated(this.domain, episode);
    this.evaluation = evaluation;
    return {
      observation: words.ended,
      reward: evaluation.reward,
      terminated: true,
      info: { ending, ...evaluationInfo(evaluation) },
    };
  }

  /** Returns the LLM judge's verdicts, if the task's reward needs them and a judge is configured. */
  private async judged({ criteria }: Tau2Task, ending: Ending, signal: AbortSignal): Promise<boolean[] | undefined> {
    if (ending !== "user_stop" || !criteria?.basis.includes("NL_ASSERTION") || criteria.judged.length === 0)
      return undefined;
    const { messages } = this;
    // Whether there is a judge is part of the record, so that a replay elsewhere takes the same verdicts.
    return (
      (await this.context.record(async () => {
        if (!hasJudge()) return null;
        const verdicts: boolean[] = [];
        for (const assertion of criteria.judged) verdicts.push(await holds(assertion, messages, signal));
        return verdicts;
      })) ?? undefined
    );
  }
}

/** Evaluates an episode. One that tau2-bench cannot evaluate, such as one without the record of an assertion, gets 0. */
function evaluated(domain: DomainName, episode: Episode): Evaluation {
  try {
    return evaluate(neededFolder(), domain, episode);
  } catch (error) {
    if (!(error instanceof NotReplayable)) throw error;
    const note = `The evaluation failed: ${error.message}.`;
    return { reward: 0, parts: {}, assertions: [], actions: [], told: [], unjudged: [], note };
  }
}

/** Returns an evaluation for people, with a warning if a part of the reward is missing. */
export function evaluationInfo({ parts, unjudged, note, ...checks }: Evaluation): Info {
  const { isDatabaseRight, assertions, actions, told } = checks;
  const warning =
    "The reward leaves out NL_ASSERTION: no LLM judge has judged the assertions. Set PALESTRA_JUDGE_URL and PALESTRA_JUDGE_MODEL.";
  return {
    parts: parts as Info,
    ...(isDatabaseRight !== undefined && { isDatabaseRight }),
    assertions,
    actions,
    told,
    ...(unjudged.length > 0 && { unjudged, warning }),
    ...(note !== undefined && { note }),
  };
}

function seen(observation: string, info: Info): Told {
  return { observation, reward: 0, terminated: false, info };
}

/** Returns the conversation in the format of tau2-bench's results. */
export function exported(environment: Tau2, value: (message: Message) => Parameters<typeof jsonText>[0]): JsonValue {
  return JSON.parse(jsonText(environment.messages.map(value))) as JsonValue;
}
