/** A task of the benchmark, independent of the file format. */
import type { EvaluationSpec } from "../evaluators/evaluate.js";
import { placeholderOf, type SiteName, type SiteUrls, siteNames } from "./sites.js";

export interface WebTask {
  id: number;
  sites: readonly SiteName[];
  /** Instruction to the agent. */
  intent: string;
  /** Number of the template from which the intent was created. */
  template: number;
  /** URLs of the start pages. Each page has its own tab, and the first tab is in front. */
  startUrls: readonly string[];
  /** Sites on which the agent is already logged in at the start. */
  logins: readonly SiteName[];
  evaluation: Evaluation;
  /** Sites of the task whose URL is unknown. Their placeholders remain in the task. */
  missing: readonly SiteName[];
}

/** Evaluation of a task, by WebArena's own evaluators or by WebArena-Verified's evaluators. */
export type Evaluation =
  | { kind: "original"; spec: EvaluationSpec }
  // Addresses remain placeholders, since the evaluators compare placeholders.
  | { kind: "verified"; evaluators: readonly unknown[] };

/** Replaces the placeholders in a task with URLs. As in WebArena, all fields may contain placeholders. */
export function withAddresses(task: WebTask, urls: SiteUrls): WebTask {
  const { evaluation } = task;
  const text = siteNames.reduce(
    (whole, name) => (urls[name] === undefined ? whole : whole.replaceAll(placeholderOf(name), urls[name])),
    JSON.stringify(task),
  );
  const missing = task.missing.filter((name) => urls[name] === undefined);
  return { ...(JSON.parse(text) as WebTask), ...(evaluation.kind === "verified" && { evaluation }), missing };
}
