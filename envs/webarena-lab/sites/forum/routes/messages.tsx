/** Routes of notifications, messages and blocked users. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { nameOf } from "../addresses.js";
import { CommentList } from "../pages/comments.js";
import { Errors, Page } from "../pages/layout.js";
import { UserLink } from "../pages/submissions.js";
import { Prose, Time } from "../pages/text.js";
import type { User } from "../rows.js";
import { type ForumContext, fieldsOf, numberOf, type Visit, visitOf } from "../visit.js";
import { forbidden, notFound, toLogin } from "./refusals.js";
import { userOf } from "./users.js";

export const messages = new Hono<SiteEnv>();

type Answer = Response | Promise<Response>;

function loggedIn(context: ForumContext, then: (visit: Visit, visitor: User) => Answer): Answer {
  const visit = visitOf(context);
  return visit.visitor ? then(visit, visit.visitor) : toLogin(context);
}

messages.get("/notifications", (context) =>
  loggedIn(context, (visit, { id }) => {
    const { tables } = visit;
    const own = tables.notifications.where("user", id).reverse();
    const comments = own.flatMap(({ comment }) => tables.comments.get(comment) ?? []);
    return context.html(
      <Page visit={visit} title="Notifications">
        <h1>Notifications</h1>
        {own.length === 0 ? (
          <p class="empty">There are no notifications.</p>
        ) : (
          <form action="/clear_notifications" method="post">
            <button type="submit">Clear all</button>
          </form>
        )}
        <CommentList visit={visit} comments={comments} />
      </Page>,
    );
  }),
);

messages.post("/clear_notifications", (context) =>
  loggedIn(context, ({ tables }, { id }) => {
    for (const one of tables.notifications.where("user", id)) tables.notifications.remove(one.id);
    return context.redirect("/notifications");
  }),
);

messages.get("/messages", (context) =>
  loggedIn(context, (visit, { id }) => {
    const { tables } = visit;
    const own = tables.messages.filter(({ from, to }) => from === id || to === id).reverse();
    return context.html(
      <Page visit={visit} title="Messages">
        <h1>Messages</h1>
        {own.length === 0 && <p class="empty">There are no messages.</p>}
        {own.map(({ from, to, body, created }) => (
          <article class="message" aria-label="Message">
            <p class="message__info">
              From <UserLink tables={tables} user={from} /> to <UserLink tables={tables} user={to} />{" "}
              <Time at={created} />
            </p>
            <div class="message__body">
              <Prose text={body} />
            </div>
            {from !== id && nameOf(tables, from) && (
              <p>
                <a href={`/user/${nameOf(tables, from)}/compose_message`}>Reply</a>
              </p>
            )}
          </article>
        ))}
      </Page>,
    );
  }),
);

const ComposePage: FC<{ visit: Visit; to: User; errors?: readonly string[] }> = ({ visit, to, errors = [] }) => (
  <Page visit={visit} title="Compose message">
    <h1>Message to {to.name}</h1>
    <Errors errors={errors} />
    <form class="form" action={`/user/${to.name}/compose_message`} method="post">
      <label for="message_body">Message</label>
      <textarea id="message_body" name="body" rows={6} required maxlength={10_000} />
      <button type="submit">Send</button>
    </form>
  </Page>
);

/** Calls `then` for a page about another user. */
function about(context: ForumContext, then: (visit: Visit, visitor: User, other: User) => Answer): Answer {
  return loggedIn(context, (visit, visitor) => {
    const other = userOf(context);
    if (!other) return notFound(context);
    return other.id === visitor.id ? forbidden(context, "This is your own account.") : then(visit, visitor, other);
  });
}

messages.get("/user/:user/compose_message", (context) =>
  about(context, (visit, _, other) => context.html(<ComposePage visit={visit} to={other} />)),
);

messages.post("/user/:user/compose_message", (context) =>
  about(context, async (visit, visitor, other) => {
    const { body } = await fieldsOf(context, ["body"]);
    const refuse = (error: string) => context.html(<ComposePage visit={visit} to={other} errors={[error]} />, 422);
    if (body === "") return refuse("The message must not be empty.");
    const isBlocked = ({ user, blocked }: { user: number; blocked: number }) =>
      (user === other.id && blocked === visitor.id) || (user === visitor.id && blocked === other.id);
    if (visit.tables.blocks.find(isBlocked)) return refuse("One of you has blocked the other.");
    visit.tables.messages.insert({ from: visitor.id, to: other.id, body, created: now });
    return context.redirect("/messages");
  }),
);

messages.get("/user/:user/block_user", (context) =>
  about(context, (visit, _, { name }) =>
    context.html(
      <Page visit={visit} title="Block user">
        <h1>Block {name}</h1>
        <p>You will not get messages from {name}, and cannot send any.</p>
        <form class="form" action={`/user/${name}/block_user`} method="post">
          <button type="submit" class="danger">
            Block user
          </button>
        </form>
      </Page>,
    ),
  ),
);

messages.post("/user/:user/block_user", (context) =>
  about(context, ({ tables }, { id }, other) => {
    const isKnown = tables.blocks.find(({ user, blocked }) => user === id && blocked === other.id) !== undefined;
    if (!isKnown) tables.blocks.insert({ user: id, blocked: other.id });
    return context.redirect("/block_list");
  }),
);

messages.get("/block_list", (context) =>
  loggedIn(context, (visit, { id }) => {
    const { tables } = visit;
    const own = tables.blocks.filter(({ user }) => user === id);
    return context.html(
      <Page visit={visit} title="Block list">
        <h1>Block list</h1>
        {own.length === 0 && <p class="empty">You have not blocked anybody.</p>}
        <ul class="block-list">
          {own.map((block) => (
            <li>
              <UserLink tables={tables} user={block.blocked} />{" "}
              <form action={`/unblock/${block.id}`} method="post">
                <button type="submit">Unblock</button>
              </form>
            </li>
          ))}
        </ul>
      </Page>,
    );
  }),
);

messages.post("/unblock/:id{[0-9]+}", (context) =>
  loggedIn(context, ({ tables }, { id }) => {
    const block = tables.blocks.get(numberOf(context.req.param("id")) ?? 0);
    if (block?.user !== id) return notFound(context);
    tables.blocks.remove(block.id);
    return context.redirect("/block_list");
  }),
);
