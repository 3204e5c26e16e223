/** The verdict on an episode, from the results of its evaluators. */
import type { EpisodeEnd, JsonValue, Verdict } from "../../env.js";
import { brief, counted, listed, span, told } from "../verdicts/words.js";
import type { EvaluationSpec } from "./evaluators/evaluate.js";
import type { Verdict as Result } from "./scoring.js";
import type { WebTask } from "./tasks/web-task.js";

/** Facts that the evaluators have scored, with the URLs that the agent sees. */
export interface Scored {
  answer: string;
  url: string;
  results: readonly Result[];
}

/** @param scored undefined if the agent has not stopped */
export function verdictOf({ intent, evaluation }: WebTask, scored: Scored | undefined, end: EpisodeEnd): Verdict {
  const spec = evaluation.kind === "original" ? evaluation.spec : undefined;
  const expected = spec
    ? expectedOf(spec)
    : evaluation.kind === "verified"
      ? ([...evaluation.evaluators] as JsonValue[])
      : null;
  const wanted = spec ? wantedOf(spec) : "";
  return {
    goal: brief(intent, 500),
    why: `${sentence(spec, wanted, scored, end)}.`,
    ...(expected !== null && { expected }),
  };
}

function sentence(
  spec: EvaluationSpec | undefined,
  wanted: string,
  scored: Scored | undefined,
  end: EpisodeEnd,
): string {
  if (!scored) return `Did not stop ${span(end)}${wanted === "" ? "" : `; expected ${wanted}`}`;
  const { answer, url, results } = scored;
  const failed = results.find(({ passed }) => !passed);
  const given = answer === "" ? "no answer" : told(answer);
  if (!failed) return `${passed(given, url, results)} ${span(end)}`;
  if (failed.reason !== undefined) return `${failed.type} failed: ${brief(failed.reason.replace(/\.$/, ""))}`;
  if (failed.type === "string_match")
    return `${answer === "" ? "Gave no answer" : `Answered ${given}`}, expected ${answersOf(spec)}`;
  if (failed.type === "url_match")
    return `Stopped at ${brief(url)}, expected ${brief(spec?.reference_url ?? "another page")}`;
  return `Stopped at ${brief(url)}, but ${pagesOf(spec)}`;
}

/** @param given answer of the agent, as the sentence shows it */
function passed(given: string, url: string, results: readonly Result[]): string {
  const types = results.map(({ type }) => type);
  if (types.join() === "string_match") return `Answered ${given}, as expected,`;
  if (types.join() === "url_match") return `Stopped at ${brief(url)}, as expected,`;
  return `Passed ${types.length === 1 ? "the check" : "the checks"} ${listed(types)}`;
}

function wantedOf(spec: EvaluationSpec): string {
  const parts = spec.eval_types.map((type) => {
    if (type === "string_match") return `the answer ${answersOf(spec)}`;
    if (type === "url_match") return `the page ${brief(spec.reference_url ?? "")}`;
    return `changed data (${contentsOf(spec)})`;
  });
  return listed(parts);
}

function answersOf(spec: EvaluationSpec | undefined): string {
  const texts = Object.values(spec?.reference_answers ?? {}).flat();
  return texts.length === 0 ? "another answer" : listed(texts.map(told));
}

function pagesOf(spec: EvaluationSpec | undefined): string {
  const targets = spec?.program_html ?? [];
  const place = targets.length === 1 ? placeOf(targets[0]?.url ?? "last") : `one of ${counted(targets.length, "page")}`;
  return `${place} does not show ${contentsOf(spec)}`;
}

function placeOf(url: string): string {
  if (url === "last") return "this page";
  // A function of the benchmark finds the page.
  return url.startsWith("func:") ? "the page of the check" : `the page ${brief(url)}`;
}

function contentsOf(spec: EvaluationSpec | undefined): string {
  const texts = (spec?.program_html ?? []).flatMap(({ required_contents: contents }) => Object.values(contents).flat());
  return listed(texts.map((text) => told(String(text))));
}

function expectedOf({
  reference_answers: answers,
  reference_url: url,
  program_html: pages,
  string_note: note,
}: EvaluationSpec): JsonValue {
  const parts = {
    ...(answers && { answers }),
    ...(url && { url }),
    ...(note && { note }),
    ...(pages &&
      pages.length > 0 && { pages: pages.map(({ url: page, required_contents: contents }) => ({ page, contents })) }),
  };
  return JSON.parse(JSON.stringify(parts)) as JsonValue;
}
