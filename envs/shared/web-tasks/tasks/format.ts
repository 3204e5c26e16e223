/**
 * Task files of the benchmark. Supported formats are WebArena's `test.raw.json` and `config_files/N.json`,
 * WebArena-Lite's files, and WebArena-Verified's files. The parser keeps unknown fields. It lists the tasks that cannot
 * be run, with the reasons.
 */
import { z } from "zod";
import { checkSpec, type EvaluationSpec } from "../evaluators/evaluate.js";
import { type SiteName, siteNames, sitesNamedIn } from "./sites.js";
import { isVerified, mistakeOf, readVerifiedTask } from "./verified-format.js";
import type { WebTask } from "./web-task.js";

export interface FaultyTask {
  /** Number of the task, or its position in the file. */
  name: string;
  reason: string;
}

export interface TaskFile {
  /** Tasks that can be run, sorted by number. */
  tasks: readonly WebTask[];
  /** Unchanged entries of `tasks` in the file, in the same order. */
  entries: readonly unknown[];
  /** Tasks that cannot be run. They are not in `tasks`. */
  broken: readonly FaultyTask[];
  /** Tasks that can be run but cannot be solved, because their evaluators contain a mistake. */
  unsolvable: readonly FaultyTask[];
}

const site = z.enum(siteNames);

const target = z.looseObject({
  url: z.string(),
  locator: z.string(),
  required_contents: z.union([
    z.looseObject({ exact_match: z.string() }),
    z.looseObject({ must_include: z.array(z.string()) }),
    z.looseObject({ fuzzy_match: z.array(z.string()) }),
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
    url_note: z.enum(["GOLD in PRED", "EXACT"]).optional(),
  }),
});

/**
 * Reads tasks. The URLs of the sites in the tasks remain placeholders.
 *
 * @param text JSON text of a task file: one task or a list of tasks
 * @throws {Error} the text is not JSON or contains no task that can be run
 */
export function readTaskFile(text: string): TaskFile {
  const parsed: unknown = JSON.parse(text);
  const read: { task: WebTask; entry: unknown }[] = [];
  const broken: FaultyTask[] = [];
  const unsolvable: FaultyTask[] = [];
  for (const [at, entry] of (Array.isArray(parsed) ? parsed : [parsed]).entries()) {
    try {
      const task = readTask(entry);
      const reason = mistakeOf(task);
      if (reason !== undefined) unsolvable.push({ name: `task ${task.id}`, reason });
      read.push({ task, entry });
    } catch (error) {
      const { task_id: id } = (entry ?? {}) as { task_id?: unknown };
      broken.push({ name: typeof id === "number" ? `task ${id}` : `entry ${at}`, reason: reasonOf(error) });
    }
  }
  if (read.length === 0)
    throw new Error(`no task of WebArena can be run: ${broken[0]?.reason ?? "the file has no tasks"}`);
  read.sort((one, other) => one.task.id - other.task.id);
  return { tasks: read.map(({ task }) => task), entries: read.map(({ entry }) => entry), broken, unsolvable };
}

/** @throws {Error} the task cannot be run */
export function readTask(entry: unknown): WebTask {
  return isVerified(entry) ? readVerifiedTask(entry) : readOriginal(entry);
}

function readOriginal(entry: unknown): WebTask {
  const raw = rawTask.parse(entry);
  // WebArena-Lite's tasks refer to the WebArena task from which the task was made.
  const isLite = raw.old_task_id !== undefined;
  const spec: EvaluationSpec = { ...(raw.eval as EvaluationSpec), ...(isLite && { dialect: "lite" }) };
  checkSpec(spec);
  return {
    id: raw.task_id,
    sites: raw.sites,
    intent: raw.intent,
    template: raw.intent_template_id ?? -1,
    startUrls: raw.start_url.split(" |AND| ").filter(Boolean),
    logins: loginsOf(raw.storage_state),
    evaluation: { kind: "original", spec },
    missing: sitesNamedIn(entry),
  };
}

/** Returns the sites in the name of a login file such as `./.auth/gitlab.reddit_state.json`. */
function loginsOf(storageState: string | null | undefined): SiteName[] {
  const [, names = ""] = /([\w.]+)_state\.json$/.exec(storageState ?? "") ?? [];
  return names.split(".").filter((name): name is SiteName => site.safeParse(name).success);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  const [issue] = error.issues;
  return `${issue?.path.join(".") || "the whole"}: ${issue?.message}`;
}
