/**
 * Task files of the benchmark: WebArena's `test.raw.json` and `config_files/N.json`, and WebArena-Lite's, which are alike. A file
 * is read as it is; unknown fields are left, and tasks that cannot be played are named with the reason.
 */
import { z } from "zod";
import { checkSpec, type EvaluationSpec } from "../evaluators/evaluate.js";
import { placeholderOf, type SiteName, type SiteUrls, siteNames } from "./sites.js";

export interface WebTask {
  id: number;
  sites: readonly SiteName[];
  /** What has to be done. */
  intent: string;
  /** Number of the template that the intent was made from. */
  template: number;
  /** A tab for each; the first is in front. */
  startUrls: readonly string[];
  /** Sites that the agent is logged in to from the start. */
  logins: readonly SiteName[];
  evaluation: EvaluationSpec;
  /** Sites that the task needs and that have no address. Its own addresses hold placeholders for them. */
  missing: readonly SiteName[];
}

export interface BrokenTask {
  /** Its number, or its place in the file. */
  name: string;
  reason: string;
}

export interface TaskFile {
  /** In the order of their numbers. */
  tasks: readonly WebTask[];
  broken: readonly BrokenTask[];
}

const site = z.enum(siteNames);

const target = z.looseObject({
  url: z.string(),
  locator: z.string(),
  required_contents: z.union([
    z.looseObject({ exact_match: z.string() }),
    z.looseObject({ must_include: z.array(z.string()) }),
  ]),
  prep_actions: z.array(z.string()).optional(),
});

const rawTask = z.looseObject({
  task_id: z.int().min(0),
  sites: z.array(site).min(1),
  intent: z.string().min(1),
  intent_template_id: z.int().optional(),
  start_url: z.string(),
  storage_state: z.string().nullish(),
  eval: z.looseObject({
    eval_types: z.array(z.enum(["string_match", "url_match", "program_html"])).min(1),
    reference_answers: z
      .looseObject({
        exact_match: z.string().optional(),
        must_include: z.array(z.string()).optional(),
        fuzzy_match: z.union([z.literal("N/A"), z.array(z.string())]).optional(),
      })
      .nullish(),
    reference_url: z.string().nullish(),
    program_html: z.array(target).nullish(),
    string_note: z.string().optional(),
    url_note: z.literal("GOLD in PRED").optional(),
  }),
});

/**
 * @param text of a file: one task, or a list of them
 * @throws {Error} it is no JSON, or holds no task
 */
export function readTaskFile(text: string, urls: SiteUrls): TaskFile {
  const entries: unknown = JSON.parse(withUrls(text, urls));
  const tasks: WebTask[] = [];
  const broken: BrokenTask[] = [];
  for (const [at, entry] of (Array.isArray(entries) ? entries : [entries]).entries()) {
    try {
      tasks.push(readTask(entry));
    } catch (error) {
      const { task_id: id } = (entry ?? {}) as { task_id?: unknown };
      broken.push({ name: typeof id === "number" ? `task ${id}` : `entry ${at}`, reason: reasonOf(error) });
    }
  }
  if (tasks.length === 0) throw new Error(`expected tasks of WebArena, but received ${broken[0]?.reason ?? "none"}`);
  return { tasks: tasks.sort((one, other) => one.id - other.id), broken };
}

/** Puts addresses in the place of placeholders, wherever they stand, as the original does. */
function withUrls(text: string, urls: SiteUrls): string {
  return siteNames.reduce(
    (whole, name) => (urls[name] === undefined ? whole : whole.replaceAll(placeholderOf(name), urls[name])),
    text,
  );
}

function readTask(entry: unknown): WebTask {
  const raw = rawTask.parse(entry);
  const evaluation = raw.eval as EvaluationSpec;
  checkSpec(evaluation);
  const text = JSON.stringify(entry);
  return {
    id: raw.task_id,
    sites: raw.sites,
    intent: raw.intent,
    template: raw.intent_template_id ?? -1,
    startUrls: raw.start_url.split(" |AND| ").filter(Boolean),
    logins: loginsOf(raw.storage_state),
    evaluation,
    missing: siteNames.filter((name) => text.includes(placeholderOf(name))),
  };
}

/** The file of a login is called after its sites: `./.auth/gitlab.reddit_state.json`. */
function loginsOf(storageState: string | null | undefined): SiteName[] {
  const [, names = ""] = /([\w.]+)_state\.json$/.exec(storageState ?? "") ?? [];
  return names.split(".").filter((name): name is SiteName => site.safeParse(name).success);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  const [issue] = error.issues;
  return `${issue?.path.join(".") || "the whole"}: ${issue?.message}`;
}
