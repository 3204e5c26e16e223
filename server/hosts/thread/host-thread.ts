/**
 * A host: the worker thread that runs environments. Its loop takes a tick's commands, plays them in order, and reports
 * the results to the log. An environment that throws fails its own slot; one that hangs or eats memory takes the thread
 * with it, and the main thread, which watches the pulse, knows whose it was.
 */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { EnvironmentSpec } from "../../../envs/env.js";
import { Registry, rewardRangeOf } from "../../../envs/registry.js";
import type { OrderEnforcing } from "../../../envs/wrappers/order-enforcing.js";
import { createWrapped } from "../../../envs/wrappers/wrap.js";
import { ask, textOfAnswer } from "../answer.js";
import {
  Command,
  Ended,
  endedBy,
  type FromHost,
  faultExit,
  type HostData,
  type HostNotice,
  type Message,
  MessageReader,
  type OpenRequest,
  outOfMemoryExit,
  type PlayedStep,
  Pulse,
  type Question,
  Result,
  type VerifyRequest,
} from "../protocol.js";
import { describe, expectSame, openingText, replyText, SlotFailure, verdictText } from "../reply-text.js";
import { ReportWriter } from "../report-writer.js";

if (!parentPort) throw new Error("expected to run as a worker thread, but received the main thread");
const port = parentPort;
const { pulse: pulseBuffer, log, environmentModules, limits } = workerData as HostData;

const pulse = new Pulse(pulseBuffer);
const registry = await Registry.load(environmentModules, "sync");
const context = { now: Date.now };

interface Instance {
  spec: EnvironmentSpec;
  rewardRange: readonly [number, number];
  wrapped: OrderEnforcing;
  /** The episode's key in the log. */
  episode: number;
  steps: number;
}

const instances = new Map<number, Instance>();
const results = new ReportWriter();
/** Whose command is being performed; 0 is nobody's. */
let served = 0;

port.on("message", (message: Message) => {
  pulse.begin();
  try {
    const reader = new MessageReader(message);
    while (!reader.done) {
      perform(reader);
      if (results.isFull) report();
    }
    served = 0;
    report();
  } catch (error) {
    // What should catch every error has failed itself: nothing here can be trusted any more, and other hosts take over.
    notify({ kind: "fault", detail: describe(error) });
    if (served !== 0) pulse.enter(served);
    process.exit(faultExit);
  }
});
// From a timer or promise of an environment. No step is waiting for it, and nobody can tell whose it is: it is
// reported, and all go on. What it left undone shows in the replies of the episode that it belongs to, if anywhere.
process.on("uncaughtException", (error) => notify({ kind: "stray", detail: describe(error) }));
notify({ kind: "ready" });

function notify(notice: HostNotice): void {
  port.postMessage(notice);
}

function tellLog(message: FromHost): void {
  log.postMessage(message);
}

function report(): void {
  if (results.isEmpty) return;
  pulse.reported(results.characters);
  tellLog(results.take());
  pulse.awaitTaken();
}

function perform(reader: MessageReader): void {
  const kind = reader.number();
  const slot = reader.number();
  served = slot;
  switch (kind) {
    case Command.open: {
      const request = reader.openRequest();
      return attempt(slot, () => open(slot, request));
    }
    case Command.replay: {
      const history = reader.history();
      return attempt(slot, () => replay(slot, history));
    }
    case Command.step: {
      const action = reader.string();
      return attempt(slot, () => step(slot, action));
    }
    case Command.ask: {
      const question = reader.string() as Question;
      return attempt(slot, () => answer(slot, question));
    }
    case Command.clone: {
      const copy = reader.number();
      const episode = reader.number();
      return attempt(copy, () => clone(slot, copy, episode));
    }
    case Command.verify: {
      const request = reader.verifyRequest();
      return attempt(slot, () => verify(slot, request));
    }
    case Command.finish:
      close(slot);
      return results.add(Result.closed, slot);
    case Command.close:
      return close(slot);
    case Command.resume:
      report();
      return tellLog({ kind: "resumed" });
    default:
      throw new Error(`expected a command of the host protocol, but received ${kind}`);
  }
}

function attempt(slot: number, action: () => void): void {
  try {
    action();
    checkMemory(slot);
  } catch (error) {
    const { code, message } = error instanceof SlotFailure ? error : thrown(slot, error);
    results.add(Result.failed, slot, code, message);
    close(slot);
  }
}

function thrown(slot: number, error: unknown): SlotFailure {
  return new SlotFailure(
    "ENVIRONMENT_THREW",
    guarded(slot, () => describe(error)),
  );
}

function open(slot: number, { episode, environment, maxSteps, opening, ...request }: OpenRequest): void {
  const spec = specOf(environment);
  const rewardRange = rewardRangeOf(spec, request.options);
  const instance = { spec, rewardRange, wrapped: createWrapped(spec, context, maxSteps), episode, steps: 0 };
  const text = guarded(slot, () => openingText(instance.wrapped.reset(request), limits.maxReplyLength));
  if (opening !== "") expectSame("opening", opening, text);
  instances.set(slot, instance);
  results.opened(slot, text);
}

function replay(slot: number, history: readonly PlayedStep[]): void {
  const instance = instances.get(slot);
  if (!instance) return;
  for (const { action, reply } of history)
    expectSame(`step ${instance.steps}`, reply, play(slot, instance, action).text);
  results.add(Result.replayed, slot);
}

function step(slot: number, action: string): void {
  const instance = instances.get(slot);
  // The slot ended or failed with an earlier command of the same tick; the main thread is being told.
  if (!instance) return;
  const index = instance.steps;
  const { text, ended } = play(slot, instance, action);
  results.stepped(slot, instance.episode, index, action, text, ended);
  if (ended !== Ended.no) close(slot);
}

function answer(slot: number, question: Question): void {
  const instance = instances.get(slot);
  if (!instance) return;
  const { spec, wrapped } = instance;
  const text = guarded(slot, () =>
    textOfAnswer(question, ask(spec, wrapped.unwrapped, question), limits.maxReplyLength),
  );
  results.add(Result.answered, slot, text ?? "", text === null ? 0 : 1);
}

function clone(slot: number, copySlot: number, episode: number): void {
  const source = instances.get(slot);
  if (!source) throw new Error("expected a live instance to clone, but received an empty slot");
  const wrapped = guarded(slot, () => source.wrapped.clone());
  instances.set(copySlot, { ...source, wrapped, episode });
  results.add(Result.cloned, copySlot);
}

/** One call of the environment per answer: its deadline is for each. */
function verify(slot: number, { environment, submissions }: VerifyRequest): void {
  const spec = specOf(environment);
  const verdicts = submissions.map((submission) =>
    guarded(slot, () => verdictText(spec.verify?.(submission), limits.maxReplyLength)),
  );
  results.verified(slot, verdicts.join("\n"));
}

function specOf(environment: string): EnvironmentSpec {
  const spec = registry.get(environment);
  if (spec.isAsync) throw new Error(`expected an environment that runs in a thread, but received ${environment}`);
  return spec;
}

function close(slot: number): void {
  const instance = instances.get(slot);
  if (!instance) return;
  instances.delete(slot);
  try {
    guarded(slot, () => instance.wrapped.close());
  } catch {
    // The episode's outcome is settled and the instance is out of reach: nobody is left to tell.
  }
}

function play(slot: number, instance: Instance, action: string): { text: string; ended: Ended } {
  const { rewardRange, wrapped, steps } = instance;
  return guarded(slot, () => {
    const stepped = wrapped.step(action);
    const text = replyText(steps, rewardRange, stepped, limits.maxReplyLength);
    instance.steps += 1;
    return { text, ended: endedBy(stepped) };
  });
}

/** Runs code of an environment, and whatever touches its results for the first time, with the pulse beating. */
function guarded<T>(slot: number, call: () => T): T {
  pulse.enter(slot);
  try {
    return call();
  } finally {
    pulse.leave();
  }
}

/**
 * V8 ends the thread when its heap is full, but array buffers live outside that heap, so the memory is read after every
 * call: whose call crosses the limit is most likely whose calls allocate the most.
 */
function checkMemory(slot: number): void {
  const usedMb = memoryUsed() / 2 ** 20;
  if (usedMb >= limits.memoryMb) {
    pulse.enter(slot);
    process.exit(outOfMemoryExit);
  }
  pulse.usedMb = usedMb;
}

function memoryUsed(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
