/** Reads questions in published formats, which have one JSON object per line. */
import type { Info, JsonValue } from "../../env.js";
import type { Question } from "./question.js";

/** Error if a line is not a question. */
export class BadQuestion extends Error {}

const questionNames = ["question", "Question", "problem", "query", "prompt"] as const;
const answerNames = ["golden_answers", "answers", "answer", "Final answer", "final_answer", "reward_model"] as const;
const idNames = ["id", "task_id", "_id", "qid", "idx"] as const;
/**
 * Fields that xBench encrypts to hide them from crawlers. A field is Base64 of the text XORed with the repeated key in
 * `canary`.
 */
const hiddenNames = ["prompt", "answer"] as const;

/**
 * Reads a question in a published format. Supported formats are FlashRAG (`question`, `golden_answers`), AgentGym and
 * Search-R1 (`question`, `reward_model.ground_truth.target`), GAIA (`Question`, `Final answer`, `task_id`) and xBench
 * (`prompt`, `answer`, `canary`). A question may also have a single `answer`.
 *
 * @param number number of the line, starting at 1; the default for the question's id
 * @throws {BadQuestion} the value is not a question
 */
export function questionOf(value: unknown, number: number): Question {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadQuestion(`expected a JSON object, but received ${shown(value)}`);
  const line = revealed(value as Record<string, unknown>);
  const [, question] = first(line, questionNames);
  if (typeof question !== "string" || question.trim() === "")
    throw new BadQuestion(`expected a text in ${questionNames[0]}, but received ${shown(question)}`);
  const [name, answers] = first(line, answerNames);
  const golden = answersOf(answers);
  if (golden.length === 0)
    throw new BadQuestion(`expected a text or a list of texts in ${answerNames[0]}, but received ${shown(answers)}`);
  const [, id] = first(line, idNames);
  const known = new Set<string>([...questionNames, ...idNames, name ?? "", "canary"]);
  const rest = Object.entries(line).filter(([key, entry]) => !known.has(key) && isPlain(entry));
  const metadata = isObject(line.metadata) ? (line.metadata as Info) : (Object.fromEntries(rest) as Info);
  return { id: String(id ?? number), question, golden, metadata };
}

function revealed(line: Record<string, unknown>): Record<string, unknown> {
  const { canary } = line;
  if (typeof canary !== "string" || canary === "") return line;
  const key = Buffer.from(canary);
  const reveal = (hidden: string) =>
    Buffer.from(Buffer.from(hidden, "base64").map((byte, at) => byte ^ (key[at % key.length] as number))).toString();
  const shown = hiddenNames.flatMap((name) => {
    const hidden = line[name];
    return typeof hidden === "string" ? [[name, reveal(hidden)]] : [];
  });
  return { ...line, ...Object.fromEntries(shown) };
}

function answersOf(value: unknown): string[] {
  const target = (value as { ground_truth?: { target?: unknown } } | null)?.ground_truth?.target ?? value;
  const list = Array.isArray(target) ? target : [target];
  const texts = list.map((one) => (typeof one === "number" ? `${one}` : one));
  return texts.every((one): one is string => typeof one === "string") ? texts : [];
}

function first(line: Record<string, unknown>, names: readonly string[]): [string | undefined, unknown] {
  const name = names.find((one) => line[one] !== undefined && line[one] !== null);
  return [name, name === undefined ? undefined : line[name]];
}

function isPlain(value: unknown): value is JsonValue {
  return ["string", "number", "boolean"].includes(typeof value);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
