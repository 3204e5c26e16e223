/** Routes of single comments, of answers to comments, and of votes. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { commentPath, submissionPath } from "../addresses.js";
import { reply, retract, vote } from "../changes.js";
import { CommentTree, ReplyForm } from "../pages/comments.js";
import { Errors, Page } from "../pages/layout.js";
import { ForumSections } from "../pages/sidebars.js";
import type { Comment, Forum, Submission, User, VoteKind } from "../rows.js";
import { backTo, type ForumContext, fieldsOf, numberOf, type Visit, visitOf } from "../visit.js";
import { forbidden, notFound, toLogin } from "./refusals.js";
import { emptyComment, submissionOf } from "./submissions.js";

interface Found {
  forum: Forum;
  submission: Submission;
  comment: Comment;
}

function commentOf(context: ForumContext): Found | undefined {
  const found = submissionOf(context);
  const id = numberOf(context.req.param("comment"));
  const comment = id === undefined ? undefined : visitOf(context).tables.comments.get(id);
  return found && comment?.submission === found.submission.id ? { ...found, comment } : undefined;
}

export const comments = new Hono<SiteEnv>();

const path = "/f/:forum/:id{[0-9]+}/-/comment/:comment{[0-9]+}";

comments.get(path, (context) => {
  const visit = visitOf(context);
  const { tables } = visit;
  const found = commentOf(context);
  if (!found) return notFound(context);
  const { forum, submission, comment } = found;
  const all = tables.comments.where("submission", submission.id);
  return context.html(
    <Page
      visit={visit}
      title={`Comment on ${submission.title}`}
      sidebar={<ForumSections visit={visit} forum={forum} />}
    >
      <h1>
        Comment on <a href={submissionPath(tables, submission)}>{submission.title}</a>
      </h1>
      <p class="note">
        You see one comment and its answers. <a href={submissionPath(tables, submission)}>View all comments</a>
      </p>
      <section class="comments" aria-label="Comments">
        <CommentTree visit={visit} submission={submission} comments={all} roots={[comment]} />
      </section>
      {!comment.isDeleted && (
        <>
          <h2>Reply</h2>
          <ReplyForm visit={visit} action={visit.address} />
        </>
      )}
    </Page>,
  );
});

comments.post(path, async (context) => {
  const visit = visitOf(context);
  const found = commentOf(context);
  if (!found || found.comment.isDeleted) return notFound(context);
  if (!visit.visitor) return toLogin(context);
  const { comment: body } = await fieldsOf(context, ["comment"]);
  if (body === "") return emptyComment(context, visit, visit.address);
  reply(visit.tables, visit.visitor, found.submission, found.comment, body);
  return context.redirect(commentPath(visit.tables, found.comment));
});

interface Own extends Found {
  visit: Visit;
  visitor: User;
}

/** Calls `then` if the visitor wrote the requested comment. Otherwise responds with a refusal. */
function withOwn(
  context: ForumContext,
  then: (own: Own) => Response | Promise<Response>,
): Response | Promise<Response> {
  const visit = visitOf(context);
  const found = commentOf(context);
  if (!found || found.comment.isDeleted) return notFound(context);
  if (!visit.visitor) return toLogin(context);
  if (found.comment.user !== visit.visitor.id) return forbidden(context, "This is not your comment.");
  return then({ visit, visitor: visit.visitor, ...found });
}

const EditPage: FC<{ visit: Visit; body: string; errors?: readonly string[] }> = ({ visit, body, errors = [] }) => (
  <Page visit={visit} title="Edit comment">
    <h1>Edit comment</h1>
    <Errors errors={errors} />
    <form class="form" action={visit.address} method="post">
      <label for="reply_comment">Comment</label>
      <textarea id="reply_comment" name="comment" rows={6} required maxlength={10_000}>
        {body}
      </textarea>
      <button type="submit">Save</button>
    </form>
  </Page>
);

comments.get(`${path}/edit`, (context) =>
  withOwn(context, ({ visit, comment }) => context.html(<EditPage visit={visit} body={comment.body} />)),
);

comments.post(`${path}/edit`, (context) =>
  withOwn(context, async ({ visit, comment }) => {
    const { comment: body } = await fieldsOf(context, ["comment"]);
    if (body === "")
      return context.html(<EditPage visit={visit} body="" errors={["The comment must not be empty."]} />, 422);
    visit.tables.comments.update(comment.id, { body, edited: now });
    return context.redirect(commentPath(visit.tables, comment));
  }),
);

comments.get(`${path}/delete`, (context) =>
  withOwn(context, ({ visit, comment }) =>
    context.html(
      <Page visit={visit} title="Delete comment">
        <h1>Delete comment</h1>
        <p>Do you want to delete this comment? This cannot be undone.</p>
        <blockquote>{comment.body}</blockquote>
        <form class="form" action={visit.address} method="post">
          <button type="submit" class="danger">
            Delete comment
          </button>
        </form>
        <p>
          <a href={commentPath(visit.tables, comment)}>Cancel</a>
        </p>
      </Page>,
    ),
  ),
);

comments.post(`${path}/delete`, (context) =>
  withOwn(context, ({ visit, submission, comment }) => {
    retract(visit.tables, comment);
    return context.redirect(submissionPath(visit.tables, submission));
  }),
);

comments.post("/sv/:id{[0-9]+}", (context) => cast(context, "submission"));
comments.post("/cv/:id{[0-9]+}", (context) => cast(context, "comment"));

async function cast(context: ForumContext, kind: VoteKind) {
  const { tables, visitor } = visitOf(context);
  const target = numberOf(context.req.param("id")) as number;
  const voted = kind === "submission" ? tables.submissions.get(target) : tables.comments.get(target);
  if (!voted) return notFound(context);
  if (!visitor) return toLogin(context);
  const { choice } = await fieldsOf(context, ["choice"]);
  if (!["1", "0", "-1"].includes(choice)) return context.text("A vote is 1, 0 or -1.\n", 400);
  vote(tables, visitor, kind, target, Number(choice) as 1 | 0 | -1);
  const home = "title" in voted ? submissionPath(tables, voted) : commentPath(tables, voted);
  const back = backTo(context, home);
  // A submission is at the top of its own page. On other pages, the fragment leads back to the item that was voted on.
  return context.redirect(back === home && kind === "submission" ? back : `${back}#${kind}_${target}`);
}
