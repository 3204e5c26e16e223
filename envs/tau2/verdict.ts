import type { EpisodeEnd, Verdict } from "../env.js";
import { capital, counted, span } from "../shared/verdicts/words.js";
import type { Tau2 } from "./env.js";
import type { Evaluation } from "./episode/evaluate.js";
import { jsonText } from "./python/text.js";

export function verdict({ task, ending, evaluation }: Tau2, end: EpisodeEnd): Verdict {
  const golden = task?.criteria?.actions ?? [];
  const expected = golden.map(({ name, arguments: args }) => `${name} ${jsonText(args)}`);
  if (!evaluation || !ending) return { why: `Did not end the conversation ${span(end)}.`, expected };
  return { why: sentence(evaluation, ending, end, golden.length), expected };
}

function sentence(evaluation: Evaluation, ending: string, end: EpisodeEnd, golden: number): string {
  if (evaluation.note !== undefined) return evaluation.note;
  const faults = faultsOf(evaluation);
  const left = evaluation.unjudged.length > 0 ? `; ${counted(evaluation.unjudged.length, "assertion")} not judged` : "";
  if (faults.length > 0) return `${capital(faults.join("; "))}${left}.`;
  return `Left the records as ${counted(golden, "golden action")} would ${span(end)} (${ending})${left}.`;
}

function faultsOf({ parts, isDatabaseRight, assertions, actions, told }: Evaluation): string[] {
  const missing = (checks: readonly boolean[]) => checks.filter((each) => !each).length;
  return [
    ...(parts.DB === 0 && isDatabaseRight === false ? ["the records differ from those after the golden actions"] : []),
    ...(parts.ENV_ASSERTION === 0
      ? [`${counted(missing(assertions), "assertion")} about the records does not hold`]
      : []),
    ...(parts.ACTION === 0 ? [`${counted(missing(actions), "golden action")} not taken`] : []),
    ...(parts.COMMUNICATE === 0 ? [`${counted(missing(told), "fact")} not told`] : []),
    ...(parts.NL_ASSERTION === 0 ? ["the LLM judge calls an assertion unmet"] : []),
  ];
}
