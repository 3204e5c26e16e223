/** Parser of problems in published formats: one JSON object per line. */
import { markedAnswer } from "../shared/arithmetic/final-answer.js";

export interface MathLine {
  text: string;
  answer: string;
}

const problemNames = ["problem", "question", "prompt", "query"] as const;
const answerNames = ["expected_answer", "final_answer", "answer", "solution", "target", "reward_model"] as const;
const longestAnswer = 1_000;
/** Maximum number of words of an answer. A longer text is a solution, which must mark its answer. */
const mostWords = 30;

/**
 * Parses a problem in the format of GSM8K, MATH or verl. GSM8K has `question` and an `answer` that ends with `#### 42`.
 * MATH has `problem`, and either a `solution` with `\boxed{}` or an `answer`. verl has `prompt` as messages and
 * `reward_model.ground_truth`.
 *
 * @throws {Error} the value has none of these formats
 */
export function mathLine(value: unknown): MathLine {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`expected a JSON object, but received ${shown(value)}`);
  const line = value as Record<string, unknown>;
  const text = textOf(first(line, problemNames));
  if (text === null)
    throw new Error(
      `expected a text in the field ${problemNames.join(" or ")}, but received ${shown(first(line, problemNames))}`,
    );
  const told = answerOf(first(line, answerNames));
  if (told === null)
    throw new Error(
      `expected a text or a number in one of the fields ${answerNames.slice(0, 4).join(", ")}, but none of these fields has one`,
    );
  const isSolution = line.solution !== undefined && first(line, answerNames) === line.solution;
  const answer = markedAnswer(told) ?? (isSolution || isProse(told) ? "" : told.trim());
  if (answer === "" || answer.length > longestAnswer)
    throw new Error(`expected an answer after #### or in \\boxed{}, but received ${shown(told)}`);
  return { text, answer };
}

/** Whether a text has several lines, except inside LaTeX such as a matrix, or many words. */
function isProse(text: string): boolean {
  const bare = text.trim();
  return (bare.includes("\n") && !bare.includes("\\begin")) || bare.split(/\s+/).length > mostWords;
}

function first(line: Record<string, unknown>, names: readonly string[]): unknown {
  const name = names.find((one) => line[one] !== undefined && line[one] !== null);
  return name === undefined ? undefined : line[name];
}

/** Returns a text, or the last message of a conversation. Returns null if the value is neither or is empty. */
function textOf(value: unknown): string | null {
  const text = Array.isArray(value) ? (value.at(-1) as { content?: unknown } | undefined)?.content : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : null;
}

function answerOf(value: unknown): string | null {
  const truth = (value as { ground_truth?: unknown } | undefined)?.ground_truth ?? value;
  if (typeof truth === "number") return `${truth}`;
  return typeof truth === "string" ? truth : null;
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 80).toWellFormed()}…`;
}
