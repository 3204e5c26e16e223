/**
 * A host: the worker thread that runs environments. Its loop takes a tick's commands, plays them in order, and reports
 * the results to the log. An environment that throws fails its own slot; one that hangs or eats memory takes the thread
 * with it, and the main thread, which watches the pulse, knows whose it was.
 */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { EnvironmentSpec, Options } from "../../envs/env.js";
import { Registry, rewardRangeOf } from "../../envs/registry.js";
import type { OrderEnforcing } from "../../envs/wrappers/order-enforcing.js";
import { createWrapped } from "../../envs/wrappers/wrap.js";
import { shown } from "../errors.js";
import {
  Command,
  Ended,
  type FromHost,
  faultExit,
  type HostData,
  type HostNotice,
  type Message,
  MessageReader,
  outOfMemoryExit,
  Pulse,
  type Question,
  queryOf,
  Result,
} from "./host-protocol.js";
import { answerText, badResult, describe, openingText, pictureText, replyText, SlotFailure } from "./reply-text.js";
import { StepPageWriter } from "./step-page.js";

if (!parentPort) throw new Error("expected to run as a worker thread, but received the main thread");
const port = parentPort;
const { pulse: pulseBuffer, log, environmentModules, limits } = workerData as HostData;

const pulse = new Pulse(pulseBuffer);
const registry = await Registry.load(environmentModules);
const context = { now: Date.now };

/** Results and characters from which on a report waits for no more: the caller of the first shall not wait for long. */
const fullReport = 128;
const fullReportCharacters = 2 ** 18;

interface Instance {
  spec: EnvironmentSpec;
  rewardRange: readonly [number, number];
  wrapped: OrderEnforcing;
  /** The episode's key in the log. */
  episode: number;
  steps: number;
}

const instances = new Map<number, Instance>();
const page = new StepPageWriter();
let results: Message = [];
let resultCount = 0;
let openingCharacters = 0;
/** Whose command is being performed; 0 is nobody's. */
let served = 0;

port.on("message", (message: Message) => {
  pulse.begin();
  try {
    const reader = new MessageReader(message);
    while (!reader.done) {
      perform(reader);
      if (resultCount >= fullReport || page.characters + openingCharacters >= fullReportCharacters) report();
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

function result(...words: Message): void {
  results.push(...words);
  resultCount += 1;
}

function report(): void {
  if (resultCount === 0) return;
  pulse.reported(page.characters + openingCharacters);
  tellLog({ kind: "report", results, page: page.take() });
  results = [];
  resultCount = 0;
  openingCharacters = 0;
  pulse.awaitTaken();
}

function perform(reader: MessageReader): void {
  const kind = reader.number();
  const slot = reader.number();
  served = slot;
  switch (kind) {
    case Command.open:
      return attempt(slot, readOpening(slot, reader));
    case Command.replay:
      return attempt(slot, readReplay(slot, reader));
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
    case Command.close:
      close(slot);
      return result(Result.closed, slot);
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
    result(Result.failed, slot, code, message);
    close(slot);
  }
}

function thrown(slot: number, error: unknown): SlotFailure {
  return new SlotFailure(
    "ENVIRONMENT_THREW",
    guarded(slot, () => describe(error)),
  );
}

/** Consumes the whole command before anything can throw, so that the commands behind it stay readable. */
function readOpening(slot: number, reader: MessageReader): () => void {
  const episode = reader.number();
  const environment = reader.string();
  const task = { split: reader.string(), index: reader.number() };
  const seed = reader.number();
  const options = JSON.parse(reader.string()) as Options;
  const maxSteps = reader.number();
  const opening = reader.string();
  return () => {
    const spec = registry.get(environment);
    const rewardRange = rewardRangeOf(spec, options);
    const instance = { spec, rewardRange, wrapped: createWrapped(spec, context, maxSteps), episode, steps: 0 };
    const text = guarded(slot, () =>
      openingText(instance.wrapped.reset({ task, seed, options }), limits.maxReplyLength),
    );
    if (opening !== "") expectSame("opening", opening, text);
    instances.set(slot, instance);
    result(Result.opened, slot, text);
    openingCharacters += text.length;
  };
}

function readReplay(slot: number, reader: MessageReader): () => void {
  const history = Array.from({ length: reader.number() }, () => [reader.string(), reader.string()] as const);
  return () => {
    const instance = instances.get(slot);
    if (!instance) return;
    for (const [action, reply] of history)
      expectSame(`step ${instance.steps}`, reply, play(slot, instance, action).text);
    result(Result.replayed, slot);
  };
}

function step(slot: number, action: string): void {
  const instance = instances.get(slot);
  // The slot ended or failed with an earlier command of the same tick; the main thread is being told.
  if (!instance) return;
  const index = instance.steps;
  const { text, ended } = play(slot, instance, action);
  const headLength = page.add(instance.episode, index, action, text, ended);
  results.push(Result.stepped, slot, ended, headLength, text.length);
  resultCount += 1;
  if (ended !== Ended.no) close(slot);
}

function answer(slot: number, question: Question): void {
  const instance = instances.get(slot);
  if (!instance) return;
  const text = guarded(slot, () => {
    if (question === "expert") return advice(instance);
    const query = queryOf(question);
    return query === undefined ? picture(instance) : told(instance, query);
  });
  result(Result.answered, slot, text ?? "", text === null ? 0 : 1);
}

function advice({ spec, wrapped }: Instance): string | null {
  const action: unknown = spec.expert?.(wrapped.unwrapped) ?? null;
  if (action === null || typeof action === "string") return action;
  throw badResult("an action or null as advice", typeof action);
}

function picture({ spec, wrapped }: Instance): string | null {
  return spec.render ? pictureText(spec.render(wrapped.unwrapped), limits.maxReplyLength) : null;
}

function told({ spec, wrapped }: Instance, query: string): string | null {
  const asked = spec.queries?.[query];
  return asked ? answerText(asked.answer(wrapped.unwrapped), limits.maxReplyLength) : null;
}

function clone(slot: number, copySlot: number, episode: number): void {
  const source = instances.get(slot);
  if (!source) throw new Error("expected a live instance to clone, but received an empty slot");
  const wrapped = guarded(slot, () => source.wrapped.clone());
  instances.set(copySlot, { ...source, wrapped, episode });
  result(Result.cloned, copySlot);
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
    return { text, ended: stepped.terminated ? Ended.terminated : stepped.truncated ? Ended.truncated : Ended.no };
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

function expectSame(what: string, logged: string, played: string): void {
  if (logged === played) return;
  let at = 0;
  while (logged[at] === played[at]) at += 1;
  const from = Math.max(0, at - 40);
  const [before, now] = [logged, played].map((text) => shown(text.slice(from, from + 100)));
  const place = from === 0 ? "" : ` from character ${from} on`;
  throw new SlotFailure(
    "ENVIRONMENT_DIVERGED",
    `${what}${place} was logged as ${before}, but playing it again gave ${now}`,
  );
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
