/** Settings of a project. */
import type { Hono } from "hono";
import type { SiteEnv } from "../../site.js";
import { pathOf } from "../access.js";
import { type Answer, inProject, page } from "../answers.js";
import { Area, Field } from "../parts.js";
import { formOf, type OwnProjectVisit } from "../visit.js";
import { VisibilityChoice, visibilityFrom } from "./new-project.js";

function form(visit: OwnProjectVisit, saved?: string, alert?: string): Answer {
  const { project } = visit;
  return page(
    visit,
    { title: "General settings", project, section: "Settings", alert, status: alert ? 422 : 200 },
    <>
      <h1>General settings</h1>
      {saved && (
        <p class="notice" role="status">
          {saved}
        </p>
      )}
      <form method="post" action={`${pathOf(project)}/edit`} class="card">
        <Field name="project[name]" label="Project name" value={project.name} />
        <Area name="project[description]" label="Project description (optional)" value={project.description} rows={3} />
        <Field name="project[topics]" label="Topics, separated by commas" value={project.topics.join(", ")} />
        <VisibilityChoice name="project[visibility]" value={project.visibility} />
        <button type="submit" class="primary">
          Save changes
        </button>
      </form>
    </>,
  );
}

async function save(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project } = visit;
  const field = await formOf(visit);
  const name = field("project[name]");
  if (name === "") return form(visit, undefined, "Project name can't be blank");
  const topics = field("project[topics]")
    .split(",")
    .map((one) => one.trim());
  const changed = forge.projects.update(project.id, {
    name,
    description: field("project[description]"),
    topics: topics.filter(Boolean),
    visibility: visibilityFrom(field("project[visibility]")),
  });
  return form({ ...visit, project: changed }, `Project '${changed.name}' was successfully updated.`);
}

export function addSettings(app: Hono<SiteEnv>): void {
  for (const path of ["/:namespace/:project/edit", "/:namespace/:project/-/edit"]) {
    app.get(
      path,
      inProject("Maintainer", (visit) => form(visit)),
    );
    app.post(path, inProject("Maintainer", save));
  }
}
