/** Task templates of the lab. A template draws problems, and each problem becomes a task in WebArena's format. */
import type { EvaluationSpec } from "../../evaluators/evaluate.js";
import type { SiteName } from "../../tasks/sites.js";
import type { PlanStep } from "../plan.js";
import type { Random } from "../seed/random.js";

export interface Template {
  /** Unique name: lower-case words with dashes. */
  name: string;
  sites: readonly SiteName[];
  /** Kind of the task: to find a fact, to find a page, or to change something. */
  kind: "find" | "navigate" | "change";
  /** The instruction to the agent, with `{{name}}` for each slot. */
  intent: string;
  /** Path of the start page on the first site. The default is the front page. */
  start?: string;
  /** Draws a problem. Returns undefined if the draw failed and another draw is needed. */
  draw(random: Random): Problem | undefined;
}

export interface Problem {
  /** Values of the intent's slots, by name. */
  slots: Readonly<Record<string, string | number>>;
  evaluation: Evaluation;
  /** Steps of a visitor that solves the problem, including the final `stop`. */
  plan: readonly PlanStep[];
  /** Steps of visitors that fail, by the mistake of the visitor. Each visitor has to score 0. */
  nearMisses: Readonly<Record<string, readonly PlanStep[]>>;
}

/**
 * Evaluation of a problem. The fields that are present determine `eval_types`. Addresses use placeholders such as
 * `__SHOPPING__`.
 */
export type Evaluation = Pick<EvaluationSpec, "reference_answers" | "reference_url" | "program_html" | "string_note">;

/** A page and its required contents at the end of an episode. */
export type Target = NonNullable<Evaluation["program_html"]>[number];
