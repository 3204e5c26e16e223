/** Routes of submissions: the page of a submission, and the forms that create, edit and delete a submission. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { forumPath, submissionPath } from "../addresses.js";
import { reply, submit, voteOf, withdraw } from "../changes.js";
import { CommentTree, commentCount, ReplyForm } from "../pages/comments.js";
import { Errors, Page } from "../pages/layout.js";
import { ForumSections } from "../pages/sidebars.js";
import { SubmissionEntry } from "../pages/submissions.js";
import type { Forum, Submission } from "../rows.js";
import { type ForumContext, fieldsOf, numberOf, type Visit, visitOf } from "../visit.js";
import { forumNamed, forumOf, forumsInOrder } from "./forums.js";
import { forbidden, notFound, toLogin } from "./refusals.js";

/** Returns the submission that an address names, with its forum. */
export function submissionOf(context: ForumContext): { forum: Forum; submission: Submission } | undefined {
  const forum = forumOf(context);
  const id = numberOf(context.req.param("id"));
  const submission = id === undefined ? undefined : visitOf(context).tables.submissions.get(id);
  return forum && submission?.forum === forum.id ? { forum, submission } : undefined;
}

export const submissions = new Hono<SiteEnv>();

submissions.get("/f/:forum/:id{[0-9]+}", show);
submissions.get("/f/:forum/:id{[0-9]+}/", show);
submissions.get("/f/:forum/:id{[0-9]+}/:slug", show);
submissions.post("/f/:forum/:id{[0-9]+}/-/comment", answer);

function show(context: ForumContext) {
  const visit = visitOf(context);
  const { tables, visitor } = visit;
  const found = submissionOf(context);
  if (!found) return notFound(context);
  const { forum, submission } = found;
  const comments = tables.comments.where("submission", submission.id);
  const { choice = 0 } = voteOf(tables, visitor, "submission", submission.id) ?? {};
  return context.html(
    <Page visit={visit} title={submission.title} sidebar={<ForumSections visit={visit} forum={forum} />}>
      <SubmissionEntry visit={visit} submission={submission} choice={choice} isWhole />
      <section class="comments" aria-label="Comments">
        <h2>{commentCount(submission.comments)}</h2>
        <ReplyForm visit={visit} action={`/f/${forum.name}/${submission.id}/-/comment`} />
        <CommentTree
          visit={visit}
          submission={submission}
          comments={comments}
          roots={comments.filter(({ parent }) => parent === null)}
        />
      </section>
    </Page>,
  );
}

async function answer(context: ForumContext) {
  const visit = visitOf(context);
  const found = submissionOf(context);
  if (!found) return notFound(context);
  if (!visit.visitor) return toLogin(context);
  const { comment: body } = await fieldsOf(context, ["comment"]);
  const path = submissionPath(visit.tables, found.submission);
  if (body === "") return emptyComment(context, visit, `/f/${found.forum.name}/${found.submission.id}/-/comment`);
  const { id } = reply(visit.tables, visit.visitor, found.submission, undefined, body);
  return context.redirect(`${path}#comment_${id}`);
}

export function emptyComment(context: ForumContext, visit: Visit, action: string) {
  return context.html(
    <Page visit={visit} title="Comment">
      <h1>Comment</h1>
      <Errors errors={["The comment must not be empty."]} />
      <ReplyForm visit={visit} action={action} />
    </Page>,
    422,
  );
}

const fieldNames = ["url", "title", "body", "forum"] as const;
type Fields = Record<(typeof fieldNames)[number], string>;

interface FormProps {
  visit: Visit;
  heading: string;
  action: string;
  button: string;
  fields: Fields;
  /** Whether the forum is fixed. If false, the visitor can choose the forum. */
  isPlaced?: boolean;
  errors?: readonly string[];
}

const SubmissionForm: FC<FormProps> = ({ visit, heading, action, button, fields, isPlaced = false, errors = [] }) => (
  <Page visit={visit} title={heading}>
    <h1>{heading}</h1>
    <Errors errors={errors} />
    <form class="form" action={action} method="post">
      <label for="submission_url">URL</label>
      <input id="submission_url" name="url" value={fields.url} maxlength={2000} />
      <p class="note">Leave it empty to post a text alone.</p>
      <label for="submission_title">Title</label>
      <input id="submission_title" name="title" value={fields.title} required maxlength={300} />
      <label for="submission_body">Body</label>
      <textarea id="submission_body" name="body" rows={8} maxlength={25_000}>
        {fields.body}
      </textarea>
      {!isPlaced && (
        <>
          <label for="submission_forum">Forum</label>
          <select id="submission_forum" name="forum" required>
            <option value="">Choose one</option>
            {forumsInOrder(visit.tables.forums, "by_name").map(({ name }) => (
              <option value={name} selected={name === fields.forum}>
                {name}
              </option>
            ))}
          </select>
        </>
      )}
      <button type="submit">{button}</button>
    </form>
  </Page>
);

function faultsOf({ title, url, body }: Fields): string[] {
  return [
    ...(title === "" ? ["The title must not be empty."] : []),
    ...(title.length > 300 ? ["The title must have at most 300 characters."] : []),
    ...(url === "" || (/^https?:\/\//.test(url) && URL.canParse(url)) ? [] : ["This is not a valid URL."]),
    ...(body.length > 25_000 ? ["The body must have at most 25,000 characters."] : []),
  ];
}

const creation = { heading: "Create submission", action: "/submit", button: "Create submission" };

submissions.get("/submit", (context) => offer(context, undefined));
submissions.get("/submit/:forum", (context) => {
  const forum = forumOf(context);
  return forum ? offer(context, forum) : notFound(context);
});

function offer(context: ForumContext, forum: Forum | undefined) {
  const visit = visitOf(context);
  if (!visit.visitor) return toLogin(context);
  const fields = { url: "", title: "", body: "", forum: forum?.name ?? "" };
  return context.html(<SubmissionForm visit={visit} {...creation} fields={fields} />);
}

submissions.post("/submit", async (context) => {
  const visit = visitOf(context);
  const { tables, visitor } = visit;
  if (!visitor) return toLogin(context);
  const fields = await fieldsOf(context, fieldNames);
  const forum = forumNamed(visit, fields.forum);
  const errors = [...faultsOf(fields), ...(forum ? [] : ["Choose the forum to submit to."])];
  if (!forum || errors.length > 0)
    return context.html(<SubmissionForm visit={visit} {...creation} fields={fields} errors={errors} />, 422);
  const { title, url, body } = fields;
  const submission = submit(tables, visitor, forum, { title, url: url || null, body });
  return context.redirect(submissionPath(tables, submission));
});

/** Returns the submission that an address names if the visitor wrote it, or a refusal page. */
function own(
  context: ForumContext,
): { visit: Visit; forum: Forum; submission: Submission } | Response | Promise<Response> {
  const visit = visitOf(context);
  const found = submissionOf(context);
  if (!found) return notFound(context);
  if (!visit.visitor) return toLogin(context);
  if (found.submission.user !== visit.visitor.id) return forbidden(context, "This is not your submission.");
  return { visit, ...found };
}

function isRefusal(value: object): value is Response | Promise<Response> {
  return value instanceof Response || value instanceof Promise;
}

const changing = { heading: "Edit submission", button: "Edit submission", isPlaced: true };

submissions.get("/f/:forum/:id{[0-9]+}/-/edit", (context) => {
  const found = own(context);
  if (isRefusal(found)) return found;
  const { visit, forum, submission } = found;
  const fields = { ...submission, url: submission.url ?? "", forum: forum.name };
  return context.html(<SubmissionForm visit={visit} {...changing} action={visit.address} fields={fields} />);
});

submissions.post("/f/:forum/:id{[0-9]+}/-/edit", async (context) => {
  const found = own(context);
  if (isRefusal(found)) return found;
  const { visit, submission } = found;
  const fields = await fieldsOf(context, fieldNames);
  const errors = faultsOf(fields);
  if (errors.length > 0)
    return context.html(
      <SubmissionForm visit={visit} {...changing} action={visit.address} fields={fields} errors={errors} />,
      422,
    );
  const { title, url, body } = fields;
  const changed = visit.tables.submissions.update(submission.id, { title, url: url || null, body, edited: now });
  return context.redirect(submissionPath(visit.tables, changed));
});

submissions.get("/f/:forum/:id{[0-9]+}/-/delete", (context) => {
  const found = own(context);
  if (isRefusal(found)) return found;
  const { visit, submission } = found;
  return context.html(
    <Page visit={visit} title="Delete submission">
      <h1>Delete submission</h1>
      <p>Do you want to delete "{submission.title}" with all its comments? This cannot be undone.</p>
      <form class="form" action={visit.address} method="post">
        <button type="submit" class="danger">
          Delete submission
        </button>
      </form>
      <p>
        <a href={submissionPath(visit.tables, submission)}>Cancel</a>
      </p>
    </Page>,
  );
});

submissions.post("/f/:forum/:id{[0-9]+}/-/delete", (context) => {
  const found = own(context);
  if (isRefusal(found)) return found;
  withdraw(found.visit.tables, found.submission);
  return context.redirect(forumPath(found.visit.tables, found.forum.id));
});
