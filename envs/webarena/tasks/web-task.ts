/** A task of the benchmark, independent of the file format. */
import type { EvaluationSpec } from "../evaluators/evaluate.js";
import { placeholderOf, type SiteName, type SiteUrls, siteNames } from "./sites.js";

export interface WebTask {
  id: number;
  sites: readonly SiteName[];
  /** The instruction to the agent. */
  intent: string;
  /** Number of the template from which the intent was made. */
  template: number;
  /** Start pages. Each page is opened in its own tab, and the first tab is in front. */
  startUrls: readonly string[];
  /** Sites on which the agent is logged in from the start. */
  logins: readonly SiteName[];
  evaluation: Evaluation;
  /** Sites of the task without a known address. Addresses of these sites remain placeholders. */
  missing: readonly SiteName[];
}

/** Evaluation of a task by WebArena's own evaluators, or by those of WebArena-Verified. */
export type Evaluation =
  | { kind: "original"; spec: EvaluationSpec }
  // Addresses remain placeholders, since the evaluators compare placeholders.
  | { kind: "verified"; evaluators: readonly unknown[] };

/** Replaces the placeholders in a task by addresses. As in WebArena, placeholders in all fields are replaced. */
export function withAddresses(task: WebTask, urls: SiteUrls): WebTask {
  const { evaluation } = task;
  const text = siteNames.reduce(
    (whole, name) => (urls[name] === undefined ? whole : whole.replaceAll(placeholderOf(name), urls[name])),
    JSON.stringify(task),
  );
  const missing = task.missing.filter((name) => urls[name] === undefined);
  return { ...(JSON.parse(text) as WebTask), ...(evaluation.kind === "verified" && { evaluation }), missing };
}
