import type { EpisodeEnd, Verdict } from "../env.js";
import { verdictOfAnswer } from "../shared/verdicts/of-answer.js";
import { counted } from "../shared/verdicts/words.js";
import type { DeepSearch, LastAnswer } from "./env.js";

export function verdict({ question, given }: DeepSearch, end: EpisodeEnd): Verdict {
  const accepted = question?.golden ?? [];
  if (!given) return verdictOfAnswer(end, { answer: undefined, isRight: false, accepted });
  const { answer, isRight } = given;
  return verdictOfAnswer(end, { answer, isRight, accepted, addition: citations(given) });
}

/** States whether the cited pages prove the answer. */
function citations({ cited, proving, isRight }: LastAnswer): string {
  const join = isRight ? ", but" : ", and";
  if (cited.length === 0) return `${join} cited no page`;
  if (proving.length > 0 && !isRight) return `; ${counted(proving.length, "cited page")} named the expected answer`;
  if (proving.length > 0)
    return ` and as ${proving.length === 1 ? "the cited page" : `${proving.length} cited pages`} of ${cited.length} prove`;
  return `${join} cited no page that proves ${isRight ? "it" : "the expected answer"}`;
}
