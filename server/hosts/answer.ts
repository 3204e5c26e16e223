/** What a running instance answers when it is asked, and the text of that. */
import type { AnyEnvironmentSpec } from "../../envs/env.js";
import { type Question, queryOf } from "./protocol.js";
import { answerText, badResult, pictureText } from "./reply-text.js";

/** The part of a spec, of either kind, that is asked. */
interface Asked {
  expert?(engine: unknown, signal?: AbortSignal): unknown;
  render?(engine: unknown, signal?: AbortSignal): unknown;
  queries?: Readonly<Record<string, { answer(engine: unknown, signal?: AbortSignal): unknown }>>;
}

/** The answer itself, or a promise of it where the environment is async. */
export function ask(spec: Asked, engine: unknown, question: Question, signal?: AbortSignal): unknown {
  if (question === "expert") return spec.expert?.(engine, signal);
  if (question === "render") return spec.render?.(engine, signal);
  return spec.queries?.[queryOf(question) as string]?.answer(engine, signal);
}

/** Whether the answer leads to the task's end: whoever asks needs the right to, and the episode is marked. */
export function isAdvice({ queries }: AnyEnvironmentSpec, question: Question): boolean {
  return question === "expert" || queries?.[queryOf(question) as string]?.isAdvice === true;
}

/**
 * The expert's action, or JSON text of any other answer; null where the expert has none.
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
