/** Search in submissions and comments. */
import { Hono } from "hono";
import type { SiteEnv } from "../../site.js";
import { votesOf } from "../changes.js";
import { CommentList } from "../pages/comments.js";
import { Page } from "../pages/layout.js";
import { Pages, pageOf, part } from "../pages/paging.js";
import { SubmissionEntry } from "../pages/submissions.js";
import { plural } from "../pages/text.js";
import type { Comment, Submission } from "../rows.js";
import { type Visit, visitOf } from "../visit.js";

export const search = new Hono<SiteEnv>();

/** Cache of the search texts of rows. The cache is safe because rows are immutable. */
const texts = new WeakMap<Submission | Comment, string>();

function textOf(row: Submission | Comment): string {
  let text = texts.get(row);
  if (text === undefined) {
    text = ` ${("title" in row ? `${row.title} ${row.body}` : row.body).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
    texts.set(row, text);
  }
  return text;
}

/**
 * Returns the submissions and then the comments that contain all words. Prefixes of words match too. Submissions with all
 * words in the title come first; otherwise newer items come first.
 */
export function found({ tables }: Pick<Visit, "tables">, query: string): (Submission | Comment)[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => ` ${word}`);
  if (words.length === 0) return [];
  const fits = (row: Submission | Comment) => {
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  };
  const isTitled = ({ title }: Submission) => {
    const text = ` ${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")}`;
    return Number(words.every((word) => text.includes(word)));
  };
  const submissions = tables.submissions
    .filter(fits)
    .sort((one, other) => isTitled(other) - isTitled(one) || other.id - one.id);
  const comments = tables.comments.filter(fits).sort((one, other) => other.id - one.id);
  return [...submissions, ...comments];
}

search.get("/search", (context) => {
  const visit = visitOf(context);
  const query = (context.req.query("q") ?? "").trim();
  const all = found(visit, query);
  const votes = votesOf(visit.tables, visit.visitor, "submission");
  return context.html(
    <Page visit={visit} title={query === "" ? "Search" : `Search: ${query}`} query={query}>
      <h1>Search</h1>
      <p class="note">
        {query === ""
          ? "Write what you are looking for into the field above."
          : `${plural(all.length, "result")} for "${query}"`}
      </p>
      {part(all, pageOf(visit.address)).map((one) =>
        "title" in one ? (
          <SubmissionEntry visit={visit} submission={one} choice={votes.get(one.id) ?? 0} />
        ) : (
          <CommentList visit={visit} comments={[one]} />
        ),
      )}
      <Pages address={visit.address} count={all.length} />
    </Page>,
  );
});
