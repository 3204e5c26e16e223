/** The start page, the page for exploring projects, and the visitor's own lists. */
import type { Hono } from "hono";
import type { SiteEnv } from "../../site.js";
import { pathOf, projectsOf, visibleProjects } from "../access.js";
import { type Answer, anyone, goOn, loggedIn, page } from "../answers.js";
import { Avatar, Select, Tab, Time } from "../parts.js";
import type { Project, Todo } from "../records.js";
import { numberIn, type OwnVisit, type Visit } from "../visit.js";
import { foundProjects, ProjectList, projectOrders, sortedProjects } from "./project-list.js";

interface Shelf {
  title: string;
  path: string;
  projects: readonly Project[];
  order: string;
}

function projectsPage(visit: Visit, { title, path, projects, order: usual }: Shelf): Answer {
  const { user, context } = visit;
  const [search, order] = [context.req.query("name") ?? "", context.req.query("sort") || usual];
  const tabs = [
    ...(user ? [["Yours", "/dashboard/projects"] as const, ["Starred", "/dashboard/projects/starred"] as const] : []),
    ["Explore", "/explore"] as const,
  ];
  return page(
    visit,
    { title },
    <>
      <div class="page-head">
        <h1>{title}</h1>
        {user && (
          <a class="button primary" href="/projects/new">
            New project
          </a>
        )}
      </div>
      <ul class="tabs">
        {tabs.map(([name, href]) => (
          <Tab href={href} isActive={href === path}>
            {name}
          </Tab>
        ))}
      </ul>
      <form action={path} class="filters">
        <input type="search" name="name" aria-label="Filter by name" placeholder="Filter by name" value={search} />
        <Select name="sort" label="Sort by" choices={projectOrders} value={order} />
        <button type="submit">Apply</button>
      </form>
      <ProjectList visit={visit} projects={sortedProjects(foundProjects(projects, search), order)} />
    </>,
  );
}

function explore(visit: Visit): Answer {
  const projects = visibleProjects(visit.forge, visit.user).filter(({ visibility }) => visibility !== "private");
  return projectsPage(visit, { title: "Explore projects", path: "/explore", projects, order: "latest_activity_desc" });
}

function yours(visit: OwnVisit): Answer {
  const projects = projectsOf(visit.forge, visit.user);
  return projectsPage(visit, {
    title: "Projects",
    path: "/dashboard/projects",
    projects,
    order: "latest_activity_desc",
  });
}

function starred(visit: OwnVisit): Answer {
  const { forge, user } = visit;
  const ids = new Set(forge.stars.filter((star) => star.user === user.id).map(({ project }) => project));
  const projects = visibleProjects(forge, user).filter(({ id }) => ids.has(id));
  return projectsPage(visit, {
    title: "Starred projects",
    path: "/dashboard/projects/starred",
    projects,
    order: "name_asc",
  });
}

const actions = {
  assigned: "assigned you",
  mentioned: "mentioned you on",
  review_requested: "requested your review of",
} as const;

function todos(visit: OwnVisit): Answer {
  const { forge, user, context } = visit;
  const own = forge.todos.filter((todo) => todo.user === user.id);
  const state = context.req.query("state") === "done" ? "done" : "pending";
  const shown = own.filter((todo) => todo.state === state).sort((one, other) => other.created - one.created);
  const count = (wanted: string) => own.filter((todo) => todo.state === wanted).length;
  return page(
    visit,
    { title: "To-Do List" },
    <>
      <h1>To-Do List</h1>
      <ul class="tabs">
        <Tab href="/dashboard/todos" isActive={state === "pending"} count={count("pending")}>
          To Do
        </Tab>
        <Tab href="/dashboard/todos?state=done" isActive={state === "done"} count={count("done")}>
          Done
        </Tab>
      </ul>
      {shown.length === 0 && <p class="empty">Nothing is left to do.</p>}
      <ul class="rows todos">
        {shown.map((todo) => (
          <TodoRow visit={visit} todo={todo} />
        ))}
      </ul>
    </>,
  );
}

function TodoRow({ visit: { forge }, todo }: { visit: OwnVisit; todo: Todo }) {
  const author = forge.users.need(todo.author);
  const target = todo.issue ? forge.issues.need(todo.issue) : forge.merges.need(todo.merge);
  const project = forge.projects.need(target.project);
  const [kind, mark, place] = todo.issue ? ["issue", "#", "issues"] : ["merge request", "!", "merge_requests"];
  return (
    <li>
      <Avatar user={author} />
      <div class="grow">
        <p>
          {author.name} {actions[todo.action]} {kind}{" "}
          <a href={`${pathOf(project)}/-/${place}/${target.iid}`}>{target.title}</a>
        </p>
        <p class="muted">
          {`${project.namespace}/${project.path} ${mark}${target.iid} · `}
          <Time at={todo.created} />
        </p>
      </div>
      <form method="post" action={`/dashboard/todos/${todo.id}`}>
        <button type="submit">{todo.state === "pending" ? "Mark as done" : "Add a to do"}</button>
      </form>
    </li>
  );
}

function turnTodo(visit: OwnVisit): Answer {
  const { forge, user } = visit;
  const todo = forge.todos.get(numberIn(visit, "id"));
  if (todo?.user === user.id) forge.todos.update(todo.id, { state: todo.state === "pending" ? "done" : "pending" });
  return goOn(visit, "/dashboard/todos");
}

export function addDashboard(app: Hono<SiteEnv>): void {
  app.get(
    "/",
    anyone((visit) => (visit.user ? yours(visit as OwnVisit) : goOn(visit, "/users/sign_in"))),
  );
  app.get("/dashboard", loggedIn(yours));
  app.get("/dashboard/projects", loggedIn(yours));
  app.get("/dashboard/projects/starred", loggedIn(starred));
  app.get("/explore", anyone(explore));
  app.get("/explore/projects", anyone(explore));
  app.get("/dashboard/todos", loggedIn(todos));
  app.post("/dashboard/todos/:id", loggedIn(turnTodo));
}
