/**
 * Converts an environment's results to the JSON text that callers get, and checks them against the environment
 * contract.
 */

import { ResultTooLong } from "../../envs/contract/reply-size.js";
import { traceOf } from "../../envs/contract/trace.js";
import type { AnswerReward, ResetResult, StepResult } from "../../envs/env.js";
import { PromiseReturned } from "../../envs/errors.js";
import { type ErrorCode, GymError, shortened, shown } from "../errors.js";
import { holdsImage, holdsParts, nestsDeeperThan } from "./json-shape.js";

/** `stringify` is captured before an environment can replace it. */
const { stringify } = JSON;

/**
 * Limit on the levels of nested lists and objects. JSON libraries, including the one in the server, fail on text that
 * is nested too deeply.
 */
const deepest = 256;
/** Largest number of characters of an invalid value in an error message. */
const shownLength = 100;

/** Thrown for an error of the environment, which ends the slot. */
export class SlotFailure extends Error {
  constructor(
    readonly code: ErrorCode,
    detail: string,
    /** Frames of the environment's code, see `Trace`. */
    readonly trace = "",
  ) {
    super(detail);
  }

  /** Returns the failure of an environment that threw. @param where beginning of the description */
  static thrown(error: unknown, where = ""): SlotFailure {
    if (error instanceof PromiseReturned) return new SlotFailure("ENVIRONMENT_RESULT", error.message);
    return new SlotFailure("ENVIRONMENT_THREW", `${where}${describe(error)}`, traceOf(error).frames);
  }
}

type RewardRange = readonly [number, number];

/** Names of an environment's seats. Undefined if it has one player. */
export type SeatNames = readonly string[] | undefined;

/** @throws {SlotFailure} ENVIRONMENT_RESULT */
export function resetText(result: ResetResult, maxLength: number, seats?: SeatNames): string {
  const { observation, parts, info } = result;
  checkObservation(observation, info);
  const turn = turnText(result.turn, seats, false);
  return bounded(`{${observationText(observation, parts)}${turn},"info":${infoText(info)}}`, maxLength, result);
}

/**
 * @param read action that was read in the text of the step, or null if there was none. Undefined for a plain action.
 * @throws {SlotFailure} ENVIRONMENT_RESULT
 */
export function replyText(
  index: number,
  range: RewardRange,
  result: StepResult,
  maxLength: number,
  read?: string | null,
  seats?: SeatNames,
): string {
  const { observation, parts, reward, terminated, truncated, info } = result;
  checkObservation(observation, info);
  checkReward(reward, range);
  // The JSON is written by hand, since serializing one object would cost more than a step of most environments.
  const flags = `"reward":${reward},"terminated":${terminated === true},"truncated":${truncated === true}`;
  const readText = read === undefined ? "" : `"read":${stringify(read)},`;
  const ofSeats = turnText(result.turn, seats, terminated) + rewardsText(result.rewards, seats, range);
  const text = `{"index":${index},${readText}${observationText(observation, parts)},${flags}${ofSeats},"info":${infoText(info)}}`;
  return bounded(text, maxLength, result);
}

function checkReward(reward: unknown, [lowest, highest]: RewardRange, whose = ""): void {
  if (typeof reward !== "number" || !(reward >= lowest && reward <= highest))
    throw badResult(`a reward${whose} from ${lowest} to ${highest}`, `${typeof reward} ${describe(reward)}`);
}

/**
 * Returns the field `turn` after a comma, or "" if no seat acts next. After a truncation it names the seat that the
 * observation is for.
 */
function turnText(turn: unknown, seats: SeatNames, isOver: boolean): string {
  if (turn === undefined && (seats === undefined || isOver)) return "";
  if (seats === undefined) throw badResult("no `turn` from an environment without seats", describe(turn));
  if (!seats.includes(turn as string))
    throw badResult(`one of the seats ${seats.join(", ")} as \`turn\``, shortened(describe(turn), shownLength));
  return isOver ? "" : `,"turn":${stringify(turn)}`;
}

/** Returns the field `rewards` after a comma, or "" if the seats share the reward. */
function rewardsText(rewards: unknown, seats: SeatNames, range: RewardRange): string {
  if (rewards === undefined) return "";
  if (seats === undefined) throw badResult("no `rewards` from an environment without seats", describe(rewards));
  if (typeof rewards !== "object" || rewards === null) throw badResult("an object as `rewards`", typeof rewards);
  for (const [seat, reward] of Object.entries(rewards)) {
    if (!seats.includes(seat))
      throw badResult(`rewards of the seats ${seats.join(", ")}`, `one of ${shortened(seat, shownLength)}`);
    checkReward(reward, range, ` of ${seat}`);
  }
  return `,"rewards":${json("rewards", rewards)}`;
}

/**
 * @param tellsExpected whether the text has the right answer
 * @throws {SlotFailure} ENVIRONMENT_RESULT
 */
export function verdictText(verdict: AnswerReward | undefined, maxLength: number, tellsExpected: boolean): string {
  const { reward, info, expected } = verdict ?? {};
  if (typeof reward !== "number" || !Number.isFinite(reward))
    throw badResult("a finite reward", `${typeof reward} ${describe(reward)}`);
  if (typeof info !== "object" || info === null) throw badResult("an object as info", typeof info);
  const told = tellsExpected && expected !== undefined ? `,"expected":${json("the right answer", expected)}` : "";
  return bounded(`{"reward":${reward},"info":${infoText(info)}${told}}`, maxLength);
}

/** @throws {SlotFailure} ENVIRONMENT_RESULT */
export function pictureText(picture: unknown, maxLength: number): string {
  const text = json("a picture", picture);
  if (!holdsImage(text)) throw badResult("an image object as the picture", shortened(text, shownLength));
  return bounded(text, maxLength);
}

/** @throws {SlotFailure} ENVIRONMENT_RESULT */
export function answerText(answer: unknown, maxLength: number): string {
  return bounded(json("an answer", answer), maxLength);
}

export function badResult(expected: string, received: string): SlotFailure {
  return new SlotFailure("ENVIRONMENT_RESULT", `expected ${expected}, but received ${received}`);
}

function observationText(observation: string, parts: unknown): string {
  const text = `"observation":${stringify(observation)}`;
  return parts === undefined ? text : `${text},"parts":${partsText(parts)}`;
}

function partsText(parts: unknown): string {
  const text = json("parts", parts);
  if (!holdsParts(text)) throw badResult("a list of images and JSON values as `parts`", shortened(text, shownLength));
  return text;
}

function infoText(info: unknown): string {
  const text = json("info", info);
  if (!text.startsWith("{")) throw badResult("an object as info", shortened(text, shownLength));
  return text;
}

function checkObservation(observation: unknown, info: unknown): void {
  if (typeof observation !== "string") throw badResult("a string as the observation", typeof observation);
  if (typeof info !== "object" || info === null) throw badResult("an object as info", typeof info);
}

function json(name: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = stringify(value);
  } catch (error) {
    throw badResult(`${name} that can be written as JSON`, describe(error));
  }
  if (text === undefined) throw badResult(`${name} that can be written as JSON`, typeof value);
  if (nestsDeeperThan(deepest, text))
    throw badResult(`${name} with at most ${deepest} levels of nesting`, "more levels");
  return text;
}

/** @param result the result of which this is the text, to name its longest part */
function bounded(text: string, maxLength: number, result?: ResetResult): string {
  if (text.length <= maxLength) return text;
  const fields = result && { observation: result.observation, parts: result.parts, info: result.info };
  throw new SlotFailure("ENVIRONMENT_RESULT", new ResultTooLong(maxLength, text.length, fields).message);
}

/**
 * Checks that a replay produced the logged text.
 *
 * @param what noun phrase for the error message
 * @throws {SlotFailure} ENVIRONMENT_DIVERGED
 */
export function expectSame(what: string, logged: string, played: string): void {
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

/** Limit on the characters of an environment's error message. */
const longestDescription = 1_000;

/** Returns what was thrown, or an error in place of a value that no code can inspect, such as a revoked proxy. */
export function legible(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error);
    return thrown;
  } catch {
    return new Error("a value without a text form");
  }
}

/** Codes of errors with which the system or SQLite says that the machine lacks something. */
const lacks: ReadonlySet<unknown> = new Set([
  ...["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EIO", "EROFS"],
  ...["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_NOMEM"],
]);

/** Returns the error for an environment that the machine failed. @param detail description of what it threw */
export function failureOfMachine(detail: string): GymError {
  return GymError.ofState("HOST_FAILED", `The machine failed the environment: ${detail}`);
}

/** Whether an error that an environment threw comes from the machine, so that the environment is not to blame. */
export function isOfMachine(error: unknown): boolean {
  return error instanceof Error && lacks.has((error as NodeJS.ErrnoException).code);
}

/** Returns a short description of any thrown value, with the line of the environment that threw it. */
export function describe(error: unknown): string {
  try {
    if (!(error instanceof Error)) return shortened(String(error), longestDescription);
    const { place } = traceOf(error);
    const text = `${shortened(String(error.name), 100)}: ${shortened(String(error.message), longestDescription)}`;
    return place === undefined ? text : `${text} (${shortened(place, 200)})`;
  } catch {
    return "a value without a text form";
  }
}
