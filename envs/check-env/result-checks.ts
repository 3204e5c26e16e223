/** Checks of single results: the shape and the reward of a result, and a result for every action. */
import type { ObservationPart, ResetResult, StepResult } from "../env.js";
import { rewardRangeOf } from "../registry.js";
import { expectThat, mismatch, threw } from "./expectations.js";
import { type Instance, nameOf } from "./instance.js";
import { junkActions, type Recording, type Subject } from "./subject.js";

/** Time limit of a step in milliseconds, for environments without their own deadline. */
const STEP_LIMIT_MS = 1000;

/** Checks that every task of the sample starts, and that the lowest and the highest seed work. */
export async function checkStart(subject: Subject): Promise<string> {
  const { firstRequest } = subject;
  const extremes = [0, Number.MAX_SAFE_INTEGER].map((seed) => ({ ...firstRequest, seed }));
  const requests = [...subject.requests, ...extremes];
  for (const request of requests) {
    await subject.withInstance(async (instance) => {
      try {
        await instance.reset(request);
      } catch (error) {
        throw threw("a result", error, `reset to ${nameOf(request)}`);
      }
    });
  }
  return `${requests.length} resets`;
}

export async function checkResetSchema(subject: Subject): Promise<string> {
  for (const request of subject.requests) {
    await subject.withInstance(async (instance) => {
      const result = await instance.reset(request);
      expectShared(`reset to ${nameOf(request)}`, result, ["info", "turn"]);
      subject.expectSize(result);
      const { familyKey } = subject.spec;
      const family = familyKey === undefined ? "none" : result.info[familyKey];
      const isFamily = typeof family === "string" || typeof family === "number";
      expectThat(isFamily, `the field ${familyKey} of info to be a string or a number`, family, nameOf(request));
    });
  }
  return `${subject.requests.length} resets`;
}

export function checkStepSchema(subject: Subject): Promise<string> {
  return onEveryStep(subject, (place, result) => {
    expectShared(place, result, ["info", "reward", "rewards", "terminated", "truncated", "turn"]);
    expectThat(typeof result.reward === "number", "reward to be a number", result.reward, place);
    expectThat(typeof result.terminated === "boolean", "terminated to be a boolean", result.terminated, place);
    expectThat(typeof result.truncated === "boolean", "truncated to be a boolean", result.truncated, place);
  });
}

export function checkRewardRange(subject: Subject): Promise<string> {
  return onEveryStep(subject, (place, { reward }, { options }) => {
    const [low, high] = rewardRangeOf(subject.spec, options);
    // checkStepSchema reports a reward that is not a number.
    const fits = typeof reward !== "number" || (reward >= low && reward <= high);
    expectThat(fits, `a reward from ${low} to ${high}`, reward, place);
  });
}

export function checkNeverTruncates(subject: Subject): Promise<string> {
  return onEveryStep(subject, (place, { truncated }) => {
    if (truncated === true) throw mismatch("truncation left to the time limit", "truncated: true", place);
  });
}

/** Calls `check` with each step of the recordings. A step that throws is ignored here; `checkAnyAction` reports it. */
async function onEveryStep(
  subject: Subject,
  check: (place: string, result: StepResult, recording: Recording) => void,
): Promise<string> {
  for (const recording of await subject.recordings()) {
    await subject.withInstance(async (instance) => {
      for await (const [i, result] of resultsOf(instance, recording)) {
        check(`${nameOf(recording)}, step ${i + 1}`, result, recording);
      }
    });
  }
  return subject.extent();
}

async function* resultsOf(instance: Instance, recording: Recording): AsyncGenerator<[number, StepResult]> {
  await instance.reset(recording);
  for (const [i, action] of recording.actions.entries()) {
    let result: StepResult;
    try {
      result = await instance.step(action);
    } catch {
      return;
    }
    yield [i, result];
  }
}

/** Checks that a step with any string, of any length, returns a result within the time limit. */
export async function checkAnyAction(subject: Subject): Promise<string> {
  for (const recording of await subject.recordings()) {
    const { actions, thrown } = recording;
    if (thrown) throw threw("a result", thrown.error, `${nameOf(recording)}, step ${actions.length}`);
  }
  await subject.withInstance(async (instance) => {
    let isPlaying = false;
    // One episode takes all actions, since the start of an episode can be slow, with a browser or a container.
    for (const action of junk()) {
      if (!isPlaying) await instance.reset(subject.firstRequest);
      // `step-schema` checks that the result is an object.
      isPlaying = (await stepInTime(subject, instance, action))?.terminated === false;
    }
  });
  return `${await subject.extent()}, ${[...junk()].length} junk actions`;
}

function* junk(): Generator<string> {
  yield* junkActions;
  for (const piece of ["x", " ", "(", "1 "]) {
    // The shorter string comes first: an engine with quadratic time would need hours for the longer string.
    for (const length of [100_000, 1_000_000]) yield piece.repeat(length / piece.length);
  }
}

async function stepInTime({ spec }: Subject, instance: Instance, action: string): Promise<StepResult | undefined> {
  const limitMs = (spec.isAsync && spec.deadlineMs) || STEP_LIMIT_MS;
  const shown = `${JSON.stringify(action.slice(0, 40))} (${action.length} characters)`;
  const start = performance.now();
  let result: StepResult;
  try {
    result = await instance.step(action);
  } catch (error) {
    throw threw("a result", error, shown);
  }
  const tookMs = Math.round(performance.now() - start);
  if (tookMs > limitMs) throw mismatch(`a result for ${shown} within ${limitMs} ms`, `one after ${tookMs} ms`);
  return result;
}

function expectShared(place: string, result: ResetResult | StepResult, fields: readonly string[]): void {
  expectThat(typeof result === "object" && result !== null, "an object", result, place);
  expectThat(typeof result.observation === "string", "observation to be a string", result.observation, place);
  const known = ["observation", "parts", ...fields];
  const unknown = Object.keys(result).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw mismatch(`only the fields ${known.join(", ")}`, unknown.join(", "), place);
  expectThat(isPlainObject(result.info), "info to be an object", result.info, place);
  expectJson(`${place}: info`, result.info);
  if (result.parts !== undefined) expectParts(place, result.parts);
}

function expectParts(place: string, parts: readonly ObservationPart[]): void {
  expectThat(Array.isArray(parts), "parts to be an array", parts, place);
  for (const [i, part] of parts.entries()) {
    const where = `${place}: parts[${i}]`;
    if (part.type === "json") {
      expectJson(where, part.data);
      continue;
    }
    expectThat(part.type === "image", "type to be image or json", part.type, where);
    const isKnown = part.mediaType === "image/png" || part.mediaType === "image/svg+xml";
    expectThat(isKnown, "mediaType to be image/png or image/svg+xml", part.mediaType, where);
    const isBase64 =
      typeof part.data === "string" && /^[A-Za-z0-9+/]+={0,2}$/.test(part.data) && part.data.length % 4 === 0;
    expectThat(isBase64, "base64", part.data, where);
  }
}

/** Checks that JSON can represent `value` exactly. @throws {Error} it cannot */
function expectJson(place: string, value: unknown, depth = 0): void {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return;
  if (depth === 100) throw mismatch("an end", "100 levels", place);
  expectThat(Array.isArray(value) || isPlainObject(value), "JSON", value, place);
  for (const [key, inner] of Object.entries(value as object)) expectJson(`${place}.${key}`, inner, depth + 1);
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
