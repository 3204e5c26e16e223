/**
 * A host: the worker thread that runs environments. Its loop takes a tick's commands, plays them in order, and posts
 * all results at once. An environment that throws fails its own slot; one that hangs or eats memory takes the thread
 * with it, and the main thread, which watches the pulse, knows whose it was.
 */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { EnvironmentSpec, ResetResult, StepResult } from "../../envs/env.js";
import { Registry } from "../../envs/registry.js";
import type { OrderEnforcing } from "../../envs/wrappers/order-enforcing.js";
import { createWrapped } from "../../envs/wrappers/wrap.js";
import type { ErrorCode } from "../errors.js";
import {
  Command,
  Ended,
  fullMessage,
  type HostData,
  type Message,
  MessageReader,
  outOfMemoryExit,
  Pulse,
  Result,
} from "./host-protocol.js";

if (!parentPort) throw new Error("expected to run as a worker thread, but received the main thread");
const port = parentPort;
const { pulse: pulseBuffer, environmentModules, limits } = workerData as HostData;

const pulse = new Pulse(pulseBuffer);
const registry = await Registry.load(environmentModules);
const memoryLimit = limits.memoryMb * 2 ** 20;

interface Instance {
  spec: EnvironmentSpec;
  wrapped: OrderEnforcing;
  steps: number;
}

/** Ends a slot: code and detail go to the main thread. */
class SlotFailure extends Error {
  constructor(
    readonly code: ErrorCode,
    detail: string,
  ) {
    super(detail);
  }
}

const context = { now: Date.now };
const instances = new Map<number, Instance>();
let results: Message = [];

port.on("message", (message: Message) => {
  const reader = new MessageReader(message);
  while (!reader.done) {
    perform(reader);
    if (results.length >= fullMessage) post();
  }
  post();
});
// From a timer or promise of an environment. No step is waiting for it, and nobody can tell whose it is: it is
// reported, and all go on. What it left undone shows in the replies of the episode that it belongs to, if anywhere.
process.on("uncaughtException", (error) => port.postMessage([Result.stray, 0, describe(error)] satisfies Message));
port.postMessage([]);

/** Under load the main thread answers the first steps of a message while the last are still played. */
function post(): void {
  if (results.length === 0) return;
  port.postMessage(results);
  results = [];
}

function perform(reader: MessageReader): void {
  const kind = reader.number();
  const slot = reader.number();
  switch (kind) {
    case Command.open:
      return attempt(slot, readOpening(slot, reader));
    case Command.step: {
      const action = reader.string();
      return attempt(slot, () => step(slot, action));
    }
    case Command.expert:
      return attempt(slot, () => advise(slot));
    case Command.clone: {
      const copy = reader.number();
      return attempt(copy, () => clone(slot, copy));
    }
    case Command.close:
      return close(slot);
    default:
      throw new Error(`expected a command of the host protocol, but received ${kind}`);
  }
}

function attempt(slot: number, action: () => void): void {
  try {
    action();
    checkMemory(slot);
  } catch (error) {
    const failure = error instanceof SlotFailure ? error : new SlotFailure("ENVIRONMENT_THREW", describe(error));
    results.push(Result.failed, slot, failure.code, failure.message);
    close(slot);
  }
}

/** Consumes the whole command before anything can throw, so that the commands behind it stay readable. */
function readOpening(slot: number, reader: MessageReader): () => void {
  const environment = reader.string();
  const task = { split: reader.string(), index: reader.number() };
  const seed = reader.number();
  const maxSteps = reader.number();
  const opening = reader.string();
  const history = Array.from({ length: reader.number() }, () => [reader.string(), reader.string()] as const);
  return () => {
    const spec = registry.get(environment);
    const instance = { spec, wrapped: createWrapped(spec, context, maxSteps), steps: 0 };
    const reset = guarded(slot, () => instance.wrapped.reset({ task, seed }));
    const text = openingText(reset);
    if (opening !== "") expectSame("opening", opening, text);
    instances.set(slot, instance);
    for (const [action, reply] of history)
      expectSame(`step ${instance.steps}`, reply, play(slot, instance, action).text);
    results.push(Result.opened, slot, text);
  };
}

function step(slot: number, action: string): void {
  const instance = instances.get(slot);
  // The slot ended or failed with an earlier command of the same tick; the main thread has been told.
  if (!instance) return;
  const { text, ended } = play(slot, instance, action);
  results.push(Result.stepped, slot, ended, text);
  if (ended !== Ended.no) close(slot);
}

function advise(slot: number): void {
  const instance = instances.get(slot);
  if (!instance) return;
  const action = guarded(slot, () => instance.spec.expert?.(instance.wrapped.unwrapped) ?? null);
  if (action !== null && typeof action !== "string") throw badResult("an action or null as advice", typeof action);
  results.push(Result.advised, slot, action ?? "", action === null ? 0 : 1);
}

function clone(slot: number, copySlot: number): void {
  const source = instances.get(slot);
  if (!source) throw new Error("expected a live instance to clone, but received an empty slot");
  const wrapped = guarded(slot, () => source.wrapped.clone());
  instances.set(copySlot, { ...source, wrapped });
  results.push(Result.cloned, copySlot);
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
  const result = guarded(slot, () => instance.wrapped.step(action));
  const text = replyText(instance.steps, instance.spec, result);
  instance.steps += 1;
  return { text, ended: result.terminated ? Ended.terminated : result.truncated ? Ended.truncated : Ended.no };
}

/** Runs code of an environment with the pulse beating. */
function guarded<T>(slot: number, call: () => T): T {
  pulse.enter(slot);
  try {
    return call();
  } finally {
    pulse.leave();
  }
}

function openingText(result: ResetResult): string {
  const { observation, parts, info } = result;
  checkSight(observation, info);
  return bounded(JSON.stringify(parts ? { observation, parts, info } : { observation, info }));
}

function replyText(index: number, spec: EnvironmentSpec, result: StepResult): string {
  const { observation, parts, reward, terminated, truncated, info } = result;
  const [lowest, highest] = spec.rewardRange;
  checkSight(observation, info);
  if (typeof reward !== "number" || !(reward >= lowest && reward <= highest))
    throw badResult(`a reward from ${lowest} to ${highest}`, `${typeof reward} ${String(reward)}`);
  // Put together by hand: as one object this would cost more than most environments' step.
  const partsText = parts ? `,"parts":${JSON.stringify(parts)}` : "";
  const flags = `"reward":${reward},"terminated":${terminated === true},"truncated":${truncated === true}`;
  return bounded(
    `{"index":${index},"observation":${JSON.stringify(observation)}${partsText},${flags},"info":${JSON.stringify(info)}}`,
  );
}

function checkSight(observation: unknown, info: unknown): void {
  if (typeof observation !== "string") throw badResult("a text observation", typeof observation);
  if (typeof info !== "object" || info === null) throw badResult("an object as info", typeof info);
}

function bounded(text: string): string {
  if (text.length <= limits.maxReplyLength) return text;
  throw badResult(`at most ${limits.maxReplyLength} characters of JSON`, `${text.length}`);
}

function badResult(expected: string, received: string): SlotFailure {
  return new SlotFailure("ENVIRONMENT_RESULT", `expected ${expected}, but received ${received}`);
}

function expectSame(what: string, logged: string, played: string): void {
  if (logged === played) return;
  throw new SlotFailure("ENVIRONMENT_DIVERGED", `${what} was logged as ${logged}, but playing it again gave ${played}`);
}

/**
 * V8 ends the thread when its heap is full, but array buffers live outside that heap, so the memory is read after every
 * call: whose call crosses the limit is most likely whose calls allocate the most.
 */
function checkMemory(slot: number): void {
  if (memoryUsed() < memoryLimit) return;
  pulse.enter(slot);
  process.exit(outOfMemoryExit);
}

function memoryUsed(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

function describe(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "something that has no text";
  }
}
