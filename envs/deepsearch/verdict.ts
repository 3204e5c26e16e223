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
  if (cited.length === 0) return isRight ? ", but cited no page" : "; cited no page";
  if (proving.length === 0)
    return isRight ? ", but cited no page that proves it" : "; cited no page with the right answer";
  const pages = `${proving.length} of ${counted(cited.length, "cited page")}`;
  return isRight
    ? `; ${pages} prove${proving.length === 1 ? "s" : ""} it`
    : `, which ${pages} name${proving.length === 1 ? "s" : ""}`;
}
