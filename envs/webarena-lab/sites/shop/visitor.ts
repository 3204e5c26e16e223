/** Reads the visitor of a request, and the notice that the previous request left. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { SiteEnv } from "../site.js";
import type { Customer, Session } from "./records.js";
import { customerLogin } from "./seed/extras.js";
import type { ShopTables } from "./tables.js";

const messageCookie = "mage-messages";
const options = { path: "/", httpOnly: true } as const;

export type ShopContext = Context<SiteEnv>;

export interface Notice {
  kind: "success" | "error" | "notice";
  text: string;
}

export interface Visitor {
  shop: ShopTables;
  session: Session | undefined;
  customer: Customer | undefined;
}

export function visitorOf(context: ShopContext): Visitor {
  const { shop } = context.env;
  const token = getCookie(context, customerLogin.name);
  const session = token === undefined ? undefined : shop.sessions.find((one) => one.token === token && !one.isAdmin);
  return { shop, session, customer: session ? shop.customers.get(session.account) : undefined };
}

/** Returns the visitor's session. Creates a guest session for a visitor without a session. */
export function sessionOf(context: ShopContext): Session {
  return visitorOf(context).session ?? openSession(context, 0);
}

/** @param account id of the logged-in customer, or 0 for a guest */
export function openSession(context: ShopContext, account: number): Session {
  const { sessions } = context.env.shop;
  const count = [...sessions].length + 1;
  const session = sessions.insert({ token: `visitor-${count}-${account}`, account, isAdmin: false });
  setCookie(context, customerLogin.name, session.token, options);
  return session;
}

export function closeSession(context: ShopContext): void {
  const { session, shop } = visitorOf(context);
  if (session) shop.sessions.remove(session.id);
  deleteCookie(context, customerLogin.name, { path: "/" });
}

/** Redirects the visitor to a page, which then shows a notice. */
export function redirect(context: ShopContext, to: string, text?: string, kind: Notice["kind"] = "success"): Response {
  if (text !== undefined) setCookie(context, messageCookie, JSON.stringify({ kind, text }), options);
  return context.redirect(to);
}

/** Returns the notice that the previous request left, and deletes it. */
export function takeNotice(context: ShopContext): Notice | undefined {
  const text = getCookie(context, messageCookie);
  if (text === undefined) return undefined;
  deleteCookie(context, messageCookie, { path: "/" });
  try {
    const { kind, text: told } = JSON.parse(text) as Notice;
    return { kind: kind === "error" || kind === "notice" ? kind : "success", text: `${told}` };
  } catch {
    return undefined;
  }
}

/** Reads the fields of a form and trims the values. Of several fields with the same name, the last one counts. */
export async function fieldsOf(context: ShopContext): Promise<Record<string, string>> {
  const body = await context.req.parseBody();
  const entries = Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value.trim() : ""]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Returns the path in a form field, or `/` if the field does not contain a path within the shop. */
export function localPath(text: string | undefined): string {
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : "/";
}
