import type { EpisodeEnd, Verdict } from "../env.js";
import { brief, counted, rounded, span } from "../shared/verdicts/words.js";

/** States the reward that the page has given, and the reason if the page tells one. */
export function verdictOf(utterance: string, end: EpisodeEnd): Verdict {
  const { solved, result, steps } = end;
  const { reason, fault } = result.info;
  const told = typeof reason === "string" ? `: ${brief(reason.replace(/\.$/, ""))}` : "";
  const sentence = () => {
    if (solved) return `The page accepted the task ${span(end)} with a reward of ${rounded(result.reward)}${told}`;
    if (result.terminated)
      return `The page ended the task after ${counted(steps, "step")} with a reward of ${rounded(result.reward)}${told}`;
    const last = typeof fault === "string" ? `; the last action failed: ${brief(fault.replace(/\.$/, ""))}` : "";
    return `The page did not end the task ${span(end)}${last}`;
  };
  return { goal: brief(utterance, 500), why: `${sentence()}.` };
}
