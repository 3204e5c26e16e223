/** Search in all projects, issues, merge requests and users that the visitor may see. */
import type { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { pathOf, visibleProjects } from "../access.js";
import { type Answer, anyone, page } from "../answers.js";
import { Avatar, Pager, paged, Tab, Time, withQuery } from "../parts.js";
import type { Issue, MergeRequest, User } from "../records.js";
import type { Visit } from "../visit.js";
import { foundProjects, ProjectList, sortedProjects } from "./project-list.js";

const scopes = ["projects", "issues", "merge_requests", "users"] as const;
type Scope = (typeof scopes)[number];
const names: Record<Scope, string> = {
  projects: "Projects",
  issues: "Issues",
  merge_requests: "Merge requests",
  users: "Users",
};

function results(visit: Visit, text: string) {
  const { forge, user } = visit;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (one: string) => words.length > 0 && words.every((word) => one.toLowerCase().includes(word));
  const projects = visibleProjects(forge, user);
  const ids = new Set(projects.map(({ id }) => id));
  const newest = <R extends { updated: number; id: number }>(rows: R[]) =>
    rows.sort((one, other) => other.updated - one.updated || other.id - one.id);
  return {
    projects: words.length > 0 ? sortedProjects(foundProjects(projects, text), "stars_desc") : [],
    issues: newest(forge.issues.filter(({ project, title }) => ids.has(project) && has(title))),
    merge_requests: newest(forge.merges.filter(({ project, title }) => ids.has(project) && has(title))),
    users: forge.users.filter(({ name, username }) => has(`${name} ${username}`)),
  };
}

function search(visit: Visit): Answer {
  const { context } = visit;
  const text = (context.req.query("search") ?? "").trim();
  const asked = context.req.query("scope") as Scope;
  const scope = scopes.includes(asked) ? asked : "projects";
  const found = results(visit, text);
  return page(
    visit,
    { title: `${text} · Search` },
    <>
      <h1>Search</h1>
      <form action="/search" class="filters">
        <input type="hidden" name="scope" value={scope} />
        <input type="search" name="search" aria-label="What are you searching for?" value={text} />
        <button type="submit">Search</button>
      </form>
      <ul class="tabs">
        {scopes.map((one) => (
          <Tab
            href={`/search?${new URLSearchParams({ search: text, scope: one })}`}
            isActive={one === scope}
            count={found[one].length}
          >
            {names[one]}
          </Tab>
        ))}
      </ul>
      <p class="muted">{`${found[scope].length} results for "${text}"`}</p>
      {scope === "projects" && <ProjectList visit={visit} projects={found.projects} />}
      {scope === "issues" && <Titles visit={visit} rows={found.issues} place="issues" />}
      {scope === "merge_requests" && <Titles visit={visit} rows={found.merge_requests} place="merge_requests" />}
      {scope === "users" && <People visit={visit} users={found.users} />}
    </>,
  );
}

const Titles: FC<{ visit: Visit; rows: readonly (Issue | MergeRequest)[]; place: string }> = ({
  visit,
  rows,
  place,
}) => {
  const { forge, context } = visit;
  const { shown, at, pages } = paged(rows, context.req.query("page"), 20);
  return (
    <>
      <ul class="rows">
        {shown.map((row) => {
          const project = forge.projects.need(row.project);
          return (
            <li>
              <div class="grow">
                <h3>
                  <a href={`${pathOf(project)}/-/${place}/${row.iid}`}>{row.title}</a>
                </h3>
                <p class="muted">
                  {`${project.namespace}/${project.path}${place === "issues" ? "#" : "!"}${row.iid} · ${row.state === "opened" ? "Open" : row.state === "merged" ? "Merged" : "Closed"} · updated `}
                  <Time at={row.updated} />
                </p>
              </div>
            </li>
          );
        })}
      </ul>
      <Pager at={at} pages={pages} to={(one) => withQuery(context.req.url, { page: `${one}` })} />
    </>
  );
};

export const People: FC<{ visit: Visit; users: readonly User[] }> = ({ visit, users }) => {
  const { context } = visit;
  const { shown, at, pages } = paged(users, context.req.query("page"), 20);
  return (
    <>
      <ul class="rows people">
        {shown.map((user) => (
          <li>
            <Avatar user={user} size="s40" />
            <div class="grow">
              <h3>
                <a href={`/${user.username}`}>{user.name}</a>
              </h3>
              <p class="muted">{`@${user.username}`}</p>
            </div>
          </li>
        ))}
      </ul>
      <Pager at={at} pages={pages} to={(one) => withQuery(context.req.url, { page: `${one}` })} />
    </>
  );
};

export function addSearch(app: Hono<SiteEnv>): void {
  app.get("/search", anyone(search));
}
