/** Forms for a new project, for a fork of a project, and for a new group. */
import type { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { groupAt, pathOf, projectAt, userNamed } from "../access.js";
import { type Answer, goOn, inProject, loggedIn, page } from "../answers.js";
import { createProject, forkProject, namespacesOf, slugOf } from "../creation.js";
import { Area, Field, Select } from "../parts.js";
import { type Visibility, visibilities } from "../records.js";
import { formOf, type OwnProjectVisit, type OwnVisit } from "../visit.js";

const texts: Readonly<Record<Visibility, string>> = {
  private: "Private",
  internal: "Internal",
  public: "Public",
};

export const VisibilityChoice: FC<{ name: string; value: string }> = ({ name, value }) => (
  <fieldset>
    <legend>Visibility Level</legend>
    {visibilities.map((one) => (
      <label class="check">
        <input type="radio" name={name} value={one} checked={one === value} /> {texts[one]}
      </label>
    ))}
  </fieldset>
);

export function visibilityFrom(text: string): Visibility {
  return visibilities.find((one) => one === text) ?? "private";
}

interface ProjectDraft {
  name: string;
  namespace: string;
  description: string;
  visibility: string;
  hasReadme: boolean;
}

function projectForm(visit: OwnVisit, draft?: ProjectDraft, alert?: string): Answer {
  const { forge, user } = visit;
  const { name, namespace, description, visibility, hasReadme } = draft ?? {
    name: "",
    namespace: user.username,
    description: "",
    visibility: "private",
    hasReadme: true,
  };
  return page(
    visit,
    { title: "New project", alert, status: alert ? 422 : 200 },
    <>
      <h1>Create blank project</h1>
      <p class="muted">Create a blank project to store your files, plan your work, and collaborate on code.</p>
      <form method="post" action="/projects" class="card">
        <Field name="project[name]" label="Project name" value={name} placeholder="My awesome project" />
        <Select
          name="project[namespace]"
          label="Pick a group or namespace"
          value={namespace}
          choices={namespacesOf(forge, user).map((one) => ({ value: one, text: one }))}
        />
        <Area name="project[description]" label="Project description (optional)" value={description} rows={3} />
        <VisibilityChoice name="project[visibility]" value={visibility} />
        <fieldset>
          <legend>Project Configuration</legend>
          <label class="check">
            <input type="checkbox" name="project[initialize_with_readme]" value="1" checked={hasReadme} /> Initialize
            repository with a README
          </label>
        </fieldset>
        <button type="submit" class="primary">
          Create project
        </button>
        <a class="button" href="/">
          Cancel
        </a>
      </form>
    </>,
  );
}

async function create(visit: OwnVisit): Promise<Response> {
  const { forge, user } = visit;
  const field = await formOf(visit);
  const draft = {
    name: field("project[name]"),
    namespace: field("project[namespace]") || user.username,
    description: field("project[description]"),
    visibility: visibilityFrom(field("project[visibility]")),
  };
  const hasReadme = field("project[initialize_with_readme]") === "1";
  const path = slugOf(draft.name);
  const complaint = complaintOn(visit, draft.namespace, draft.name, path);
  if (complaint) return projectForm(visit, { ...draft, hasReadme }, complaint);
  const project = createProject(forge, user, { ...draft, path }, hasReadme);
  return goOn(visit, pathOf(project));
}

function complaintOn({ forge, user }: OwnVisit, namespace: string, name: string, path: string): string | undefined {
  if (name === "") return "Project name can't be blank";
  if (path === "") return "Project name must contain letters or digits";
  if (!namespacesOf(forge, user).includes(namespace)) return "Namespace is not valid";
  return projectAt(forge, namespace, path) ? "Project name has already been taken" : undefined;
}

function forkForm(visit: OwnProjectVisit, name = visit.project.name, alert?: string): Answer {
  const { forge, project, user } = visit;
  return page(
    visit,
    { title: "Fork project", project, alert, status: alert ? 422 : 200 },
    <>
      <h1>Fork project</h1>
      <p class="muted">A fork is a copy of a project. Changes to it do not affect the original project.</p>
      <form method="post" action={`${pathOf(project)}/-/forks`} class="card">
        <Field name="name" label="Project name" value={name} />
        <Select
          name="namespace"
          label="Project URL namespace"
          choices={namespacesOf(forge, user).map((one) => ({ value: one, text: one }))}
        />
        <Area name="description" label="Project description (optional)" value={project.description} rows={2} />
        <VisibilityChoice name="visibility" value={project.visibility} />
        <button type="submit" class="primary">
          Fork project
        </button>
      </form>
    </>,
  );
}

async function fork(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project, user } = visit;
  const field = await formOf(visit);
  const [name, namespace] = [field("name"), field("namespace") || user.username];
  const path = name === project.name ? project.path : slugOf(name);
  const complaint = complaintOn(visit, namespace, name, path);
  if (complaint) return forkForm(visit, name, complaint);
  const visibility = visibilityFrom(field("visibility"));
  const copy = forkProject(forge, user, project, {
    name,
    namespace,
    path,
    visibility,
    description: field("description"),
  });
  return goOn(visit, pathOf(copy));
}

function groupForm(visit: OwnVisit, name = "", alert?: string): Answer {
  return page(
    visit,
    { title: "New group", alert, status: alert ? 422 : 200 },
    <>
      <h1>Create group</h1>
      <form method="post" action="/groups" class="card">
        <Field name="group[name]" label="Group name" value={name} />
        <Area name="group[description]" label="Group description (optional)" rows={2} />
        <VisibilityChoice name="group[visibility]" value="private" />
        <button type="submit" class="primary">
          Create group
        </button>
      </form>
    </>,
  );
}

async function createGroup(visit: OwnVisit): Promise<Response> {
  const { forge, user } = visit;
  const field = await formOf(visit);
  const name = field("group[name]");
  const path = slugOf(name);
  if (path === "") return groupForm(visit, name, "Group name can't be blank");
  if (groupAt(forge, path) || userNamed(forge, path)) return groupForm(visit, name, "Group URL has already been taken");
  const visibility = visibilityFrom(field("group[visibility]"));
  const { id } = forge.groups.insert({
    path,
    name,
    description: field("group[description]"),
    visibility,
    created: now,
  });
  forge.members.insert({ project: 0, group: id, user: user.id, role: "Owner", since: now });
  return goOn(visit, `/${path}`);
}

export function addNewProject(app: Hono<SiteEnv>): void {
  app.get(
    "/projects/new",
    loggedIn((visit) => projectForm(visit)),
  );
  app.post("/projects", loggedIn(create));
  app.get(
    "/groups/new",
    loggedIn((visit) => groupForm(visit)),
  );
  app.post("/groups", loggedIn(createGroup));
  app.get(
    "/:namespace/:project/-/forks/new",
    inProject(undefined, (visit) => forkForm(visit)),
  );
  app.post("/:namespace/:project/-/forks", inProject(undefined, fork));
}
