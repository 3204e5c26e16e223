/**
 * Program of a worker thread that runs environments. The thread performs each message of commands in order and reports
 * the results to the log. If an environment throws, only its own slot fails. If an environment hangs or exhausts
 * memory, the thread ends. The main thread then reads from the pulse which slot was running.
 */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { EnvironmentSpec } from "../../../envs/env.js";
import { Registry, rewardRangeOf } from "../../../envs/registry.js";
import type { OrderEnforcing } from "../../../envs/wrappers/order-enforcing.js";
import { createWrapped } from "../../../envs/wrappers/wrap.js";
import { Ended, endedBy } from "../../log/episode-state.js";
import type { FromHost } from "../../log/protocol.js";
import { ask, textOfAnswer } from "../answer.js";
import {
  type Command,
  type CommandHandler,
  type CommandMessage,
  faultExit,
  type HostData,
  type HostNotice,
  type OpenRequest,
  outOfMemoryExit,
  type PlayedStep,
  type Question,
  readCommands,
  type VerifyRequest,
} from "../protocol.js";
import { Pulse } from "../pulse.js";
import { describe, expectSame, replyText, resetText, SlotFailure, verdictText } from "../reply-text.js";
import { ReportWriter } from "../report-writer.js";

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;
const { pulse: pulseBuffer, log, environmentModules, limits } = workerData as HostData;

const pulse = new Pulse(pulseBuffer);
const registry = await Registry.load(environmentModules, "sync");
const context = { now: Date.now };

interface Instance {
  spec: EnvironmentSpec;
  rewardRange: readonly [number, number];
  wrapped: OrderEnforcing;
  /** Key of the episode in the log. */
  episode: number;
  steps: number;
}

const instances = new Map<number, Instance>();
const results = new ReportWriter();
/** Slot whose command is being performed, or 0. */
let served = 0;

const commands: CommandHandler = {
  onStep(slot, action) {
    served = slot;
    attempt(slot, () => step(slot, action));
    if (results.isFull) report();
  },
  onCommand,
};

port.on("message", (message: CommandMessage) => {
  pulse.begin();
  try {
    readCommands(message, commands);
    served = 0;
    report();
  } catch (error) {
    // The code that should catch every error has itself thrown one. This thread cannot be trusted any more, so it ends.
    notify({ type: "fault", detail: describe(error) });
    if (served !== 0) pulse.enter(served);
    process.exit(faultExit);
  }
});
// A timer or promise of an environment threw the error outside of any call. No step waits for this error, and its slot is
// unknown, so the thread only reports it. Effects of the error, if any, show in the replies of the environment's own
// episode.
process.on("uncaughtException", (error) => notify({ type: "stray", detail: describe(error) }));
notify({ type: "ready" });

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

function onCommand(command: Command): void {
  if (command.type === "resume") {
    served = 0;
    report();
    return tellLog({ type: "resumed" });
  }
  served = command.slot;
  perform(command);
  if (results.isFull) report();
}

function perform(command: Exclude<Command, { type: "resume" }>): void {
  const { slot } = command;
  switch (command.type) {
    case "open":
      return attempt(slot, () => open(slot, command.request));
    case "replay":
      return attempt(slot, () => replay(slot, command.history));
    case "ask":
      return attempt(slot, () => answer(slot, command.question));
    case "clone":
      return attempt(command.copy, () => clone(slot, command.copy, command.episode));
    case "verify":
      return attempt(slot, () => verify(slot, command.request));
    case "finish":
      close(slot);
      return results.add({ type: "closed", slot });
    case "close":
      return close(slot);
  }
}

function attempt(slot: number, action: () => void): void {
  try {
    action();
    checkMemory(slot);
  } catch (error) {
    const { code, message } = error instanceof SlotFailure ? error : thrown(slot, error);
    results.add({ type: "failed", slot, code, detail: message });
    close(slot);
  }
}

function thrown(slot: number, error: unknown): SlotFailure {
  return new SlotFailure(
    "ENVIRONMENT_THREW",
    guarded(slot, () => describe(error)),
  );
}

function open(slot: number, { episode, environment, maxSteps, resetResult, ...request }: OpenRequest): void {
  const spec = specOf(environment);
  const rewardRange = rewardRangeOf(spec, request.options);
  const instance = { spec, rewardRange, wrapped: createWrapped(spec, context, maxSteps), episode, steps: 0 };
  const text = guarded(slot, () => resetText(instance.wrapped.reset(request), limits.maxReplyLength));
  if (resetResult !== "") expectSame("the reset result", resetResult, text);
  instances.set(slot, instance);
  results.add({ type: "opened", slot, resetResult: text });
}

function replay(slot: number, history: readonly PlayedStep[]): void {
  const instance = instances.get(slot);
  if (!instance) return;
  for (const { action, reply } of history)
    expectSame(`step ${instance.steps}`, reply, play(slot, instance, action).text);
  results.add({ type: "replayed", slot });
}

function step(slot: number, action: string): void {
  const instance = instances.get(slot);
  // The slot ended or failed with an earlier command of the same message. The main thread will receive that result.
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
  results.add({ type: "answered", slot, answer: text });
}

function clone(slot: number, copySlot: number, episode: number): void {
  const source = instances.get(slot);
  if (!source) throw new Error(`expected an instance to clone in slot ${slot}, but the slot is empty`);
  const wrapped = guarded(slot, () => source.wrapped.clone());
  instances.set(copySlot, { ...source, wrapped, episode });
  results.add({ type: "cloned", slot: copySlot });
}

/** Calls the verifier once for each answer, so that the deadline applies to each answer. */
function verify(slot: number, { environment, submissions }: VerifyRequest): void {
  const spec = specOf(environment);
  const verdicts = submissions.map((submission) =>
    guarded(slot, () => verdictText(spec.verify?.(submission), limits.maxReplyLength)),
  );
  results.add({ type: "verified", slot, verdicts: verdicts.join("\n") });
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
    // The outcome of the episode is settled, so no caller waits for this error.
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

/**
 * Runs code of an environment and marks the call in the pulse. The first access to a result also runs code of the
 * environment.
 */
function guarded<T>(slot: number, call: () => T): T {
  pulse.enter(slot);
  try {
    return call();
  } finally {
    pulse.leave();
  }
}

/**
 * Ends the thread if it uses too much memory. V8 ends the thread when its heap is full, but array buffers are stored
 * outside that heap. The call that exceeds the limit most likely belongs to the environment that allocates the most
 * memory.
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
