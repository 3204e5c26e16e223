/** Routes of the front page, and of the submissions of all forums. */

import { Page, Tabs } from "../pages/layout.js";
import { FrontSections } from "../pages/sidebars.js";
import { SortNav, SubmissionList } from "../pages/submissions.js";
import { type Range, ranges, ranked, type Sort } from "../ranking.js";
import type { Forum } from "../rows.js";
import { type ForumContext, visitOf } from "../visit.js";

export const views = ["featured", "subscribed", "moderated", "all"] as const;
export type View = (typeof views)[number];

const names: Readonly<Record<View, string>> = {
  featured: "Featured",
  subscribed: "Subscribed",
  moderated: "Moderated",
  all: "All",
};

export function rangeOf(context: ForumContext): Range {
  const range = context.req.query("t") ?? "";
  return Object.hasOwn(ranges, range) ? (range as Range) : "all";
}

export function front(context: ForumContext, view: View, sort: Sort) {
  const visit = visitOf(context);
  const { tables, visitor } = visit;
  const own = (table: "subscriptions" | "moderators") =>
    new Set(tables[table].filter(({ user }) => user === visitor?.id).map(({ forum }) => forum));
  const members = view === "subscribed" ? own("subscriptions") : view === "moderated" ? own("moderators") : undefined;
  const isIn = ({ id, isFeatured }: Forum) => (members ? members.has(id) : view === "all" || isFeatured);
  const shown = new Set(tables.forums.filter(isIn).map(({ id }) => id));
  const range = rangeOf(context);
  const submissions = ranked(
    tables.submissions.filter(({ forum }) => shown.has(forum)),
    sort,
    range,
  );
  return context.html(
    <Page visit={visit} title="Quayside" sidebar={<FrontSections visit={visit} />}>
      <Tabs
        label="Filter on"
        links={views
          .filter((one) => visitor || one === "featured" || one === "all")
          .map((one) => ({ text: names[one], href: one === "featured" ? "/" : `/${one}`, isHere: one === view }))}
      />
      <SortNav base={`/${view}`} sort={sort} range={range} />
      <SubmissionList visit={visit} submissions={submissions} />
    </Page>,
  );
}
