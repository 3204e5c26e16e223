/** Evaluates a task, like `evaluator_router` and `EvaluatorComb` of WebArena's public evaluators. */
import { parseLocator, parseTargetUrl } from "./helpers.js";
import { liteRules, liteShown, matchesUrlLite } from "./lite.js";
import { type HtmlEvaluation, type HtmlTarget, isShown, matchesHtml, passesInTime } from "./program-html.js";
import { type Judge, matchesString, type Question, type ReferenceAnswers } from "./string-match.js";
import { matchesUrl } from "./url-match.js";

/** Specification of a task's evaluation. The field names are those of the benchmark. */
export interface EvaluationSpec {
  /** Variant of the evaluators. The default is WebArena's own evaluators. */
  dialect?: "lite";
  /** Names of the evaluators. All of them must succeed. */
  eval_types: readonly ("string_match" | "url_match" | "program_html")[];
  reference_answers?: ReferenceAnswers | null | undefined;
  reference_url?: string | null | undefined;
  /** Kind of URL comparison in WebArena-Lite. By default, complete URLs are compared. */
  url_note?: "GOLD in PRED" | "EXACT" | undefined;
  program_html?: readonly HtmlTarget[] | null | undefined;
  /** Reason why the task is impossible. Only impossible tasks have this field. */
  string_note?: string | undefined;
}

/** State at the end of an episode, and the services that the evaluators need. */
export interface Outcome extends HtmlEvaluation {
  /** Answer in the agent's `stop` action, or `""`. */
  answer: string;
  judge: Judge;
}

/** Verdict of one evaluator. */
export interface Verdict {
  type: EvaluationSpec["eval_types"][number];
  passed: boolean;
}

/**
 * Runs the evaluators in the order of the spec until one fails, and returns their verdicts. The score is 1 if all
 * evaluators pass, else 0.
 *
 * @throws the errors of the LLM judge and of the pages, which leave the score unknown
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

/** Whether a spec needs an LLM judge. */
export function needsJudge({ eval_types: types, reference_answers, program_html }: EvaluationSpec): boolean {
  return (
    (types.includes("string_match") && reference_answers?.fuzzy_match !== undefined) ||
    (types.includes("program_html") && (program_html ?? []).some((one) => one.required_contents.fuzzy_match))
  );
}

/**
 * Checks that the evaluators support all parts of a spec.
 *
 * @throws {Error} a part of the spec is not supported
 */
export function checkSpec(spec: EvaluationSpec): void {
  const { eval_types: types, reference_answers: answers, reference_url: url, program_html: targets } = spec;
  if (spec.dialect !== "lite") checkOriginal(spec);
  if (types.includes("string_match") && !answers)
    throw new Error(`expected reference answers for string_match, but received ${answers}`);
  if (types.includes("url_match") && !url)
    throw new Error(`expected a reference URL for url_match, but received ${url}`);
  if (!types.includes("program_html")) return;
  if (!targets || targets.length === 0)
    throw new Error(`expected at least one target for program_html, but received ${targets?.length ?? "no list"}`);
  for (const { url: address, locator } of targets) {
    parseTargetUrl(address);
    parseLocator(locator);
  }
}

/** @throws {Error} the spec needs a feature of WebArena-Lite's evaluators */
function checkOriginal({ url_note: note, program_html: targets }: EvaluationSpec): void {
  const other = (targets ?? []).find(
    ({ locator, required_contents: contents }) => locator.startsWith("lambda:") || contents.fuzzy_match,
  );
  if (other)
    throw new Error(
      `expected contents that are compared without an LLM judge (which needs dialect lite), but received ${JSON.stringify(other)}`,
    );
  if (note === "EXACT")
    throw new Error(`expected url_note to be "GOLD in PRED" without dialect lite, but received "${note}"`);
}

async function isPassed(
  type: Verdict["type"],
  spec: EvaluationSpec,
  question: Question,
  outcome: Outcome,
): Promise<boolean> {
  const isLite = spec.dialect === "lite";
  const { answer, judge, page } = outcome;
  switch (type) {
    case "string_match":
      return matchesString(spec.reference_answers ?? {}, answer, question, judge, isLite ? liteRules : undefined);
    case "url_match":
      return passesInTime(page, () =>
        isLite
          ? matchesUrlLite(spec.reference_url ?? "", page.url(), spec.url_note !== "GOLD in PRED")
          : matchesUrl(spec.reference_url ?? "", page.url()),
      );
    case "program_html":
      return matchesHtml(spec.program_html ?? [], outcome, isLite ? liteShown(question, judge) : isShown);
  }
}
