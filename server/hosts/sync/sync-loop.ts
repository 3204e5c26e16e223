import { getHeapStatistics } from "node:v8";
import { Intrinsics } from "../../../envs/contract/intrinsics.js";
import type { Environment, EnvironmentSpec, StepResult, Verdict } from "../../../envs/env.js";
import { atOnce } from "../../../envs/errors.js";
import { type Registry, rewardRangeOf, seatsOf } from "../../../envs/registry.js";
import type { OrderEnforcing } from "../../../envs/shared/wrappers/order-enforcing.js";
import { createWrapped } from "../../../envs/shared/wrappers/wrap.js";
import { Ended, endedBy } from "../../log/records/episode-state.js";
import type { FromHost } from "../../log/records/protocol.js";
import { ask, textOfAnswer } from "../answer.js";
import { EpisodeCount, endingOf } from "../ending.js";
import type {
  Command,
  CommandMessage,
  HostLimits,
  LastResult,
  OpenRequest,
  PlayedStep,
  Question,
  SlotNumber,
  VerifyRequest,
} from "../protocol.js";
import { outOfMemoryExit } from "../protocol.js";
import type { Pulse } from "../pulse.js";
import { ActionReader, ReadingEnvironment } from "../reading.js";
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
  verdictText,
} from "../reply-text.js";
import { ReportWriter } from "../report-writer.js";

export interface SyncLoopOptions {
  registry: Registry;
  limits: HostLimits;
  pulse: Pulse;
  /**
   * When the loop checks that no environment has changed the objects that all environments of the host share. `message`
   * checks after each message, and `call` after each call, which costs more and tells which slot is to blame.
   */
  checks: IntrinsicChecks;
  /** Sends a message to the log. */
  send(message: FromHost): void;
  /** Runs code of a slot, so that its timers and promises are attributed to the slot, too. Default: only runs it. */
  attribute?<T>(slot: SlotNumber, call: () => T): T;
}

export type IntrinsicChecks = "never" | "message" | "call";

interface Instance {
  spec: EnvironmentSpec;
  rewardRange: readonly [number, number];
  wrapped: OrderEnforcing;
  seats: SeatNames;
  /** Null if texts are plain actions. */
  reader: ActionReader | null;
  /** Key of the episode in the log. */
  episode: number;
  count: EpisodeCount;
}

interface Played {
  /** JSON text of the reply. */
  text: string;
  ended: Ended;
  stepped: StepResult;
}

const context = { now: Date.now };

/**
 * Performs commands on the instances of synchronous environments, one after another. If an environment throws, only its own
 * slot fails. If an environment hangs or exhausts memory, the host ends. The gym then reads from the pulse which slot was
 * running.
 */
export class SyncLoop {
  private readonly instances = new Map<SlotNumber, Instance>();
  private readonly results = new ReportWriter();
  private served: SlotNumber = 0;

  /** Null if no check compares them. */
  private readonly intrinsics: Intrinsics | null;

  constructor(private readonly options: SyncLoopOptions) {
    this.intrinsics = options.checks === "never" ? null : new Intrinsics();
  }

  /**
   * Performs the commands of a message in order. Yields after each report to the log, so that the caller can wait until the
   * gym has taken the report. With `checks: "call"`, each command has its own report.
   *
   * @throws if code of the loop itself fails, because an environment broke the objects that all code shares. The host has to
   * end then.
   */
  *perform(message: CommandMessage): Generator<void> {
    this.options.pulse.begin();
    let isShared = false;
    for (let at = 0; at < message.length; ) {
      const word = message[at++] as SlotNumber | Command;
      const before = this.served;
      if (typeof word === "object") this.onCommand(word);
      else this.onStep(word, message[at++] as string);
      isShared ||= before !== 0 && before !== this.served;
      const isCareful = this.options.checks === "call";
      if (isCareful) this.expectIntrinsics();
      if (isCareful || this.results.isFull) yield this.report();
    }
    // Commands of several slots leave open which of them is to blame.
    if (isShared) this.served = 0;
    if (this.options.checks === "message") this.expectIntrinsics();
    this.served = 0;
    this.options.pulse.end();
    yield this.report();
  }

  /** Slot whose command is being performed. 0 means no slot. */
  get servedSlot(): SlotNumber {
    return this.served;
  }

  /** Marks the slot of the command that failed as running, so that the gym blames it for the end of the host. */
  blameServed(): void {
    if (this.served !== 0) this.options.pulse.enter(this.served);
  }

  /** Results of a host with changed intrinsics are not sent, since the change may have falsified them. */
  private expectIntrinsics(): void {
    const changed = this.intrinsics?.changed ?? null;
    if (changed !== null) throw new Error(`it changed ${changed}, which all environments of its host share`);
  }

  private report(): void {
    if (this.results.isEmpty) return;
    this.options.pulse.reported(this.results.characters);
    this.options.send(this.results.take());
  }

  private onStep(slot: SlotNumber, action: string): void {
    this.served = slot;
    this.attempt(slot, () => this.step(slot, action));
  }

  private onCommand(command: Command): void {
    if (command.type === "resume") {
      this.served = 0;
      this.report();
      return this.options.send({ type: "resumed" });
    }
    this.served = command.slot;
    const { slot } = command;
    switch (command.type) {
      case "open":
        return this.attempt(slot, () => this.open(slot, command.request));
      case "replay":
        return this.attempt(slot, () => this.replay(slot, command.history, command.isProof));
      case "ask":
        return this.attempt(slot, () => this.answer(slot, command.question));
      case "clone":
        return this.attempt(command.copy, () => this.clone(slot, command.copy, command.episode));
      case "verify":
        return this.attempt(slot, () => this.verify(slot, command.request));
      case "finish":
        this.close(slot);
        return this.results.add({ type: "closed", slot });
      case "close":
        return this.close(slot);
    }
  }

  private attempt(slot: SlotNumber, action: () => void): void {
    try {
      action();
      this.checkMemory(slot);
    } catch (error) {
      this.results.add(this.resultOf(slot, legible(error)));
      this.close(slot);
    }
  }

  /** Returns the result of a slot whose environment threw. A slot that the machine failed is lost, so its step can be repeated. */
  private resultOf(slot: SlotNumber, thrown: unknown): LastResult {
    if (!(thrown instanceof SlotFailure) && this.guarded(slot, () => isOfMachine(thrown))) {
      const { code, expected, received } = failureOfMachine(this.guarded(slot, () => describe(thrown)));
      return { type: "lost", slot, code, expected, received };
    }
    const failure = thrown instanceof SlotFailure ? thrown : this.guarded(slot, () => SlotFailure.thrown(thrown));
    return { type: "failed", slot, code: failure.code, detail: failure.message, trace: failure.trace };
  }

  private open(slot: SlotNumber, opened: OpenRequest): void {
    const { episode, environment, format, maxSteps, resetResult, ...request } = opened;
    const spec = this.specOf(environment);
    const rewardRange = rewardRangeOf(spec, request.options);
    const reader = ActionReader.of(format, spec, request.options);
    const around = reader ? (inner: Environment) => new ReadingEnvironment(inner, reader) : undefined;
    const wrapped = createWrapped(spec, context, maxSteps, around);
    const count = new EpisodeCount(spec, request.options);
    const instance = { spec, rewardRange, seats: seatsOf(spec), wrapped, reader, episode, count };
    const { maxReplyLength } = this.options.limits;
    const text = this.guarded(slot, () => resetText(instance.wrapped.reset(request), maxReplyLength, instance.seats));
    if (resetResult !== "") expectSame("the reset result", resetResult, text);
    this.instances.set(slot, instance);
    this.results.add({ type: "opened", slot, resetResult: text });
  }

  private replay(slot: SlotNumber, history: readonly PlayedStep[], isProof = false): void {
    const instance = this.instances.get(slot);
    if (!instance) return;
    for (const { action, reply } of history) {
      const index = instance.count.steps;
      instance.reader?.recall(reply);
      const { text } = this.play(slot, instance, action);
      if (isProof && text !== reply)
        return this.results.add({ type: "replayed", slot, difference: { index, reply: text } });
      expectSame(`step ${index}`, reply, text);
    }
    this.results.add({ type: "replayed", slot });
  }

  private step(slot: SlotNumber, action: string): void {
    const instance = this.instances.get(slot);
    // The slot ended or failed with an earlier command of the same message. The main thread will receive that result.
    if (!instance) return;
    const index = instance.count.steps;
    const begunAt = performance.now();
    const { text, ended, stepped } = this.play(slot, instance, action);
    this.results.stepped(slot, instance.episode, index, action, text, ended, "", performance.now() - begunAt);
    if (ended !== Ended.no) this.end(slot, instance, action, stepped);
  }

  private answer(slot: SlotNumber, question: Question): void {
    const instance = this.instances.get(slot);
    if (!instance) return;
    const { spec, wrapped } = instance;
    const { maxReplyLength } = this.options.limits;
    const text = this.guarded(slot, () =>
      textOfAnswer(question, ask(spec, wrapped.unwrapped, question), maxReplyLength),
    );
    this.results.add({ type: "answered", slot, answer: text });
  }

  private clone(slot: SlotNumber, copySlot: SlotNumber, episode: number): void {
    const source = this.instances.get(slot);
    if (!source) throw new Error(`expected an instance to clone in slot ${slot}, but the slot is empty`);
    const wrapped = this.guarded(slot, () => source.wrapped.clone());
    this.instances.set(copySlot, { ...source, wrapped, episode, count: source.count.copy() });
    this.results.add({ type: "cloned", slot: copySlot });
  }

  /** Calls the verifier once for each answer, so that the deadline applies to each answer. */
  private verify(slot: SlotNumber, { environment, submissions, tellsExpected }: VerifyRequest): void {
    const spec = this.specOf(environment);
    const { maxReplyLength } = this.options.limits;
    const verdicts = submissions.map((submission) =>
      this.guarded(slot, () => verdictText(atOnce("verify", spec.verify?.(submission)), maxReplyLength, tellsExpected)),
    );
    this.results.add({ type: "verified", slot, verdicts: verdicts.join("\n") });
  }

  private specOf(environment: string): EnvironmentSpec {
    const spec = this.options.registry.get(environment);
    if (spec.isAsync) throw new Error(`expected a synchronous environment, but received ${environment}`);
    return spec;
  }

  private close(slot: SlotNumber): void {
    const instance = this.instances.get(slot);
    if (!instance) return;
    this.instances.delete(slot);
    try {
      this.guarded(slot, () => instance.wrapped.close());
    } catch {
      // The outcome of the episode is settled, so no caller waits for this error.
    }
  }

  private play(slot: SlotNumber, instance: Instance, action: string): Played {
    const { rewardRange, seats, wrapped, reader, count } = instance;
    const { maxReplyLength } = this.options.limits;
    return this.guarded(slot, () => {
      const stepped = wrapped.step(action);
      const text = replyText(count.steps, rewardRange, stepped, maxReplyLength, reader?.newest, seats);
      count.add(stepped.reward);
      return { text, ended: endedBy(stepped), stepped };
    });
  }

  /** Logs the verdict on an episode, and closes its slot. */
  private end(slot: SlotNumber, { spec, wrapped, reader, count, episode }: Instance, action: string, last: StepResult) {
    const end = count.end(reader?.newest ?? action, last);
    const ending = this.guarded(slot, () => {
      let verdict: Verdict | undefined;
      try {
        verdict = spec.verdict?.(wrapped.unwrapped, end);
      } catch {
        // The step was right, and its reply is final.
      }
      return endingOf(episode, end, verdict);
    });
    this.results.ended(ending);
    this.close(slot);
  }

  /**
   * Runs code of an environment and marks the call in the pulse. The first access to a result also runs code of the
   * environment.
   */
  private guarded<T>(slot: SlotNumber, call: () => T): T {
    const { pulse } = this.options;
    pulse.enter(slot);
    try {
      return this.options.attribute ? this.options.attribute(slot, call) : call();
    } finally {
      pulse.leave();
    }
  }

  /**
   * Ends the host if it uses too much memory. V8 ends the host when its heap is full, but array buffers are stored outside
   * that heap. The call that exceeds the limit most likely belongs to the environment that allocates the most memory.
   */
  private checkMemory(slot: SlotNumber): void {
    const { limits, pulse } = this.options;
    const usedMb = memoryUsed() / 2 ** 20;
    if (usedMb >= limits.memoryMb) {
      pulse.enter(slot);
      process.exit(outOfMemoryExit);
    }
    pulse.usedMb = usedMb;
  }
}

function memoryUsed(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
