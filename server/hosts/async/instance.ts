import type { AsyncContext, AsyncEnvironment, AsyncEnvironmentSpec, StepResult, Verdict } from "../../../envs/env.js";
import { ServiceFailed } from "../../../envs/errors.js";
import { rewardRangeOf, seatsOf } from "../../../envs/registry.js";
import type { AsyncWrapped } from "../../../envs/shared/wrappers/async-wrapped.js";
import { createAsyncWrapped } from "../../../envs/shared/wrappers/wrap.js";
import { SandboxError } from "../../../sandboxes/sandbox.js";
import { GymError } from "../../errors.js";
import { Ended, type Ending, endedBy } from "../../log/records/episode-state.js";
import { ask, textOfAnswer } from "../answer.js";
import { EpisodeCount, endingOf } from "../ending.js";
import type { OpenRequest, PlayedStep, Question } from "../protocol.js";
import { ActionReader, AsyncReadingEnvironment } from "../reading.js";
import {
  describe,
  expectSame,
  failureOfMachine,
  isOfMachine,
  legible,
  replyText,
  resetText,
  type SeatNames,
  SlotFailure,
} from "../reply-text.js";
import type { ReportWriter } from "../report-writer.js";
import { BoundedCall } from "./bounded-call.js";
import { Holdings } from "./holdings.js";
import { Recorder } from "./recorder.js";
import type { RunningSlot } from "./running-slot.js";

/** The part of an environment's context that all instances of a host share. */
export type HostContext = Omit<AsyncContext, "record" | "sharedSandboxes">;

/** Services of the host that an instance needs. */
export interface InstanceHost {
  readonly context: HostContext;
  /** Collects results. `report` sends them. */
  readonly results: ReportWriter;
  /** Runs code of the environment so that it is attributed to the environment's slot. */
  readonly running: RunningSlot;
  /** Limit in milliseconds on a call of an environment. The environment's spec may set a higher limit. */
  readonly stepDeadlineMs: number;
  readonly maxReplyLength: number;
  /** Time limit in milliseconds on the close of an environment, after which the host closes its sandboxes. */
  readonly closingMs: number;
  /** Resolves once the main thread can accept another reply. */
  room(): Promise<void>;
  report(): void;
  onLost(environment: string, error: GymError): void;
  /** Called when the instance accepts no more commands. */
  onOver(slot: number, closed: Promise<void>): void;
}

/** The instance of an async environment in one slot. The instance performs its commands one after another. */
export class AsyncInstance {
  private readonly deadlineMs: number;
  private wrapped: AsyncWrapped | null = null;
  /** Null if texts are plain actions. */
  private reader: ActionReader | null = null;
  private rewardRange: readonly [number, number] = [0, 0];
  private counted: EpisodeCount | null = null;
  private readonly recorder = new Recorder();
  private readonly holdings: Holdings;
  private queue: Promise<void>;
  private running: BoundedCall<unknown> | null = null;
  private isOver = false;

  constructor(
    private readonly slot: number,
    private readonly request: OpenRequest,
    private readonly spec: AsyncEnvironmentSpec,
    private readonly host: InstanceHost,
  ) {
    this.deadlineMs = Math.max(host.stepDeadlineMs, spec.deadlineMs ?? 0);
    this.holdings = new Holdings(host.context.sandboxes);
    this.queue = this.attempt(() => this.open());
  }

  replay(history: readonly PlayedStep[], isProof = false): void {
    const { slot, host } = this;
    this.enqueue(async () => {
      for (const { action, reply, answers } of history) {
        const index = this.count.steps;
        this.recorder.replay(answers);
        this.reader?.recall(reply);
        const { text } = await this.play(action);
        if (isProof && text !== reply)
          return host.results.add({ type: "replayed", slot, difference: { index, reply: text } });
        expectSame(`step ${index}`, reply, text);
      }
      host.results.add({ type: "replayed", slot });
    });
  }

  step(action: string): void {
    this.enqueue(async () => {
      const index = this.count.steps;
      this.recorder.begin();
      const begunAt = performance.now();
      const { text, stepped, answers } = await this.play(action);
      const gymMs = performance.now() - begunAt;
      const ended = endedBy(stepped);
      const ending = ended === Ended.no ? null : await this.endingOf(action, stepped);
      this.host.results.stepped(this.slot, this.request.episode, index, action, text, ended, answers, gymMs);
      if (ending === null) return;
      this.host.results.ended(ending);
      this.close();
    });
  }

  answer(question: Question): void {
    this.enqueue(async () => {
      const answer = await this.call(
        async ({ unwrapped }, signal) => await ask(this.spec, unwrapped, question, signal),
      );
      const text = textOfAnswer(question, answer, this.host.maxReplyLength);
      this.host.results.add({ type: "answered", slot: this.slot, answer: text });
    });
  }

  /** Closes the instance after all earlier commands. */
  finish(): void {
    this.enqueue(async () => {
      this.host.results.add({ type: "closed", slot: this.slot });
      this.close();
    });
  }

  /** Aborts the running call, if any. The call fails with `reason`, and the instance is closed. */
  abort(reason: GymError): void {
    this.running?.abort(reason);
  }

  /** Fails the instance because of an error outside of any call, for example in a timer. */
  fail(error: unknown): void {
    if (this.isOver) return;
    this.tell(legible(error) instanceof SandboxError ? error : SlotFailure.thrown(error, "outside of any call: "));
    this.close();
    this.host.report();
  }

  /** Closes the instance: aborts the running call, drops the waiting commands, and reports no further result. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.host.onOver(
      this.slot,
      this.host.running.run(this.slot, () => this.shut()),
    );
  }

  private enqueue(task: () => Promise<void>): void {
    this.queue = this.queue.then(() => this.attempt(task));
  }

  private attempt(task: () => Promise<void>): Promise<void> {
    return this.host.running.run(this.slot, () => this.perform(task));
  }

  private async perform(task: () => Promise<void>): Promise<void> {
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
    const { context } = this.host;
    const { sandboxes } = this.holdings;
    return { ...context, sandboxes, sharedSandboxes: context.sandboxes, record: (ask) => this.recorder.record(ask) };
  }

  /** Steps and rewards of an open instance. */
  private get count(): EpisodeCount {
    return this.counted as EpisodeCount;
  }

  private get seats(): SeatNames {
    return seatsOf(this.spec);
  }

  private async open(): Promise<void> {
    const { task, seed, options, format, maxSteps, resetResult } = this.request;
    this.rewardRange = rewardRangeOf(this.spec, options);
    this.counted = new EpisodeCount(this.spec, options);
    const reader = ActionReader.of(format, this.spec, options);
    const around = reader ? (inner: AsyncEnvironment) => new AsyncReadingEnvironment(inner, reader) : undefined;
    this.reader = reader;
    this.wrapped = createAsyncWrapped(this.spec, this.context, maxSteps, around);
    const result = await this.call((environment, signal) => environment.reset({ task, seed, options }, signal));
    const text = resetText(result, this.host.maxReplyLength, this.seats);
    if (resetResult !== "") expectSame("the reset result", resetResult, text);
    this.host.results.add({ type: "opened", slot: this.slot, resetResult: text });
  }

  private async play(action: string): Promise<{ text: string; stepped: StepResult; answers: string }> {
    const stepped = await this.call((environment, signal) => environment.step(action, signal));
    const { count, rewardRange, host, reader, seats } = this;
    const text = replyText(count.steps, rewardRange, stepped, host.maxReplyLength, reader?.newest, seats);
    const answers = this.recorder.end(this.host.maxReplyLength);
    this.count.add(stepped.reward);
    return { text, stepped, answers };
  }

  private async endingOf(action: string, last: StepResult): Promise<Ending> {
    const { spec, count, request } = this;
    const end = count.end(this.reader?.newest ?? action, last);
    let verdict: Verdict | undefined;
    try {
      if (spec.verdict)
        verdict = await this.call(async ({ unwrapped }, signal) => spec.verdict?.(unwrapped, end, signal));
    } catch (error) {
      if (this.isOver) throw error;
      // The step was right, and its reply is final.
    }
    return endingOf(request.episode, end, verdict);
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
      // No caller waits for the answer any more.
    }
    // The outcome of the episode is settled, so no caller waits for an error of the environment.
    await this.holdings.closeAfter(this.wrapped?.close() ?? Promise.resolve(), this.host.closingMs);
  }
}

/** Reports to the slot's owner how its environment failed, and whether the environment is to blame. */
export function addFailure(host: InstanceHost, environment: string, slot: number, error: unknown): void {
  const thrown = legible(error);
  const loss = lossOf(thrown);
  if (loss instanceof GymError) {
    host.onLost(environment, loss);
    return host.results.add({ type: "lost", slot, code: loss.code, expected: loss.expected, received: loss.received });
  }
  const { code, message, trace } = thrown instanceof SlotFailure ? thrown : SlotFailure.thrown(thrown);
  host.results.add({ type: "failed", slot, code, detail: message, trace });
}

/** Returns a GymError if the environment did not cause the failure. Any other error is returned unchanged. */
function lossOf(error: unknown): unknown {
  if (isOfMachine(error)) return failureOfMachine(describe(error));
  if (error instanceof ServiceFailed) return new GymError("SERVICE_FAILED", error.expected, error.received);
  return error instanceof SandboxError ? sandboxFailure(error) : error;
}

/** Returns null for an unknown code, since an environment can create a SandboxError with any code. */
function sandboxFailure({ code, expected, received, advice }: SandboxError): GymError | null {
  try {
    return new GymError(
      `SANDBOX_${code}`,
      expected,
      advice ? `${received}${expected === "" ? "" : "."} ${advice}` : received,
    );
  } catch {
    return null;
  }
}

/** Returns the reason for aborting a call whose result no caller receives. */
export function unwanted(): Error {
  return new Error("The slot was closed.");
}
