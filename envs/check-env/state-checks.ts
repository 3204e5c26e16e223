/** Checks that an episode depends only on its task, seed, options and actions, and that replay and clone restore it. */
import type { EnvironmentSpec, ResetRequest } from "../env.js";
import { mismatch } from "./expectations.js";
import { copyOf, type Instance, nameOf } from "./instance.js";
import {
  arrayOf,
  clock,
  expectSameTrace,
  type Line,
  laterClock,
  type Recording,
  type Script,
  Skipped,
  type Subject,
  steps,
  traceOf,
} from "./subject.js";
import { watchGlobals } from "./watch-globals.js";

export async function checkDeterminism(subject: Subject): Promise<string> {
  for (const recording of await subject.recordings()) {
    expectSameTrace(recording, recording.trace, await subject.playFresh(recording));
  }
  return subject.extent();
}

/**
 * Checks that the engine uses no global clock or randomness. The episode runs in one turn of the event loop, so that no
 * other code runs.
 */
export async function checkNoGlobals(subject: Subject): Promise<string> {
  const { spec } = subject;
  if (spec.isAsync) throw new Skipped("the engine runs outside of the gym");
  const recordings = await subject.recordings();
  const used = watchGlobals(() => {
    for (const recording of recordings) {
      subject.note(`${nameOf(recording)} played without a pause`);
      playThrough(spec, recording);
    }
  });
  if (used.length > 0) throw mismatch("randomness from the seed and time from the context", used.join(", "));
  return subject.extent();
}

/**
 * Checks that the engine leaves alone the objects that all environments of a host share. The comparison is with the start of
 * the suite: a module may add to them while it is imported.
 */
export async function checkBuiltIns(subject: Subject): Promise<string> {
  const { spec, builtIns } = subject;
  if (spec.isAsync) throw new Skipped("the gym does not watch the processes of async environments");
  for (const recording of await subject.recordings()) {
    subject.note(`${nameOf(recording)} played without a pause`);
    playThrough(spec, recording);
    const { changed } = builtIns;
    if (changed !== null)
      throw mismatch("built-in objects that nobody changes", `a changed ${changed}`, nameOf(recording));
  }
  return subject.extent();
}

/** Checks that the engine does not change the request that it was given, which belongs to the gym. */
export async function checkRequest(subject: Subject): Promise<string> {
  for (const recording of await subject.recordings()) {
    const request = JSON.stringify(copyOf(recording));
    const passed = copyOf(recording);
    await subject.withInstance((instance) => playAdvised(instance, recording, passed));
    if (JSON.stringify(passed) === request) continue;
    const error = mismatch(`the request to stay ${request}`, JSON.stringify(passed), nameOf(recording));
    throw Object.assign(error, { cause: await changeOf(subject, recording) });
  }
  return subject.extent();
}

async function playAdvised(instance: Instance, recording: Recording, passed: ResetRequest): Promise<void> {
  await instance.reset(recording, passed);
  for (const action of recording.actions) {
    await instance.advice();
    await instance.step(action);
  }
}

/** Returns the error with which the engine fails to change a request that cannot be changed: it names the line. */
async function changeOf(subject: Subject, recording: Recording): Promise<unknown> {
  const { task, options, seed } = copyOf(recording);
  const frozen = Object.freeze({ task: Object.freeze(task), seed, options: Object.freeze(options) });
  return subject.withInstance((instance) => playAdvised(instance, recording, frozen)).catch((error: unknown) => error);
}

function playThrough(spec: EnvironmentSpec, { actions, ...request }: Recording): void {
  const environment = spec.create({ now: clock });
  try {
    environment.reset(copyOf(request));
    for (const action of actions) {
      askedInPassing(() => spec.expert?.(environment));
      environment.step(action);
    }
  } catch {
    // Errors are ignored here and below, since other checks report them.
  } finally {
    askedInPassing(() => environment.close());
  }
}

function askedInPassing(call: () => unknown): void {
  try {
    call();
  } catch {}
}

/** Checks that two instances, stepped in turn, give the same traces as when each is played alone. */
export async function checkInterleaving(subject: Subject): Promise<string> {
  const recordings = await subject.recordings();
  for (const [i, first] of recordings.entries()) {
    const second = recordings[(i + 1) % recordings.length] as Recording;
    await subject.withInstance((a) =>
      subject.withInstance(async (b) => {
        const traces = await inTurns(traceOf(a, first), traceOf(b, second));
        expectSameTrace(first, first.trace, traces[0]);
        expectSameTrace(second, second.trace, traces[1]);
      }),
    );
  }
  return `${recordings.length} pairs`;
}

async function inTurns(a: AsyncGenerator<string>, b: AsyncGenerator<string>): Promise<[string[], string[]]> {
  const traces: [string[], string[]] = [[], []];
  const playing = new Set([a, b]);
  while (playing.size > 0) {
    for (const player of playing) {
      const { done, value } = await player.next();
      if (done) playing.delete(player);
      else traces[player === a ? 0 : 1].push(value);
    }
  }
  return traces;
}

/** Checks that an instance that was reset in the middle of an episode plays like a new instance. */
export async function checkResetAgain(subject: Subject): Promise<string> {
  const recordings = await subject.recordings();
  await subject.withInstance(async (instance) => {
    for (const recording of [...recordings, ...recordings.slice(0, 1)]) {
      const abandoned = { ...recording, actions: recording.actions.slice(0, recording.actions.length / 2) };
      await arrayOf(traceOf(instance, abandoned));
      expectSameTrace(recording, recording.trace, await arrayOf(traceOf(instance, recording)));
    }
  });
  return subject.extent();
}

/** Returns the part of a result that a replay must reproduce: all except `info`, which may contain the time. */
const withoutInfo: Line = (result) => JSON.stringify({ ...result, info: undefined });

export async function checkReplay(subject: Subject): Promise<string> {
  if (subject.spec.restore === "none") throw new Skipped("the spec says restore: none");
  for (const recording of await subject.recordings()) {
    const original = await subject.playFresh(recording, clock, withoutInfo);
    expectSameTrace(recording, original, await subject.playFresh(recording, laterClock, withoutInfo));
  }
  return subject.extent();
}

export async function checkCloneable(subject: Subject): Promise<string> {
  const { restore } = subject.spec;
  return subject.withInstance(async ({ canClone }) => {
    const received = `restore: ${restore} ${canClone ? "with" : "without"} clone()`;
    if (canClone !== (restore === "clone")) throw mismatch("clone() just where restore is clone", received);
    return restore;
  });
}

/** Checks that a clone made during an episode continues like its original, and that neither affects the other. */
export async function checkClone(subject: Subject): Promise<string> {
  const { restore } = subject.spec;
  if (restore !== "clone") throw new Skipped(`the spec says restore: ${restore}`);
  const recordings = await subject.recordings();
  for (const [i, recording] of recordings.entries()) {
    const other = recordings[(i + 1) % recordings.length] as Recording;
    await subject.withInstance((original) => cloneMidway(original, recording, other));
  }
  return subject.extent();
}

async function cloneMidway(original: Instance, recording: Recording, other: Script): Promise<void> {
  const half = Math.floor(recording.actions.length / 2);
  const rest = recording.actions.slice(half);
  const start = await arrayOf(traceOf(original, { ...recording, actions: recording.actions.slice(0, half) }));
  const [stray, heir] = [original.clone(), original.clone()];
  const expectRest = async (instance: Instance) =>
    expectSameTrace(recording, recording.trace, [...start, ...(await arrayOf(steps(instance, rest)))]);
  try {
    await expectRest(stray);
    await arrayOf(traceOf(stray, other));
    await stray.close();
    await expectRest(original);
    await original.close();
    await expectRest(heir);
  } finally {
    await stray.tryToClose();
    await heir.tryToClose();
  }
}
