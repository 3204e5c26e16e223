import type { EpisodeEnd, Verdict } from "../env.js";
import { brief, listed, span } from "../shared/verdicts/words.js";

/**
 * States the points, and the goals that are not met. Both engines give the same sentence.
 *
 * @param table table of goals in ScienceWorld's format
 */
export function verdictOf(table: string, end: EpisodeEnd): Verdict {
  return { why: `${sentence(unmetGoals(table), end)}.` };
}

function sentence(unmet: readonly string[], end: EpisodeEnd): string {
  const points = Number(end.result.info.score);
  const left = unmet.length === 0 ? "" : `; not done: ${listed(unmet)}`;
  if (points < 0) return `Failed the task with the action "${brief(end.action)}", which loses all points${left}`;
  const reached = `Reached ${points} of 100 points ${span(end)}`;
  return end.solved ? reached : `${reached}${left}`;
}

/** Returns the descriptions of the unmet ordered goals in a table of goals. */
export function unmetGoals(table: string): string[] {
  const from = table.indexOf("Sequential Subgoals");
  const to = table.indexOf("Unordered and Optional Subgoals");
  if (from < 0 || to < from) return [];
  const rows = table
    .slice(from, to)
    .split("\n")
    .map((line) => line.split("\t"));
  return rows.flatMap(([, isMet, , description = ""]) =>
    isMet?.trim() === "false" && description.trim() !== "" ? [description.trim()] : [],
  );
}
