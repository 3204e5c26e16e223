/** Pages of users, with submissions, comments and biographies. */
import { Hono } from "hono";
import type { Child } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { votesOf } from "../changes.js";
import { CommentList } from "../pages/comments.js";
import { Page, Tabs } from "../pages/layout.js";
import { Pages, pageOf, part } from "../pages/paging.js";
import { SubmissionEntry, SubmissionList } from "../pages/submissions.js";
import { dateOf, Prose } from "../pages/text.js";
import type { User } from "../rows.js";
import { type ForumContext, type Visit, visitOf } from "../visit.js";
import { notFound } from "./refusals.js";

/** Returns the user that an address names. Case is ignored. */
export function userOf(context: ForumContext): User | undefined {
  const name = (context.req.param("user") ?? "").toLowerCase();
  return visitOf(context).tables.users.find((one) => one.name.toLowerCase() === name);
}

export const users = new Hono<SiteEnv>();

function Sections({ visit, user }: { visit: Visit; user: User }) {
  const { tables, visitor } = visit;
  const moderated = tables.moderators
    .filter((one) => one.user === user.id)
    .map(({ forum }) => tables.forums.need(forum));
  const isOwn = visitor?.id === user.id;
  const isBlocked = tables.blocks.find((one) => one.user === visitor?.id && one.blocked === user.id) !== undefined;
  return (
    <>
      <section class="user-bio">
        <h2>{user.name}</h2>
        {user.biography && (
          <div class="user-bio__biography">
            <Prose text={user.biography} />
          </div>
        )}
        <p class="note">Joined on {dateOf(user.created)}</p>
        {moderated.length > 0 && (
          <>
            <h3>Moderates</h3>
            <ul class="chips">
              {moderated.map(({ name }) => (
                <li>
                  <a href={`/f/${name}`}>{name}</a>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      {visitor && (
        <section>
          <h2>Toolbox</h2>
          <ul class="plain">
            {toolsOf(user.name, isOwn, isBlocked).map(([text, href]) => (
              <li>
                <a href={href}>{text}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function toolsOf(name: string, isOwn: boolean, isBlocked: boolean): readonly (readonly [text: string, href: string])[] {
  if (!isOwn)
    return [
      ["Send message", `/user/${name}/compose_message`],
      isBlocked ? ["Unblock user", "/block_list"] : ["Block user", `/user/${name}/block_user`],
    ];
  return [
    ["Edit biography", `/user/${name}/edit_biography`],
    ["Account settings", `/user/${name}/account`],
    ["Block list", "/block_list"],
  ];
}

function frame(context: ForumContext, here: string, contentOf: (visit: Visit, user: User) => Child) {
  const visit = visitOf(context);
  const user = userOf(context);
  if (!user) return notFound(context);
  const path = `/user/${user.name}`;
  const links = [
    { text: "Overview", href: path, isHere: here === "" },
    { text: "Submissions", href: `${path}/submissions`, isHere: here === "submissions" },
    { text: "Comments", href: `${path}/comments`, isHere: here === "comments" },
  ];
  return context.html(
    <Page visit={visit} title={user.name} sidebar={<Sections visit={visit} user={user} />}>
      <h1 class="page-heading">{user.name}</h1>
      <Tabs label="User" links={links} />
      {contentOf(visit, user)}
    </Page>,
  );
}

function writtenBy({ tables }: Visit, { id }: User) {
  return {
    submissions: tables.submissions.where("user", id).sort((one, other) => other.id - one.id),
    comments: tables.comments
      .where("user", id)
      .filter(({ isDeleted }) => !isDeleted)
      .sort((one, other) => other.id - one.id),
  };
}

users.get("/user/:user", (context) =>
  frame(context, "", (visit, user) => {
    const { submissions, comments } = writtenBy(visit, user);
    const votes = votesOf(visit.tables, visit.visitor, "submission");
    const all = [...submissions, ...comments].sort((one, other) => other.created - one.created || other.id - one.id);
    return (
      <>
        {all.length === 0 && <p class="empty">This user has not written anything yet.</p>}
        {part(all, pageOf(visit.address)).map((one) =>
          "title" in one ? (
            <SubmissionEntry visit={visit} submission={one} choice={votes.get(one.id) ?? 0} />
          ) : (
            <CommentList visit={visit} comments={[one]} />
          ),
        )}
        <Pages address={visit.address} count={all.length} />
      </>
    );
  }),
);

users.get("/user/:user/submissions", (context) =>
  frame(context, "submissions", (visit, user) => (
    <SubmissionList visit={visit} submissions={writtenBy(visit, user).submissions} />
  )),
);

users.get("/user/:user/comments", (context) =>
  frame(context, "comments", (visit, user) => {
    const { comments } = writtenBy(visit, user);
    return (
      <>
        {comments.length === 0 && <p class="empty">There is nothing here.</p>}
        <CommentList visit={visit} comments={part(comments, pageOf(visit.address))} />
        <Pages address={visit.address} count={comments.length} />
      </>
    );
  }),
);
