/**
 * The subject of the conformance checks: a sample of tasks and options, with a script of actions for each. The actions
 * are the expert's actions, words of the observation, and junk from a list. A new instance plays each script once, and
 * its trace is recorded. Every later run of the script is compared with that trace, byte by byte.
 */

import { Intrinsics } from "../contract/intrinsics.js";
import { ResultTooLong, usualReplyLength } from "../contract/reply-size.js";
import type {
  AnyEnvironmentSpec,
  AsyncContext,
  EnvironmentFacts,
  Options,
  ResetRequest,
  ResetResult,
  StepResult,
  TaskSplit,
} from "../env.js";
import { defaultSplit, fillOptions } from "../registry.js";
import { Pcg64 } from "../shared/rng/pcg64.js";
import { mismatch } from "./expectations.js";
import { type CallNote, Instance, nameOf } from "./instance.js";

/** Thrown by a check that does not apply. */
export class Skipped extends Error {}

/** Everything that determines an episode: the reset request and the actions. */
export interface Script extends ResetRequest {
  actions: string[];
}

export interface Recording extends Script {
  /** Error that the engine threw in the last action. Absent if the engine threw none. */
  thrown?: { error: unknown };
  /** Result of the reset and of each step, one per line. If the engine threw, the last line has the error. */
  trace: string[];
}

/** Position of a task in the sample, counted from 1. */
export interface Place {
  at: number;
  of: number;
}

/** Clock that always returns the same time, so that `info` is the same in every run. */
export const clock = () => 1_700_000_000_000;
/** Clock for replays, which is one day later. */
export const laterClock = () => 1_700_000_000_000 + 86_400_000;

const SCRIPT_STEPS = 40;

/** Invalid actions of the kind that models send. No engine may throw on any of them. */
export const junkActions: readonly string[] = [
  "",
  " \n\t ",
  "\u0000\u0007\u001b[31m\u007f\u0085\u2028",
  "🦜 👩‍👩‍👧‍👦 ѐ ﷽ ｆｕｌｌ",
  "\ud800 half of a pair \udfff",
  `"'\`\\"\n'\r\n{"action": ["look", 1}`,
  "(?:[a-z]+)*$ .* \\d{1,} ^",
  "__proto__ constructor toString",
  "-1 0 1e309 NaN 99999999999999999999",
  "x".repeat(100_000),
];

export class Subject {
  /** The objects that all environments of a host share, as they are at the start of the suite. */
  readonly builtIns = new Intrinsics();
  /** Actions with which the expert solved a request, for the checks after `expert-reward`. */
  readonly solutions = new Map<ResetRequest, readonly string[]>();
  private sampled: ResetRequest[] | undefined;
  private made: Promise<Recording[]> | undefined;

  constructor(
    readonly spec: AnyEnvironmentSpec,
    readonly seed: number,
    private readonly tasksPerSplit: number,
    private readonly sandboxes: AsyncContext["sandboxes"] | undefined,
    private readonly onCall: (call: string, place?: Place) => void = () => {},
    private readonly maxReplyLength = usualReplyLength,
  ) {}

  readonly note: CallNote = (call, request) => this.onCall(call, request && this.placeOf(request));

  /** Returns the position of a request in the sample, or undefined for a request outside of it. */
  private placeOf({ seed }: ResetRequest): Place | undefined {
    const at = seed - this.seed + 1;
    const of = this.requests.length;
    return at >= 1 && at <= of ? { at, of } : undefined;
  }

  /** Makes an instance, which the caller must close. */
  create(now = clock): Instance {
    const { spec, sandboxes, note } = this;
    note("create");
    if (!spec.isAsync) return Instance.of(spec, spec.create({ now }), note);
    if (!sandboxes) throw new TypeError("expected sandboxes for an async environment, but the option is undefined");
    return Instance.of(spec, spec.create({ now, sandboxes, record: (ask) => ask() }), note);
  }

  /** Calls `use` with a new instance and closes it afterwards, even if `use` throws. */
  async withInstance<T>(use: (instance: Instance) => Promise<T>, now = clock): Promise<T> {
    const instance = this.create(now);
    try {
      return await use(instance);
    } finally {
      await instance.tryToClose();
    }
  }

  /** @throws {ResultTooLong} the gym would refuse the result */
  expectSize(result: ResetResult | StepResult): void {
    const { length } = JSON.stringify(result) ?? "";
    const { observation, parts, info } = result ?? {};
    if (length > this.maxReplyLength)
      throw new ResultTooLong(this.maxReplyLength, length, { observation, parts, info });
  }

  /** Plays a script on a new instance and returns the trace. */
  playFresh(script: Script, now = clock, line?: Line): Promise<string[]> {
    return this.withInstance((instance) => arrayOf(traceOf(instance, script, line)), now);
  }

  /**
   * Sample tasks of every split with the default options, and of the default split with each other value of an option.
   */
  get requests(): readonly ResetRequest[] {
    if (!this.sampled) {
      const { splits } = this.spec;
      const usual = Object.keys(splits).flatMap((split) => this.sampleOf(split, {}));
      const first = defaultSplit(this.spec);
      const unusual = Object.hasOwn(splits, first)
        ? otherOptions(this.spec).flatMap((asked) => this.sampleOf(first, asked))
        : [];
      this.sampled = [...usual, ...unusual].map((request, i) => ({ ...request, seed: this.seed + i }));
    }
    return this.sampled;
  }

  /** The first request of the sample, for checks that need only one. */
  get firstRequest(): ResetRequest {
    const request = this.requests[0];
    if (!request) throw new Skipped("there is no task to play");
    return request;
  }

  private sampleOf(split: string, asked: Options): Omit<ResetRequest, "seed">[] {
    const options = fillOptions(this.spec, asked, split);
    const { size } = this.spec.splits[split] as TaskSplit;
    return spread(size, this.tasksPerSplit).map((index) => ({ task: { split, index }, options }));
  }

  /** Returns a script for each request of the sample, with the trace of a fresh instance. */
  recordings(): Promise<readonly Recording[]> {
    this.made ??= this.record();
    return this.made;
  }

  private async record(): Promise<Recording[]> {
    const recordings: Recording[] = [];
    for (const [i, request] of this.requests.entries()) {
      const script = await writeScript(this, request, i % 2 === 0);
      recordings.push({ ...script, trace: await this.playFresh(script) });
    }
    return recordings;
  }

  /** Returns the numbers of episodes and steps of all recordings, for reports. */
  async extent(): Promise<string> {
    const recordings = await this.recordings();
    const steps = recordings.reduce((sum, { actions }) => sum + actions.length, 0);
    return `${recordings.length} episodes, ${steps} steps`;
  }
}

/** Returns every value of every option except the defaults. */
function otherOptions({ options = {} }: EnvironmentFacts): Options[] {
  return Object.entries(options).flatMap(([name, { values }]) =>
    Object.keys(values)
      .slice(1)
      .map((value) => ({ [name]: value })),
  );
}

/** Returns at most `count` indices below `size`, evenly spaced, including the first and the last. */
function spread(size: number, count: number): number[] {
  const taken = Number.isInteger(size) ? Math.max(0, Math.min(size, count)) : 0;
  const gap = taken > 1 ? (size - 1) / (taken - 1) : 0;
  return Array.from({ length: taken }, (_, i) => Math.round(i * gap));
}

/**
 * Writes a script by playing a task. @param stray true to deviate from the expert at some steps, false to follow it
 * always
 */
async function writeScript(
  subject: Subject,
  request: ResetRequest,
  stray: boolean,
): Promise<Script & Pick<Recording, "thrown">> {
  const script: Script & Pick<Recording, "thrown"> = { ...request, actions: [] };
  const rng = new Pcg64(request.seed);
  const most = Math.min(SCRIPT_STEPS, subject.spec.maxSteps);
  await subject.withInstance(async (instance) => {
    let result: ResetResult & { terminated?: boolean };
    try {
      result = await instance.reset(request);
      while (!result.terminated && script.actions.length < most) {
        const advice = await instance.advice();
        const follow = advice !== null && (!stray || rng.random() < 0.6);
        const action = follow ? advice : wander(result.observation, rng);
        script.actions.push(action);
        result = await instance.step(action);
        subject.expectSize(result);
      }
    } catch (error) {
      if (error instanceof ResultTooLong) throw error;
      // The script ends with the action that made the engine throw. `start` reports a reset that throws.
      if (script.actions.length > 0) script.thrown = { error };
    }
  });
  return script;
}

/** Returns an action from `junkActions`, or up to six consecutive words of the observation. */
function wander(observation: string, rng: Pcg64): string {
  if (rng.integers(0, 2) === 0) return rng.choice(junkActions);
  const words = String(observation).split(/\s+/).slice(0, 10_000);
  const start = rng.integers(0, words.length);
  return words.slice(start, start + rng.integers(1, 7)).join(" ");
}

export type Line = (result: ResetResult | StepResult) => string;
const wholeResult: Line = (result) => JSON.stringify(result);
const withoutPictures: Line = ({ parts, ...result }) =>
  JSON.stringify(parts ? { ...result, parts: parts.filter(({ type }) => type !== "image") } : result);

/** Returns the part of a result that must be the same in every run. */
function lineOf({ canRestore }: Instance): Line {
  return canRestore ? wholeResult : withoutPictures;
}

/**
 * Plays a script and yields its trace line by line, so that several instances can be stepped in turn. The trace ends
 * when the engine throws.
 */
export async function* traceOf(instance: Instance, script: Script, line = lineOf(instance)): AsyncGenerator<string> {
  yield* steps(instance, script.actions, line, async () => line(await instance.reset(script)));
}

/** Plays actions and yields the lines of the trace. A reset is made only if `before` makes it. */
export async function* steps(
  instance: Instance,
  actions: readonly string[],
  line = lineOf(instance),
  before?: () => Promise<string>,
): AsyncGenerator<string> {
  try {
    if (before) yield await before();
    for (const action of actions) yield line(await instance.step(action));
  } catch (error) {
    yield `threw ${error}`;
  }
}

export async function arrayOf<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const entry of iterable) array.push(entry);
  return array;
}

/** @throws {Error} the traces differ; the message names the first line that differs */
export function expectSameTrace(script: Script, expected: readonly string[], received: readonly string[]): void {
  const length = Math.max(expected.length, received.length);
  for (let i = 0; i < length; i++) {
    if (expected[i] === received[i]) continue;
    const place = `${nameOf(script)}, ${i === 0 ? "reset" : `step ${i}`}`;
    const [wanted, got] = excerpts(expected[i] ?? "nothing", received[i] ?? "nothing");
    throw mismatch(wanted, got, place);
  }
}

function excerpts(a: string, b: string): [string, string] {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const from = Math.max(0, start - 20);
  const cut = (text: string) =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + 100)}${text.length > from + 100 ? "…" : ""}`;
  return [cut(a), cut(b)];
}
