/** A request to the forum, with the episode's tables and the logged-in account. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { SiteEnv } from "../site.js";
import type { User } from "./rows.js";
import { login } from "./seed/seed.js";
import type { ForumTables } from "./tables.js";

export type ForumContext = Context<SiteEnv>;

export interface Visit {
  tables: ForumTables;
  /** The logged-in account. */
  visitor: User | undefined;
  /** Path and query of the requested page. */
  address: string;
}

export function visitOf(context: ForumContext): Visit {
  const { forum: tables } = context.env;
  const token = getCookie(context, login.name);
  const session = token ? tables.sessions.find((one) => one.token === token) : undefined;
  const { pathname, search } = new URL(context.req.url);
  return { tables, visitor: session && tables.users.get(session.account), address: `${pathname}${search}` };
}

export function logIn(context: ForumContext, { id }: User): void {
  const { sessions } = context.env.forum;
  const number = [...sessions].reduce((last, session) => Math.max(last, session.id), 0) + 1;
  const { token } = sessions.insert({ token: `s${number}-u${id}`, account: id });
  setCookie(context, login.name, token, { httpOnly: true, path: "/" });
}

export function logOut(context: ForumContext): void {
  const { sessions } = context.env.forum;
  const token = getCookie(context, login.name);
  const session = sessions.find((one) => one.token === token);
  if (session) sessions.remove(session.id);
  deleteCookie(context, login.name, { path: "/" });
}

/** Returns the forum page from which a form was sent, or `otherwise` if the page is unknown. */
export function backTo(context: ForumContext, otherwise: string): string {
  const from = context.req.header("referer");
  if (!from || !URL.canParse(from)) return otherwise;
  const { host, pathname, search } = new URL(from);
  return host === new URL(context.req.url).host ? `${pathname}${search}` : otherwise;
}

/** Reads the fields of a form. The texts are trimmed, and their line breaks are converted to `\n`. */
export async function fieldsOf<N extends string>(
  context: ForumContext,
  names: readonly N[],
): Promise<Record<N, string>> {
  const body = await context.req.parseBody();
  const text = (value: unknown) => (typeof value === "string" ? value.replace(/\r\n?/g, "\n").trim() : "");
  return Object.fromEntries(names.map((name) => [name, text(body[name])])) as Record<N, string>;
}

/** Reads an integer from a part of a URL. Returns undefined for any other text. */
export function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
