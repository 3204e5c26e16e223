/** Comments and the answers to comments. */
import type { FC } from "hono/jsx";
import { commentPath, submissionPath } from "../addresses.js";
import { votesOf } from "../changes.js";
import { type Comment, type Submission, scoreOf } from "../rows.js";
import type { Visit } from "../visit.js";
import { UserLink } from "./submissions.js";
import { Prose, plural, Time } from "./text.js";
import { VoteForm } from "./votes.js";

interface EntryProps {
  visit: Visit;
  comment: Comment;
  choice: 1 | 0 | -1;
  /** Id of the submission's author. Comments of the author are marked in the thread. */
  author: number;
}

export const CommentEntry: FC<EntryProps> = ({ visit, comment, choice, author }) => {
  const { tables, visitor } = visit;
  const { id, user, body, created, edited, parent } = comment;
  const path = commentPath(tables, comment);
  const own = visitor?.id === user;
  const links: readonly (readonly [text: string, href: string, isShown: boolean])[] = [
    ["Reply", path, visitor !== undefined],
    ["Permalink", path, true],
    ["Parent", path.replace(/\d+$/, `${parent}`), parent !== null],
    ["Edit", `${path}/edit`, own],
    ["Delete", `${path}/delete`, own],
  ];
  return (
    <>
      <header class="comment__info">
        <UserLink tables={tables} user={user} />
        {user === author && <span class="comment__mark">OP</span>} wrote <Time at={created} />
        {edited !== null && <em> (edited {<Time at={edited} />})</em>}
      </header>
      <div class="comment__body">
        <Prose text={body} />
      </div>
      <footer class="comment__footer">
        <VoteForm kind="comment" id={id} score={scoreOf(comment)} choice={choice} />
        <ul class="actions">
          {links
            .filter(([, , isShown]) => isShown)
            .map(([text, href]) => (
              <li>
                <a href={href}>{text}</a>
              </li>
            ))}
        </ul>
      </footer>
    </>
  );
};

interface TreeProps {
  visit: Visit;
  submission: Submission;
  /** All comments of the thread. */
  comments: readonly Comment[];
  /** Top-level comments of the tree. */
  roots: readonly Comment[];
}

/** Comments with all answers, sorted by score with the highest first. */
export const CommentTree: FC<TreeProps> = ({ visit, submission, comments, roots }) => {
  const votes = votesOf(visit.tables, visit.visitor, "comment");
  const answers = new Map<number | null, Comment[]>();
  for (const comment of comments) answers.set(comment.parent, [...(answers.get(comment.parent) ?? []), comment]);
  const branch = (ones: readonly Comment[]) =>
    [...ones]
      .sort((one, other) => scoreOf(other) - scoreOf(one) || one.id - other.id)
      .map((comment) => (
        <article
          class="comment"
          id={`comment_${comment.id}`}
          aria-label={comment.isDeleted ? "Deleted comment" : "Comment"}
        >
          {comment.isDeleted ? (
            <p class="comment__gone">This comment was deleted.</p>
          ) : (
            <CommentEntry
              visit={visit}
              comment={comment}
              choice={votes.get(comment.id) ?? 0}
              author={submission.user}
            />
          )}
          {answers.has(comment.id) && <div class="comment__replies">{branch(answers.get(comment.id) ?? [])}</div>}
        </article>
      ));
  return <>{branch(roots)}</>;
};

/** List of comments outside their threads, with links to the threads. */
export const CommentList: FC<{ visit: Visit; comments: readonly Comment[] }> = ({ visit, comments }) => {
  const { tables, visitor } = visit;
  const votes = votesOf(tables, visitor, "comment");
  return (
    <>
      {comments.map((comment) => {
        const submission = tables.submissions.need(comment.submission);
        return (
          <article class="comment comment--alone" id={`comment_${comment.id}`} aria-label="Comment">
            <p class="comment__context">
              Comment on <a href={submissionPath(tables, submission)}>{submission.title}</a> in{" "}
              <a href={`/f/${tables.forums.need(submission.forum).name}`}>
                {tables.forums.need(submission.forum).name}
              </a>
            </p>
            <CommentEntry
              visit={visit}
              comment={comment}
              choice={votes.get(comment.id) ?? 0}
              author={submission.user}
            />
          </article>
        );
      })}
    </>
  );
};

interface ReplyProps {
  visit: Visit;
  /** Target address of the form. */
  action: string;
}

export const ReplyForm: FC<ReplyProps> = ({ visit: { visitor, address }, action }) =>
  visitor ? (
    <form class="form reply" action={action} method="post">
      <label for="reply_comment">Comment</label>
      <textarea id="reply_comment" name="comment" rows={4} required maxlength={10_000} />
      <button type="submit">Post</button>
    </form>
  ) : (
    <p class="note">
      <a href={`/login?from=${encodeURIComponent(address)}`}>Log in</a> to comment.
    </p>
  );

export function commentCount(count: number): string {
  return count === 0 ? "No comments" : plural(count, "comment");
}
