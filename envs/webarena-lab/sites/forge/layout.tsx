/** The frame of every page, with the bar at the top and the project's sections at the side. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { Document } from "../document.js";
import { hasRole, pathOf } from "./access.js";
import { rowsBy } from "./indexed.js";
import { Avatar, Logo } from "./parts.js";
import type { Project, User } from "./records.js";
import type { PageFacts, Section, Visit } from "./visit.js";

export const Layout: FC<PropsWithChildren<{ visit: Visit; facts: PageFacts }>> = ({ visit, facts, children }) => {
  const { title, project, section, alert } = facts;
  return (
    <Document site="forge" title={`${title} · ${project ? `${project.name} · ` : ""}Forge`}>
      <TopBar visit={visit} />
      <div class={project ? "layout with-side" : "layout"}>
        {project && <Side visit={visit} project={project} section={section} />}
        <main id="content-body">
          {alert && (
            <p class="alert" role="alert">
              {alert}
            </p>
          )}
          {children}
        </main>
      </div>
    </Document>
  );
};

const TopBar: FC<{ visit: Visit }> = ({ visit: { user, context } }) => (
  <header class="top">
    <a class="brand" href="/" aria-label="Homepage">
      <Logo />
      Forge
    </a>
    <nav aria-label="Main" class="main-nav">
      <a href={user ? "/dashboard/projects" : "/explore"}>Projects</a>
      <a href="/explore/groups">Groups</a>
      <a href="/explore">Explore</a>
    </nav>
    <search>
      <form action="/search" class="search">
        <input
          type="search"
          name="search"
          aria-label="Search Forge"
          placeholder="Search Forge"
          value={context.req.path === "/search" ? (context.req.query("search") ?? "") : ""}
        />
        <button type="submit">Search</button>
      </form>
    </search>
    {user ? <UserNav user={user} /> : <a href="/users/sign_in">Sign in</a>}
  </header>
);

const UserNav: FC<{ user: User }> = ({ user }) => (
  <nav aria-label="User" class="user-nav">
    <a href="/projects/new">New project</a>
    <a href={`/dashboard/issues?scope=all&state=opened&assignee_username=${user.username}`}>Issues</a>
    <a href={`/dashboard/merge_requests?assignee_username=${user.username}`}>Merge requests</a>
    <a href="/dashboard/todos">To-Do List</a>
    <a class="me" href={`/${user.username}`}>
      <Avatar user={user} />
      {user.name}
    </a>
    <a href="/-/profile">Edit profile</a>
    <form method="post" action="/users/sign_out">
      <button type="submit" class="plain">
        Sign out
      </button>
    </form>
  </nav>
);

const Side: FC<{ visit: Visit; project: Project; section: Section | undefined }> = ({ visit, project, section }) => {
  const { forge, user } = visit;
  const base = pathOf(project);
  const open = { issues: 0, merges: 0 };
  for (const issue of rowsBy(forge, "issues", "project", project.id)) if (issue.state === "opened") open.issues += 1;
  for (const merge of rowsBy(forge, "merges", "project", project.id)) if (merge.state === "opened") open.merges += 1;
  const branch = project.branch ?? "main";
  const links: [Section, string, number?][] = [
    ["Project overview", base],
    ["Issues", `${base}/-/issues`, open.issues],
    ["Merge requests", `${base}/-/merge_requests`, open.merges],
    ["Files", `${base}/-/tree/${branch}`],
    ["Commits", `${base}/-/commits/${branch}`],
    ["Branches", `${base}/-/branches`],
    ["Contributors", `${base}/-/graphs/${branch}`],
    ["Milestones", `${base}/-/milestones`],
    ["Labels", `${base}/-/labels`],
    ["Members", `${base}/-/project_members`],
  ];
  if (hasRole(forge, project, user, "Maintainer")) links.push(["Settings", `${base}/edit`]);
  return (
    <nav class="side" aria-label="Project">
      <p class="side-title">
        <span class="tile" aria-hidden="true">
          {project.name.charAt(0).toUpperCase()}
        </span>
        {project.name}
      </p>
      <ul>
        {links.map(([name, href, count]) => (
          <li>
            <a
              href={href}
              class={name === section ? "current" : ""}
              aria-current={name === section ? "page" : undefined}
            >
              {name}
              {count !== undefined && <span class="badge">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};
