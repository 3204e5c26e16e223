/** Task templates of the lab. A template draws problems, and each problem becomes a task in WebArena's format. */
import type { EvaluationSpec } from "../../../shared/web-tasks/evaluators/evaluate.js";
import type { SiteName } from "../../../shared/web-tasks/tasks/sites.js";
import type { PlanStep } from "../../plan.js";
import type { Random } from "../../seed/random.js";

export interface Template {
  /** Unique name of the template: words in lower case, joined by dashes. */
  name: string;
  sites: readonly SiteName[];
  /** Kind of the task: find a fact, open a page, or change records. */
  kind: "find" | "navigate" | "change";
  /** Instruction to the agent, with `{{name}}` for each slot. */
  intent: string;
  /** Path of the start page on the first site. Default: the front page. */
  start?: string;
  /** Draws a problem. Returns undefined if the draw failed. The caller then draws again. */
  draw(random: Random): Problem | undefined;
}

type Draw = (random: Random) => Problem | undefined;

/** Share of the problems without a solution. With this share, the answer "N/A" solves under 2 % of the tasks. */
const impossibleShare = 0.12;
/** Maximum number of draws for one problem of a kind. */
const mostDraws = 100;

/**
 * Returns a draw of problems with a solution and, rarely, without one. Both kinds have the same intent, so that only a
 * look at the site tells them apart.
 */
export function rarelyImpossible(impossible: Draw, possible: Draw): Draw {
  return (random) => {
    const draw = random.chance(impossibleShare) ? impossible : possible;
    let problem = draw(random);
    for (let draws = 1; !problem && draws < mostDraws; draws++) problem = draw(random);
    return problem;
  };
}

/** Returns names in alphabetical order, separated by commas. An answer in this form cannot list more names. */
export function listed(names: readonly string[]): string {
  return [...names].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)).join(", ");
}

export interface Problem {
  /** Values of the slots in the intent, by name of the slot. */
  slots: Readonly<Record<string, string | number>>;
  evaluation: Evaluation;
  /** Steps that solve the problem, including the final `stop`. */
  plan: readonly PlanStep[];
  /** Steps with a mistake, by a name for the mistake. Each must score 0. */
  nearMisses: Readonly<Record<string, readonly PlanStep[]>>;
}

/**
 * Evaluation of a problem. The present fields determine `eval_types`. URLs begin with placeholders such as
 * `__SHOPPING__`.
 */
export type Evaluation = Pick<EvaluationSpec, "reference_answers" | "reference_url" | "program_html" | "string_note">;

/** A page, and the contents that it must have at the end of an episode. */
export type Target = NonNullable<Evaluation["program_html"]>[number];
