/** Reads WebArena-Verified's tasks from its file `webarena-verified.json`. */
import { z } from "zod";
import { parseVerified } from "../evaluators/verified/index.js";
import { type SiteName, type SiteUrls, siteNames, sitesNamedIn } from "./sites.js";
import type { WebTask } from "./web-task.js";

const rawTask = z.looseObject({
  task_id: z.int().min(0),
  sites: z.array(z.enum(siteNames)).min(1),
  intent: z.string().min(1),
  intent_template_id: z.int().optional(),
  start_urls: z.array(z.string().min(1)).min(1),
  eval: z.array(z.unknown()).min(1),
});

/** Whether an entry of a task file is from WebArena-Verified, whose entries have a list of evaluators. */
export function isVerified(entry: unknown): boolean {
  return Array.isArray((entry as { eval?: unknown } | null)?.eval);
}

/** @throws {Error} the task cannot be run */
export function readVerifiedTask(entry: unknown): WebTask {
  const { task_id: id, sites, intent, intent_template_id: template = -1, ...raw } = rawTask.parse(entry);
  return {
    id,
    sites,
    intent,
    template,
    startUrls: raw.start_urls,
    // The file has no logins, so the agent is logged in to each site of the task.
    logins: sites,
    evaluation: { kind: "verified", evaluators: raw.eval },
    missing: sitesNamedIn(entry),
  };
}

/**
 * Returns the reason why no answer to a task can be right, or undefined if a right answer exists.
 *
 * @throws {Error} an evaluator of the task is not supported
 */
export function mistakeOf({ evaluation, sites }: WebTask): string | undefined {
  return evaluation.kind === "verified"
    ? parseVerified(evaluation.evaluators, standIns(sites)).unsatisfiable[0]
    : undefined;
}

/** Returns placeholder URLs, with which evaluators can be parsed before the real URLs are known. */
function standIns(sites: readonly SiteName[]): SiteUrls {
  return Object.fromEntries(sites.map((name) => [name, `http://${name.replace("_", "-")}.invalid`]));
}
