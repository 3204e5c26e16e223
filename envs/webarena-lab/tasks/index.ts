/** The lab's tasks. Each template draws problems, which become tasks in WebArena's format. */
import type { TaskRef, TaskSplit } from "../../env.js";
import { readTaskFile } from "../../shared/web-tasks/tasks/format.js";
import { placeholderOf } from "../../shared/web-tasks/tasks/sites.js";
import { type WebTask, withAddresses } from "../../shared/web-tasks/tasks/web-task.js";
import type { PlanStep } from "../plan.js";
import { Random } from "../seed/random.js";
import { labSites, labUrls } from "../sites/index.js";
import { adminTemplates } from "./admin/tasks.js";
import type { Problem, Template } from "./common/template.js";
import { forgeTemplates } from "./forge/tasks.js";
import { forumTemplates } from "./forum/tasks.js";
import { mapTemplates } from "./map/tasks.js";
import { pairsTemplates } from "./pairs.js";
import { shopTemplates } from "./shop/tasks.js";
import { wikiTemplates } from "./wiki/tasks.js";

/** All templates. Their order determines the task numbers, so a new template must be the last one of its list. */
export const templates: readonly Template[] = [
  ...shopTemplates,
  ...adminTemplates,
  ...forumTemplates,
  ...forgeTemplates,
  ...wikiTemplates,
  ...mapTemplates,
  ...pairsTemplates,
];

/** Every fourth template is used only for the test split. */
const testEvery = 4;
const perTestTemplate = 5;
/** Maximum number of draws to find one problem. */
const mostDraws = 200;
/** Number of training tasks per template. */
const seeds = 1_000_000;

const isTest = (at: number) => at % testEvery === testEvery - 1;
const testTemplates = templates.filter((_, at) => isTest(at));
const trainTemplates = templates.filter((_, at) => !isTest(at));

export interface LabTask {
  template: Template;
  problem: Problem;
  task: WebTask;
  plan: readonly PlanStep[];
}

export function taskOf({ split, index }: TaskRef): LabTask {
  const own = split === "test" ? testTemplates : trainTemplates;
  const template = own[index % own.length] as Template;
  return taskFrom(template, Math.floor(index / own.length));
}

/** @param seed number of the problem, starting at 0 */
export function taskFrom(template: Template, seed: number): LabTask {
  const problem = problemOf(template, seed);
  const [task] = readTaskFile(JSON.stringify(rawTask(template, seed, problem))).tasks;
  return { template, problem, task: withAddresses(task as WebTask, labUrls), plan: problem.plan };
}

export const splits: Record<string, TaskSplit> = {
  train: {
    size: trainTemplates.length * seeds,
    summary: `${trainTemplates.length} templates in turn; each round draws new problems from them.`,
    title: (index) => taskOf({ split: "train", index }).task.intent,
  },
  test: {
    size: testTemplates.length * perTestTemplate,
    summary: `${perTestTemplate} problems of each of ${testTemplates.length} further templates, to measure on.`,
    title: (index) => taskOf({ split: "test", index }).task.intent,
  },
};

/** Draws a problem. The first seeds of a template give different problems, if the template has enough of them. */
function problemOf(template: Template, seed: number): Problem {
  const earlier = new Set<string>();
  for (let one = 0; one < Math.min(seed, perTestTemplate); one++) earlier.add(slotsOf(drawn(template, one, earlier)));
  return drawn(template, seed, seed < perTestTemplate ? earlier : new Set());
}

function drawn(template: Template, seed: number, earlier: ReadonlySet<string>): Problem {
  const random = Random.of(`task ${template.name}`, seed);
  let last: Problem | undefined;
  for (let draw = 0; draw < mostDraws; draw++) {
    const problem = template.draw(random);
    last = problem ?? last;
    if (problem && !earlier.has(slotsOf(problem))) return problem;
  }
  if (!last) throw new Error(`the template ${template.name} gave no problem in ${mostDraws} draws`);
  return last;
}

function slotsOf({ slots }: Problem): string {
  return JSON.stringify(slots);
}

/** Returns a task in the format of WebArena's files. */
export function rawTask(template: Template, seed: number, { slots, evaluation }: Problem): object {
  const { sites, intent, start = "" } = template;
  const [first] = sites;
  const logins = sites.filter((name) => labSites.some((site) => site.name === name && site.login));
  const number = templates.indexOf(template);
  return {
    sites,
    task_id: seed * templates.length + number,
    require_login: logins.length > 0,
    storage_state: logins.length > 0 ? `./.auth/${[...logins].sort().join(".")}_state.json` : null,
    start_url: `${placeholderOf(first as WebTask["sites"][number])}${start}`,
    geolocation: null,
    intent_template: intent,
    instantiation_dict: slots,
    intent: intent.replace(/\{\{(\w+)\}\}/g, (_, name: string) => `${slots[name]}`),
    require_reset: false,
    intent_template_id: number,
    eval: { eval_types: evalTypes(evaluation), ...nulls, ...evaluation },
  };
}

const nulls = { reference_answers: null, reference_url: "", program_html: [] };

function evalTypes(evaluation: Problem["evaluation"]): string[] {
  return [
    ...(evaluation.reference_answers ? ["string_match"] : []),
    ...(evaluation.reference_url ? ["url_match"] : []),
    ...(evaluation.program_html ? ["program_html"] : []),
  ];
}
