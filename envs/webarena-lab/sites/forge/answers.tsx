/** Responses, and handlers that check the visitor's rights. */
import type { Handler } from "hono";
import type { Child } from "hono/jsx";
import type { SiteEnv } from "../site.js";
import { hasRole, isVisible, projectAt } from "./access.js";
import { Layout } from "./layout.js";
import type { Role } from "./records.js";
import {
  type OwnProjectVisit,
  type OwnVisit,
  type PageFacts,
  type ProjectVisit,
  type Visit,
  visitOf,
} from "./visit.js";

export type Answer = Response | Promise<Response>;

export function page(visit: Visit, { status = 200, ...facts }: PageFacts, children: Child): Answer {
  const document = (
    <Layout visit={visit} facts={facts}>
      {children}
    </Layout>
  );
  return visit.context.html(`<!doctype html>${document}`, status);
}

/** Redirects to a page, which the browser loads with GET. */
export function goOn({ context }: Visit, path: string): Response {
  return context.redirect(path);
}

export function notFound(visit: Visit): Answer {
  return page(
    visit,
    { title: "Not found", status: 404 },
    <div class="empty">
      <h1>404: Page not found</h1>
      <p>Make sure that the address is correct and that you have access to this page.</p>
      <a href="/">Go to the start page</a>
    </div>,
  );
}

export function forbidden(visit: Visit): Answer {
  return page(
    visit,
    { title: "Access denied", status: 403 },
    <div class="empty">
      <h1>403: Access denied</h1>
      <p>Your role does not allow this.</p>
    </div>,
  );
}

export function anyone(handle: (visit: Visit) => Answer): Handler<SiteEnv> {
  return (context) => handle(visitOf(context));
}

/** Creates a handler for logged-in users. Other visitors are redirected to the sign-in page. */
export function loggedIn(handle: (visit: OwnVisit) => Answer): Handler<SiteEnv> {
  return anyone((visit) => (visit.user ? handle(visit as OwnVisit) : goOn(visit, "/users/sign_in")));
}

export function onProject(handle: (visit: ProjectVisit) => Answer): Handler<SiteEnv> {
  return anyone((visit) => {
    const { forge, user, context } = visit;
    const { namespace = "", project: path = "" } = context.req.param() as Record<string, string>;
    const project = projectAt(forge, namespace, path);
    return project && isVisible(forge, project, user) ? handle({ ...visit, project }) : notFound(visit);
  });
}

/** @param least minimum role of the visitor. If undefined, every logged-in user is allowed. */
export function inProject(least: Role | undefined, handle: (visit: OwnProjectVisit) => Answer): Handler<SiteEnv> {
  return onProject((visit) => {
    const { forge, project, user } = visit;
    if (!user) return goOn(visit, "/users/sign_in");
    if (least && !hasRole(forge, project, user, least)) return forbidden(visit);
    return handle(visit as OwnProjectVisit);
  });
}
