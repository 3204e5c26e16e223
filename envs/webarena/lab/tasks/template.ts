/** The shape of the lab's task templates. A template draws problems; each becomes a task in WebArena's format. */
import type { EvaluationSpec } from "../../evaluators/evaluate.js";
import type { SiteName } from "../../tasks/sites.js";
import type { PlanStep } from "../plan.js";
import type { Random } from "../seed/random.js";

export interface Template {
  /** Lower-case words with dashes; no two templates have the same. */
  name: string;
  sites: readonly SiteName[];
  /** Kind of the task: find a fact, find a page, or change something. */
  kind: "find" | "navigate" | "change";
  /** The instruction to the agent, with `{{name}}` for each of the slots. */
  intent: string;
  /** Path on the first of its sites where the agent begins. Default: the site's front page. */
  start?: string;
  /** One problem; undefined where what was drawn makes none, so that it is drawn again. */
  draw(random: Random): Problem | undefined;
}

export interface Problem {
  /** By name, as they stand in the intent. */
  slots: Readonly<Record<string, string | number>>;
  evaluation: Evaluation;
  /** A visitor that does it, up to and including its `stop`. */
  plan: readonly PlanStep[];
  /** Visitors that nearly do it, by what they do wrong. Each has to score 0. */
  nearMisses: Readonly<Record<string, readonly PlanStep[]>>;
}

/** `eval_types` follow from what is there. Addresses hold the sites' placeholders, such as `__SHOPPING__`. */
export type Evaluation = Pick<EvaluationSpec, "reference_answers" | "reference_url" | "program_html" | "string_note">;

/** A page of a site and the contents that it has to have at the end. */
export type Target = NonNullable<Evaluation["program_html"]>[number];
