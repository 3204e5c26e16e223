/** Lists of issues and of merge requests, with their filters. */
import type { FC } from "hono/jsx";
import { pathOf } from "../access.js";
import { shownDay } from "../dates.js";
import { commentCount, type Discussed, filtered, inState, orders, sorted } from "../discussed.js";
import { LabelPill, Pager, paged, Select, Tab, Time, UserLink, withQuery } from "../parts.js";
import type { Project, User } from "../records.js";
import type { Visit } from "../visit.js";

export interface ListFacts {
  visit: Visit;
  rows: readonly Discussed[];
  kind: "issues" | "merge_requests";
  /** Target path of the filter form. */
  action: string;
  /** Project of the list, or undefined for a list of several projects. */
  project?: Project;
  /** Query parameters that stay unchanged when the filter form is submitted. */
  kept?: readonly string[];
}

const any = { value: "", text: "Any" };

/** List of the requested rows, with controls for filters and sorting. */
export const DiscussedList: FC<ListFacts> = (facts) => {
  const { visit, rows, kind } = facts;
  const { forge, context } = visit;
  const query = new URL(context.req.url).searchParams;
  const found = filtered(forge, rows, query);
  const state = query.get("state") || "opened";
  const { shown, at, pages } = paged(
    sorted(inState(found, state), query.get("sort")),
    query.get("page") ?? undefined,
    20,
  );
  const tabs = [
    ["Open", "opened"],
    ...(kind === "merge_requests" ? [["Merged", "merged"]] : []),
    ["Closed", "closed"],
    ["All", "all"],
  ];
  return (
    <>
      <ul class="tabs issues-state-filters">
        {tabs.map(([name = "", value = ""]) => (
          <Tab
            href={withQuery(context.req.url, { state: value, page: "1" })}
            isActive={value === state}
            count={inState(found, value).length}
          >
            {name}
          </Tab>
        ))}
      </ul>
      <Filters {...facts} query={query} />
      {shown.length === 0 && <p class="empty">There are no results that match your filters.</p>}
      <ul class="rows issuable-list">
        {shown.map((row) => (
          <DiscussedRow facts={facts} row={row} comments={commentCount(forge, row)} />
        ))}
      </ul>
      <Pager at={at} pages={pages} to={(one) => withQuery(context.req.url, { page: `${one}` })} />
    </>
  );
};

const Filters: FC<ListFacts & { query: URLSearchParams }> = ({
  visit: { forge },
  rows,
  kind,
  action,
  project,
  kept = [],
  query,
}) => {
  const value = (name: string) => query.get(name) ?? "";
  const own = project === undefined ? [] : [project.id];
  const labels = forge.labels.filter((label) => own.includes(label.project)).map(({ name }) => name);
  const milestones = forge.milestones.filter((one) => own.includes(one.project)).map(({ title }) => title);
  const choices = (names: readonly string[]) => [
    any,
    { value: "None", text: "None" },
    ...names.map((one) => ({ value: one, text: one })),
  ];
  return (
    <form action={action} class="filters wide">
      <input type="hidden" name="state" value={query.get("state") || "opened"} />
      {kept
        .filter((name) => query.get(name))
        .map((name) => (
          <input type="hidden" name={name} value={value(name)} />
        ))}
      <input
        type="search"
        name="search"
        aria-label="Search or filter results"
        placeholder="Search or filter results…"
        value={value("search")}
      />
      {project && (
        <>
          <Select name="label_name[]" label="Label" choices={choices(labels)} value={value("label_name[]")} />
          <UserField
            name="author_username"
            label="Author"
            users={usersIn(forge.users, rows, ({ author }) => [author])}
            value={value("author_username")}
          />
          <UserField
            name="assignee_username"
            label="Assignee"
            users={usersIn(forge.users, rows, ({ assignees }) => assignees)}
            value={value("assignee_username")}
          />
          {kind === "issues" && (
            <Select
              name="milestone_title"
              label="Milestone"
              choices={choices(milestones)}
              value={value("milestone_title")}
            />
          )}
        </>
      )}
      <Select name="sort" label="Sort by" choices={orders} value={value("sort") || "created_date"} />
      <button type="submit">Apply filters</button>
    </form>
  );
};

function usersIn(
  users: Iterable<User>,
  rows: readonly Discussed[],
  idsOf: (row: Discussed) => readonly number[],
): User[] {
  const ids = new Set(rows.flatMap(idsOf));
  return [...users].filter(({ id }) => ids.has(id)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

const UserField: FC<{ name: string; label: string; users: readonly User[]; value: string }> = ({
  name,
  label,
  users,
  value,
}) => (
  <Select
    name={name}
    label={label}
    value={value}
    choices={[
      any,
      ...(label === "Assignee" ? [{ value: "None", text: "None" }] : []),
      ...users.map((user) => ({ value: user.username, text: user.name })),
    ]}
  />
);

const DiscussedRow: FC<{ facts: ListFacts; row: Discussed; comments: number }> = ({ facts, row, comments }) => {
  const { visit, kind, project } = facts;
  const { forge } = visit;
  const home = project ?? forge.projects.need(row.project);
  const base = `${pathOf(home)}/-/${kind}`;
  const milestone = row.milestone ? forge.milestones.get(row.milestone) : undefined;
  const mark = kind === "issues" ? "#" : "!";
  return (
    <li>
      <div class="grow">
        <h3>
          <a href={`${base}/${row.iid}`}>{row.title}</a>
        </h3>
        <p class="muted">
          {`${project ? "" : `${home.namespace}/${home.path}`}${mark}${row.iid} · created `}
          <Time at={row.created} /> by <UserLink user={forge.users.get(row.author)} />
          {milestone && ` · ${milestone.title}`}
          {"due" in row && row.due !== "" && ` · due ${shownDay(row.due)}`}{" "}
          {row.labels.map((id) => {
            const label = forge.labels.get(id);
            return label && <LabelPill label={label} href={`${base}/`} />;
          })}
        </p>
      </div>
      <p class="facts">
        {row.state !== "opened" && <span class="badge">{row.state.toUpperCase()}</span>}
        {row.assignees.map((id) => (
          <span>{`Assigned to ${forge.users.need(id).name}`}</span>
        ))}
        {row.upvotes > 0 && <span>{`${row.upvotes} upvotes`}</span>}
        <span>{comments === 1 ? "1 comment" : `${comments} comments`}</span>
        <span>
          Updated <Time at={row.updated} />
        </span>
      </p>
    </li>
  );
};
