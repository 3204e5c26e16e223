/** Pages that refuse a request. */
import { Page } from "../pages/layout.js";
import { type ForumContext, visitOf } from "../visit.js";

export function notFound(context: ForumContext) {
  return refusal(
    context,
    404,
    "Page not found",
    "There is nothing at this address. It may have been moved or deleted.",
  );
}

export function forbidden(context: ForumContext, reason: string) {
  return refusal(context, 403, "Access denied", reason);
}

/** Redirects a visitor to the login page. */
export function toLogin(context: ForumContext) {
  const { address } = visitOf(context);
  const from = context.req.method === "GET" ? address : "/";
  return context.redirect(`/login?from=${encodeURIComponent(from)}`);
}

function refusal(context: ForumContext, status: 403 | 404, title: string, reason: string) {
  const visit = visitOf(context);
  return context.html(
    <Page visit={visit} title={title}>
      <h1>{title}</h1>
      <p>{reason}</p>
      <p>
        <a href="/">Back to the front page</a>
      </p>
    </Page>,
    status,
  );
}
