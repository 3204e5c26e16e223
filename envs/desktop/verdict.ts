import type { EpisodeEnd, JsonValue, Verdict } from "../env.js";
import { brief, span } from "../shared/verdicts/words.js";
import type { Task } from "./tasks.js";

/** States the first failed check. */
export function verdictOf({ instruction, checks }: Task, end: EpisodeEnd): Verdict {
  const expected = JSON.parse(JSON.stringify(checks)) as JsonValue;
  return { goal: brief(instruction, 500), why: `${sentence(checks.length, end)}.`, expected };
}

function sentence(checks: number, end: EpisodeEnd): string {
  const { faults, fault } = end.result.info;
  if (end.solved) return `Passed ${checks === 1 ? "the check" : `all ${checks} checks`} ${span(end)}`;
  if (typeof fault === "string") return `The desktop ended ${span(end)}: ${brief(fault.replace(/\.$/, ""))}`;
  if (!Array.isArray(faults)) return `Did not say that the task is done ${span(end)}`;
  const first = String(faults[0])
    .replace(/, but received\s*$/, ", but it is empty")
    .replace(/\.$/, "");
  const some = checks === 1 ? "The check" : `${faults.length} of ${checks} checks`;
  return `${some} failed: ${brief(first, 300)}`;
}
