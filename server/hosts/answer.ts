/** Answers questions to a running instance, as text. */
import type { AnyEnvironmentSpec } from "../../envs/env.js";
import { atOnce } from "../../envs/errors.js";
import { type Question, queryOf } from "./protocol.js";
import { answerText, badResult, pictureText } from "./reply-text.js";

/** The functions of a sync or async spec that answer questions. */
interface Asked {
  isAsync?: boolean;
  expert?(engine: unknown, signal?: AbortSignal): unknown;
  render?(engine: unknown, signal?: AbortSignal): unknown;
  queries?: Readonly<Record<string, { answer(engine: unknown, signal?: AbortSignal): unknown }>>;
}

/**
 * Returns the answer, or a promise of the answer if the environment is async.
 *
 * @throws {PromiseReturned} a synchronous environment returned a promise
 */
export function ask(spec: Asked, engine: unknown, question: Question, signal?: AbortSignal): unknown {
  const answer = answerOf(spec, engine, question, signal);
  return spec.isAsync ? answer : atOnce(question, answer);
}

function answerOf(spec: Asked, engine: unknown, question: Question, signal?: AbortSignal): unknown {
  if (question === "expert") return spec.expert?.(engine, signal);
  if (question === "render") return spec.render?.(engine, signal);
  return spec.queries?.[queryOf(question) as string]?.answer(engine, signal);
}

/**
 * Whether the answer gives away a part of the solution. Only callers with the right `expert` get such an answer, and
 * the episode is marked.
 */
export function isAdvice({ queries }: AnyEnvironmentSpec, question: Question): boolean {
  return question === "expert" || queries?.[queryOf(question) as string]?.isAdvice === true;
}

/**
 * Returns the expert's action, or the JSON text of any other answer. Null if the expert has no action.
 *
 * @throws {SlotFailure} ENVIRONMENT_RESULT
 */
export function textOfAnswer(question: Question, answer: unknown, maxLength: number): string | null {
  if (question === "render") return pictureText(answer, maxLength);
  if (question !== "expert") return answerText(answer, maxLength);
  if (typeof answer === "string") return answer;
  if (answer === null || answer === undefined) return null;
  throw badResult("an action or null as advice", typeof answer);
}
