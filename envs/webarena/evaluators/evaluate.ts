/** Whether a task was done: `evaluator_router` and `EvaluatorComb` of WebArena's public evaluators. */
import { parseLocator, parseTargetUrl } from "./helpers.js";
import { type HtmlEvaluation, type HtmlTarget, matchesHtml } from "./program-html.js";
import { type Judge, matchesString, type Question, type ReferenceAnswers } from "./string-match.js";
import { matchesUrl } from "./url-match.js";

/** How a task is evaluated, in the benchmark's own words. */
export interface EvaluationSpec {
  /** All of them have to succeed. */
  eval_types: readonly ("string_match" | "url_match" | "program_html")[];
  reference_answers?: ReferenceAnswers | null | undefined;
  reference_url?: string | null | undefined;
  program_html?: readonly HtmlTarget[] | null | undefined;
  /** Why the task cannot be done, where it cannot. */
  string_note?: string | undefined;
}

/** State at the end of an episode, and the services that evaluators need. */
export interface Outcome extends HtmlEvaluation {
  /** The answer of its last action, `""` without one. */
  answer: string;
  judge: Judge;
}

/** Outcome of one way of evaluating. */
export interface Verdict {
  type: EvaluationSpec["eval_types"][number];
  passed: boolean;
}

/**
 * Verdicts in the order of the spec, up to the first that failed: the score is 1 where all passed, else 0.
 *
 * @throws {Error} what the judge and the pages throw: then nobody knows the score
 */
export async function evaluate(spec: EvaluationSpec, intent: string, outcome: Outcome): Promise<Verdict[]> {
  const question: Question = { intent, note: spec.string_note ?? "" };
  const verdicts: Verdict[] = [];
  for (const type of spec.eval_types) {
    const passed = await isPassed(type, spec, question, outcome);
    verdicts.push({ type, passed });
    if (!passed) break;
  }
  return verdicts;
}

/** Whether a spec asks for a judge. */
export function needsJudge({ eval_types: types, reference_answers: answers }: EvaluationSpec): boolean {
  return types.includes("string_match") && answers?.fuzzy_match !== undefined;
}

/**
 * Checks that everything that a spec names can be carried out.
 *
 * @throws {Error} what cannot, and what is expected instead
 */
export function checkSpec(spec: EvaluationSpec): void {
  const { eval_types: types, reference_answers: answers, reference_url: url, program_html: targets } = spec;
  if (types.includes("string_match") && !answers)
    throw new Error(`expected reference answers for string_match, but received ${answers}`);
  if (types.includes("url_match") && !url)
    throw new Error(`expected a reference URL for url_match, but received ${url}`);
  if (!types.includes("program_html")) return;
  if (!targets || targets.length === 0) throw new Error(`expected targets for program_html, but received none`);
  for (const { url: address, locator } of targets) {
    parseTargetUrl(address);
    parseLocator(locator);
  }
}

async function isPassed(
  type: Verdict["type"],
  spec: EvaluationSpec,
  question: Question,
  outcome: Outcome,
): Promise<boolean> {
  switch (type) {
    case "string_match":
      return matchesString(spec.reference_answers ?? {}, outcome.answer, question, outcome.judge);
    case "url_match":
      return matchesUrl(spec.reference_url ?? "", outcome.page.url());
    case "program_html":
      return matchesHtml(spec.program_html ?? [], outcome);
  }
}
