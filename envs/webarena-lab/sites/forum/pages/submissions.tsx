/** Lists of submissions, and their sort orders. */
import type { FC } from "hono/jsx";
import { forumPath, hostOf, nameOf, submissionPath } from "../addresses.js";
import { votesOf } from "../changes.js";
import { isRanged, type Range, ranges, type Sort, sorts } from "../ranking.js";
import { type Submission, scoreOf } from "../rows.js";
import type { ForumTables } from "../tables.js";
import type { Visit } from "../visit.js";
import { Tabs } from "./layout.js";
import { Pages, pageOf, part } from "./paging.js";
import { Prose, plural, Time } from "./text.js";
import { VoteForm } from "./votes.js";

export const UserLink: FC<{ tables: ForumTables; user: number }> = ({ tables, user }) => {
  const name = nameOf(tables, user);
  return name === undefined ? <span>[deleted]</span> : <a href={`/user/${name}`}>{name}</a>;
};

interface EntryProps {
  visit: Visit;
  submission: Submission;
  choice: 1 | 0 | -1;
  /** Whether the submission is shown on a page of its own, with text and actions. */
  isWhole?: boolean;
}

const LinkedTitle: FC<{ submission: Submission; path: string; isWhole: boolean }> = ({
  submission: { title, url },
  path,
  isWhole,
}) => (
  <>
    <a class="submission__link" href={path}>
      {title}
    </a>
    {url && (
      <a class="submission__host" href={url} rel="nofollow ugc">
        {isWhole ? url : hostOf(url)}
      </a>
    )}
  </>
);

export const SubmissionEntry: FC<EntryProps> = ({
  visit: { tables, visitor },
  submission,
  choice,
  isWhole = false,
}) => {
  const { id, body, forum, user, created, edited, comments } = submission;
  const path = submissionPath(tables, submission);
  return (
    <article class="submission" id={`submission_${id}`}>
      <div class="submission__inner">
        <header>
          {isWhole ? (
            <h1 class="submission__title">
              <LinkedTitle submission={submission} path={path} isWhole />
            </h1>
          ) : (
            <h2 class="submission__title">
              <LinkedTitle submission={submission} path={path} isWhole={false} />
            </h2>
          )}
        </header>
        {isWhole && body && (
          <div class="submission__body">
            <Prose text={body} />
          </div>
        )}
        <footer class="submission__footer">
          <p class="submission__info">
            Submitted by <UserLink tables={tables} user={user} /> <Time at={created} isFull={isWhole} /> in{" "}
            <a class="submission__forum" href={forumPath(tables, forum)}>
              {tables.forums.need(forum).name}
            </a>
            {edited !== null && <em> Edited {isWhole && <Time at={edited} />}</em>}
          </p>
          <ul class="actions">
            <li>
              <a href={path}>{comments === 0 ? "No comments" : plural(comments, "comment")}</a>
            </li>
            {isWhole && visitor?.id === user && (
              <>
                <li>
                  <a href={`${forumPath(tables, forum)}/${id}/-/edit`}>Edit</a>
                </li>
                <li>
                  <a href={`${forumPath(tables, forum)}/${id}/-/delete`}>Delete</a>
                </li>
              </>
            )}
          </ul>
        </footer>
      </div>
      <div class="submission__vote">
        <VoteForm kind="submission" id={id} score={scoreOf(submission)} choice={choice} />
      </div>
    </article>
  );
};

/** The requested page of a list of submissions. */
export const SubmissionList: FC<{ visit: Visit; submissions: readonly Submission[] }> = ({ visit, submissions }) => {
  const votes = votesOf(visit.tables, visit.visitor, "submission");
  const shown = part(submissions, pageOf(visit.address));
  return (
    <>
      {shown.length === 0 && <p class="empty">There is nothing here.</p>}
      {shown.map((submission) => (
        <SubmissionEntry visit={visit} submission={submission} choice={votes.get(submission.id) ?? 0} />
      ))}
      <Pages address={visit.address} count={submissions.length} />
    </>
  );
};

export const SortNav: FC<{ base: string; sort: Sort; range: Range }> = ({ base, sort, range }) => (
  <div class="sorting">
    <Tabs
      label="Sort by"
      links={(Object.keys(sorts) as Sort[]).map((name) => ({
        text: sorts[name],
        href: `${base}/${name}`,
        isHere: name === sort,
      }))}
    />
    {isRanged(sort) && (
      <Tabs
        label="From"
        links={(Object.keys(ranges) as Range[]).map((name) => ({
          text: ranges[name],
          href: `${base}/${sort}?t=${name}`,
          isHere: name === range,
        }))}
      />
    )}
  </div>
);
