import type { EpisodeEnd, Verdict } from "../env.js";
import { brief, counted, listed, rounded } from "../shared/verdicts/words.js";

const mostValue = 60;

/** States the return, and the plain values that the remote has told about the last step. */
export function verdictOf({ solved, steps, return: sum, result }: EpisodeEnd): Verdict {
  const how = result.terminated ? "The remote ended the episode" : "The limit ended the episode";
  const told = Object.entries(result.info).flatMap(([name, value]) =>
    value === null || typeof value === "object" ? [] : [`${name} ${brief(String(value), mostValue)}`],
  );
  const said = told.length === 0 ? "" : `; the remote told: ${listed(told)}`;
  const outcome = `with a return of ${rounded(sum)}${solved ? ", which counts as solved" : ""}`;
  return { why: `${how} after ${counted(steps, "step")} ${outcome}${said}.` };
}
