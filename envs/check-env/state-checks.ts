/** Checks that an episode depends on nothing but its task, seed and actions, and comes back by replay and by clone. */
import type { Environment } from "../env.js";
import { cloneOf } from "../wrappers/order-enforcing.js";
import { mismatch } from "./expectations.js";
import {
  askExpert,
  context,
  expectSameTrace,
  type Line,
  laterContext,
  playFresh,
  type Recording,
  type Script,
  Skipped,
  type Subject,
  steps,
  traceOf,
  tryToClose,
  withInstance,
} from "./subject.js";
import { watchGlobals } from "./watch-globals.js";

export function checkDeterminism(subject: Subject): string {
  for (const recording of subject.recordings) {
    expectSameTrace(recording, recording.trace, playFresh(subject.spec, recording));
  }
  return subject.extent;
}

export function checkNoGlobals(subject: Subject): string {
  const { spec, recordings } = subject;
  const used = watchGlobals(() => {
    for (const recording of recordings) {
      withInstance(spec, context, (environment) => {
        for (const _ of traceOf(environment, recording)) askExpert(spec, environment);
      });
    }
  });
  if (used.length > 0) throw mismatch("randomness from the seed and time from the context", used.join(", "));
  return subject.extent;
}

/** Two instances that take turns leave what each leaves alone. */
export function checkInterleaving(subject: Subject): string {
  const { spec, recordings } = subject;
  for (const [i, first] of recordings.entries()) {
    const second = recordings[(i + 1) % recordings.length] as Recording;
    withInstance(spec, context, (a) =>
      withInstance(spec, context, (b) => {
        const traces = inTurns(traceOf(a, first), traceOf(b, second));
        expectSameTrace(first, first.trace, traces[0]);
        expectSameTrace(second, second.trace, traces[1]);
      }),
    );
  }
  return `${recordings.length} pairs`;
}

function inTurns(a: Generator<string>, b: Generator<string>): [string[], string[]] {
  const traces: [string[], string[]] = [[], []];
  let playing = [a, b];
  while (playing.length > 0) {
    playing = playing.filter((player) => {
      const { done, value } = player.next();
      if (!done) traces[player === a ? 0 : 1].push(value);
      return !done;
    });
  }
  return traces;
}

/** An instance that played other episodes, and left one of them in the middle, plays on like a new one. */
export function checkResetAgain(subject: Subject): string {
  const { spec, recordings } = subject;
  withInstance(spec, context, (environment) => {
    for (const recording of [...recordings, ...recordings.slice(0, 1)]) {
      const abandoned = { ...recording, actions: recording.actions.slice(0, recording.actions.length / 2) };
      for (const _ of traceOf(environment, abandoned));
      expectSameTrace(recording, recording.trace, [...traceOf(environment, recording)]);
    }
  });
  return subject.extent;
}

/** What a replay must give again. `info` may tell the time, and the replay runs at another. */
const withoutInfo: Line = (result) => JSON.stringify({ ...result, info: undefined });

export function checkReplay(subject: Subject): string {
  const { spec, recordings } = subject;
  if (spec.restore === "none") throw new Skipped("the spec says restore: none");
  for (const recording of recordings) {
    const original = playFresh(spec, recording, context, withoutInfo);
    expectSameTrace(recording, original, playFresh(spec, recording, laterContext, withoutInfo));
  }
  return subject.extent;
}

export function checkCloneable({ spec }: Subject): string {
  return withInstance(spec, context, (environment) => {
    const hasClone = typeof environment.clone === "function";
    const received = `restore: ${spec.restore} ${hasClone ? "with" : "without"} clone()`;
    if (hasClone !== (spec.restore === "clone")) throw mismatch("clone() just where restore is clone", received);
    return spec.restore;
  });
}

/** A copy made in mid-episode goes on as the original does, whatever happens to either. */
export function checkClone(subject: Subject): string {
  const { spec, recordings } = subject;
  if (spec.restore !== "clone") throw new Skipped(`the spec says restore: ${spec.restore}`);
  for (const [i, recording] of recordings.entries()) {
    withInstance(spec, context, (original) => {
      cloneMidway(original, recording, recordings[(i + 1) % recordings.length] as Recording);
    });
  }
  return subject.extent;
}

function cloneMidway(original: Environment, recording: Recording, other: Script): void {
  const half = Math.floor(recording.actions.length / 2);
  const rest = recording.actions.slice(half);
  const start = [...traceOf(original, { ...recording, actions: recording.actions.slice(0, half) })];
  const [stray, heir] = [cloneOf(original), cloneOf(original)];
  try {
    expectSameTrace(recording, recording.trace, [...start, ...steps(stray, rest)]);
    for (const _ of traceOf(stray, other));
    stray.close();
    expectSameTrace(recording, recording.trace, [...start, ...steps(original, rest)]);
    original.close();
    expectSameTrace(recording, recording.trace, [...start, ...steps(heir, rest)]);
  } finally {
    tryToClose(stray);
    tryToClose(heir);
  }
}
