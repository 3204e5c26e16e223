import type { AsyncContext, AsyncEnvironmentSpec } from "../../../envs/env.js";
import { ServiceFailed } from "../../../envs/errors.js";
import { rewardRangeOf } from "../../../envs/registry.js";
import type { AsyncWrapped } from "../../../envs/wrappers/async-wrapped.js";
import { createAsyncWrapped } from "../../../envs/wrappers/wrap.js";
import { SandboxError } from "../../../sandboxes/sandbox.js";
import { GymError } from "../../errors.js";
import { ask, textOfAnswer } from "../answer.js";
import { Ended, endedBy, type OpenRequest, type PlayedStep, type Question, Result } from "../protocol.js";
import { describe, expectSame, openingText, replyText, SlotFailure } from "../reply-text.js";
import type { ReportWriter } from "../report-writer.js";
import { BoundedCall } from "./bounded-call.js";
import { Recorder } from "./recorder.js";
import type { RunningSlot } from "./running-slot.js";

/** What all instances of a host are given alike. */
export type HostContext = Omit<AsyncContext, "record">;

/** What an instance needs of its host. */
export interface InstanceHost {
  readonly context: HostContext;
  /** Takes results; `report` has them sent. */
  readonly results: ReportWriter;
  /** All code of the environment runs as its slot's. */
  readonly running: RunningSlot;
  /** A call of an environment may take so long, unless its spec says longer. */
  readonly stepDeadlineMs: number;
  readonly maxReplyLength: number;
  /** Settles once there is room for another reply. */
  room(): Promise<void>;
  report(): void;
  onLost(environment: string, error: GymError): void;
  /** The instance takes no more commands. */
  onOver(slot: number, closed: Promise<void>): void;
}

/** The instance of an async environment in one slot. What it is commanded is done one after another. */
export class AsyncInstance {
  private readonly deadlineMs: number;
  private wrapped: AsyncWrapped | null = null;
  private rewardRange: readonly [number, number] = [0, 0];
  private steps = 0;
  private readonly recorder = new Recorder();
  private line: Promise<void>;
  private running: BoundedCall<unknown> | null = null;
  private isOver = false;

  constructor(
    private readonly slot: number,
    private readonly request: OpenRequest,
    private readonly spec: AsyncEnvironmentSpec,
    private readonly host: InstanceHost,
  ) {
    this.deadlineMs = Math.max(host.stepDeadlineMs, spec.deadlineMs ?? 0);
    this.line = this.attempt(() => this.open());
  }

  replay(history: readonly PlayedStep[]): void {
    this.enqueue(async () => {
      for (const { action, reply, answers } of history) {
        this.recorder.replay(answers);
        expectSame(`step ${this.steps}`, reply, (await this.play(action)).text);
      }
      this.host.results.add(Result.replayed, this.slot);
    });
  }

  step(action: string): void {
    this.enqueue(async () => {
      const index = this.steps;
      this.recorder.begin();
      const { text, ended, answers } = await this.play(action);
      this.host.results.stepped(this.slot, this.request.episode, index, action, text, ended, answers);
      if (ended !== Ended.no) this.close();
    });
  }

  answer(question: Question): void {
    this.enqueue(async () => {
      const answer = await this.call(
        async ({ unwrapped }, signal) => await ask(this.spec, unwrapped, question, signal),
      );
      const text = textOfAnswer(question, answer, this.host.maxReplyLength);
      this.host.results.add(Result.answered, this.slot, text ?? "", text === null ? 0 : 1);
    });
  }

  /** Closes the instance after all that it was commanded. */
  finish(): void {
    this.enqueue(async () => {
      this.host.results.add(Result.closed, this.slot);
      this.close();
    });
  }

  /** Aborts what runs, if anything does: its caller is told the reason, and the instance is closed. */
  abort(reason: GymError): void {
    this.running?.abort(reason);
  }

  /** Fails the instance for an error outside of any call, as from a timer. */
  fail(error: unknown): void {
    if (this.isOver) return;
    const detail = `outside of any call: ${describe(error)}`;
    this.tell(error instanceof SandboxError ? error : new SlotFailure("ENVIRONMENT_THREW", detail));
    this.close();
    this.host.report();
  }

  /** Closes the instance. What runs is aborted, what it has still to do left undone, and no result told any more. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.host.onOver(
      this.slot,
      this.host.running.run(this.slot, () => this.shut()),
    );
  }

  private enqueue(task: () => Promise<void>): void {
    this.line = this.line.then(() => this.attempt(task));
  }

  private attempt(task: () => Promise<void>): Promise<void> {
    return this.host.running.run(this.slot, () => this.performed(task));
  }

  private async performed(task: () => Promise<void>): Promise<void> {
    try {
      await this.host.room();
      if (!this.isOver) await task();
    } catch (error) {
      if (this.isOver) return;
      this.tell(error);
      this.close();
    }
    this.host.report();
  }

  private get context(): AsyncContext {
    return { ...this.host.context, record: (ask) => this.recorder.record(ask) };
  }

  private async open(): Promise<void> {
    const { task, seed, options, maxSteps, opening } = this.request;
    this.rewardRange = rewardRangeOf(this.spec, options);
    this.wrapped = createAsyncWrapped(this.spec, this.context, maxSteps);
    const result = await this.call((environment, signal) => environment.reset({ task, seed, options }, signal));
    const text = openingText(result, this.host.maxReplyLength);
    if (opening !== "") expectSame("opening", opening, text);
    this.host.results.opened(this.slot, text);
  }

  private async play(action: string): Promise<{ text: string; ended: Ended; answers: string }> {
    const stepped = await this.call((environment, signal) => environment.step(action, signal));
    const text = replyText(this.steps, this.rewardRange, stepped, this.host.maxReplyLength);
    const answers = this.recorder.end(this.host.maxReplyLength);
    this.steps += 1;
    return { text, ended: endedBy(stepped), answers };
  }

  private async call<T>(make: (environment: AsyncWrapped, signal: AbortSignal) => Promise<T>): Promise<T> {
    const call = new BoundedCall(this.deadlineMs, (signal) => make(this.wrapped as AsyncWrapped, signal));
    this.running = call;
    try {
      const result = await call.result;
      if (this.isOver) throw unwanted();
      return result;
    } finally {
      this.running = null;
    }
  }

  private tell(error: unknown): void {
    addFailure(this.host, this.request.environment, this.slot, error);
  }

  private async shut(): Promise<void> {
    this.running?.abort(unwanted());
    try {
      await this.running?.result;
    } catch {
      // Nobody wants its answer any more.
    }
    try {
      await this.wrapped?.close();
    } catch {
      // The episode's outcome is settled and the instance is out of reach: nobody is left to tell.
    }
  }
}

/** Tells the slot's owner how its environment failed, and whose fault that is. */
export function addFailure(host: InstanceHost, environment: string, slot: number, error: unknown): void {
  const loss = lossOf(error);
  if (loss instanceof GymError) {
    host.onLost(environment, loss);
    return host.results.add(Result.lost, slot, loss.code, loss.expected, loss.received);
  }
  const { code, message } =
    error instanceof SlotFailure ? error : new SlotFailure("ENVIRONMENT_THREW", describe(error));
  host.results.add(Result.failed, slot, code, message);
}

/** Failure of something other than the environment; any other error as it is. */
function lossOf(error: unknown): unknown {
  if (error instanceof ServiceFailed) return new GymError("SERVICE_FAILED", error.expected, error.received);
  return error instanceof SandboxError ? sandboxFailure(error) : error;
}

/** In the sandbox's own words, if they are any: the error may be one that the environment made up. */
function sandboxFailure({ code, expected, received, advice }: SandboxError): GymError | null {
  try {
    return new GymError(`SANDBOX_${code}`, expected, advice ? `${received}. ${advice}` : received);
  } catch {
    return null;
  }
}

export function unwanted(): GymError {
  return new GymError("EPISODE_CLOSED", "an episode that goes on", "its end");
}
