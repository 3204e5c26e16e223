/** The teacher of on-policy distillation: a model that scores the tokens that the policy sampled, and is never trained. */
import type { Tokenizer } from "../../native/api/index.js";
import { TrainerError } from "../errors.js";
import { ChatFormat } from "./chat-format.js";

/** Tokens of a row, both arrays of shape `[tokens]`. `mask` is 1 for the tokens to score. */
export interface SampledRow {
  readonly tokens: Int32Array;
  readonly mask: Uint8Array;
}

export interface Teacher {
  /**
   * Scores the sampled tokens of rows.
   *
   * @returns log-probabilities of each row in nats, `[tokens]`; 0 where the mask is 0
   */
  logprobs(rows: readonly SampledRow[]): Promise<Float32Array[]>;
  close(): void;
}

export type TeacherName =
  | { readonly kind: "native"; readonly path: string }
  | { readonly kind: "openai"; readonly url: string; readonly model: string };

/** Reads the setting `teacher`. @throws {TrainerError} POLICY_INVALID */
export function parseTeacher(text: string): TeacherName {
  const [, path] = /^native:(.+)$/s.exec(text) ?? [];
  if (path !== undefined) return { kind: "native", path };
  const [, url, model] = /^openai:(https?:\/\/.+)#(.+)$/s.exec(text) ?? [];
  if (url !== undefined && model !== undefined) return { kind: "openai", url, model };
  throw new TrainerError(
    "POLICY_INVALID",
    `expected native:FOLDER, native:FILE.gguf or openai:URL#model, but received ${JSON.stringify(text)}`,
  );
}

/**
 * Checks that a teacher in this process reads every token of the policy as the same text.
 *
 * @throws {TrainerError} TEACHER_UNUSABLE
 */
export function expectSameTokens(policy: Tokenizer, teacher: Tokenizer): void {
  if (teacher.size < policy.size) throw otherTokens(`${teacher.size} instead of ${policy.size}`);
  const [own, other] = [policy.bytes(policy.size), teacher.bytes(teacher.size)];
  const textOf = ({ bytes, offsets }: typeof own, id: number) =>
    Buffer.from(bytes.subarray(Number(offsets[id]), Number(offsets[id + 1]))).toString();
  for (let id = 0; id < policy.size; id++) {
    const [expected, received] = [textOf(own, id), textOf(other, id)];
    if (expected !== received)
      throw otherTokens(`token ${id} as ${JSON.stringify(received)} instead of ${JSON.stringify(expected)}`);
  }
}

/** A text, with the marks of turns, for which two different tokenizers hardly ever agree. */
export function probeOf(tokenizer: Tokenizer): string {
  const told = 'Go to the red ball. You see 12 doors, 3.5 m ahead:\n\tnaïve Zürich, 你好 <b>&amp;</b> {"x": [1, 2]}';
  return tokenizer.decode(new ChatFormat(tokenizer).opening("Play the game.", told, {}));
}

/** Checks that a teacher on a server reads the probe as the same tokens. @throws {TrainerError} TEACHER_UNUSABLE */
export function expectSameProbe(policy: ArrayLike<number>, teacher: readonly number[]): void {
  const at = Array.from(policy).findIndex((id, place) => teacher[place] !== id);
  if (at < 0 && teacher.length === policy.length) return;
  const place = at < 0 ? policy.length : at;
  throw otherTokens(
    `a probe as ${teacher.slice(place, place + 4)} instead of ${Array.from(policy).slice(place, place + 4)} from its token ${place} on`,
  );
}

function otherTokens(received: string): TrainerError {
  return new TrainerError(
    "TEACHER_UNUSABLE",
    `expected a teacher with the policy's tokenizer, but received one that reads ${received}. Choose a teacher of the same family of models.`,
  );
}
