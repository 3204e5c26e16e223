/** The app of a forum with votes and threads. The addresses are those of Postmill. */
import { Hono } from "hono";
import type { SiteEnv } from "../site.js";
import type { Sort } from "./ranking.js";
import { accounts } from "./routes/accounts.js";
import { comments } from "./routes/comments.js";
import { forums } from "./routes/forums.js";
import { front, type View, views } from "./routes/front.js";
import { messages } from "./routes/messages.js";
import { notFound } from "./routes/refusals.js";
import { search } from "./routes/search.js";
import { submissions } from "./routes/submissions.js";
import { users } from "./routes/users.js";

export const app = new Hono<SiteEnv>();

// If the pattern had no group, the router would read `^a|b$` as a pattern of the whole path.
const sort = ":sort{(?:hot|new|active|top|controversial|most_commented)}";
const view = `:view{(?:${views.join("|")})}`;

app.get("/", (context) => front(context, "featured", "hot"));
app.get(`/${sort}`, (context) => front(context, "featured", context.req.param("sort") as Sort));
app.get(`/${view}`, (context) => front(context, context.req.param("view") as View, "hot"));
app.get(`/${view}/${sort}`, (context) =>
  front(context, context.req.param("view") as View, context.req.param("sort") as Sort),
);
for (const part of [search, accounts, messages, users, forums, comments, submissions]) app.route("/", part);
app.notFound((context) => notFound(context));
