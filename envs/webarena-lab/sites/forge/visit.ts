/** A request to the code forge, with its visitor and project. */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { SiteEnv } from "../site.js";
import type { Project, User } from "./records.js";
import { type ForgeTables, login } from "./tables.js";

export interface Visit {
  context: Context<SiteEnv>;
  forge: ForgeTables;
  /** Account of the visitor, or undefined if the visitor is not logged in. */
  user: User | undefined;
}

/** A request of a logged-in user. */
export type OwnVisit = Visit & { user: User };
/** A request for a project that the visitor may view. */
export type ProjectVisit = Visit & { project: Project };
export type OwnProjectVisit = ProjectVisit & { user: User };

export function visitOf(context: Context<SiteEnv>): Visit {
  const { forge } = context.env;
  const token = getCookie(context, login.name);
  const session = token === undefined ? undefined : forge.sessions.find((one) => one.token === token);
  return { context, forge, user: session && forge.users.get(session.account) };
}

export type Section =
  | "Project overview"
  | "Files"
  | "Commits"
  | "Branches"
  | "Contributors"
  | "Issues"
  | "Labels"
  | "Milestones"
  | "Merge requests"
  | "Members"
  | "Settings";

export interface PageFacts {
  title: string;
  project?: Project;
  section?: Section;
  /** Message with the reason why a form was refused. */
  alert?: string | undefined;
  status?: 200 | 403 | 404 | 422;
}

/** Reads a form. Returns a function that returns the last value of a field, trimmed, or `""`. */
export async function formOf({ context }: Visit): Promise<(name: string) => string> {
  const body = await context.req.parseBody({ all: true });
  return (name) => {
    const value = body[name];
    const last = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === "string" ? last.replaceAll("\r\n", "\n").trim() : "";
  };
}

/** Returns all non-empty values of a form field that may occur several times. */
export async function valuesOf({ context }: Visit, name: string): Promise<string[]> {
  const value = (await context.req.parseBody({ all: true }))[name];
  return [value].flat().filter((one): one is string => typeof one === "string" && one !== "");
}

export function numberIn({ context }: Visit, name: string): number {
  const text = (context.req.param() as Record<string, string>)[name] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
