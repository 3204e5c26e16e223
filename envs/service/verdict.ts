import type { EpisodeEnd, Verdict } from "../env.js";
import { capital, counted, span } from "../shared/verdicts/words.js";
import { changesOf } from "./cases/outcome.js";
import type { Service } from "./env.js";
import { callText, faultsOf } from "./score.js";

/** Most faults that a sentence names. */
const mostFaults = 4;

export function verdict(service: Service, end: EpisodeEnd): Verdict {
  if (!service.case) return { why: `Did nothing ${span(end)}.` };
  const { play } = service;
  const wanted = changesOf(play.case).map(callText);
  const expected = play.case.isImpostor ? ["hand_over"] : [...wanted, "end_conversation"];
  return { goal: play.case.title, why: sentence(service, end), expected };
}

function sentence({ play }: Service, end: EpisodeEnd): string {
  const { needless } = play.conversation;
  const asked =
    needless.length > 0
      ? `${counted(needless.length, "needless question")} (${[...new Set(needless)].join(", ")})`
      : "";
  if (!end.result.terminated) return `Did not end the conversation ${span(end)}.`;
  const faults = faultsOf(play);
  if (faults.length > 0) {
    const more = faults.length > mostFaults ? [`${faults.length - mostFaults} more faults`] : [];
    return `${capital([...faults.slice(0, mostFaults), ...more, ...(asked ? [asked] : [])].join("; "))}.`;
  }
  return `Did what the policy and the customer ask for ${span(end)}, with ${asked || "no needless question"}.`;
}
