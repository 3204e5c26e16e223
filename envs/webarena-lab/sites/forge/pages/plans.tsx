/** Pages of the milestones and labels of a project. */
import type { Hono } from "hono";
import type { SiteEnv } from "../../site.js";
import { hasRole, pathOf } from "../access.js";
import { type Answer, goOn, inProject, notFound, onProject, page } from "../answers.js";
import { dayFrom, shownDay } from "../dates.js";
import { Markdown } from "../markdown.js";
import { Area, Field, LabelPill, Tab } from "../parts.js";
import type { Milestone } from "../records.js";
import { formOf, numberIn, type OwnProjectVisit, type ProjectVisit } from "../visit.js";

function milestones(visit: ProjectVisit): Answer {
  const { forge, project, user, context } = visit;
  const own = forge.milestones.filter((one) => one.project === project.id);
  const asked = context.req.query("state") ?? "";
  const state = asked === "closed" || asked === "all" ? asked : "active";
  const shown = own
    .filter((one) => state === "all" || one.state === state)
    .sort((one, other) => (one.due < other.due ? -1 : 1));
  const place = `${pathOf(project)}/-/milestones`;
  const count = (wanted: string) => own.filter((one) => wanted === "all" || one.state === wanted).length;
  return page(
    visit,
    { title: "Milestones", project, section: "Milestones" },
    <>
      <div class="page-head">
        <h1>Milestones</h1>
        {hasRole(forge, project, user, "Reporter") && (
          <a class="button primary" href={`${place}/new`}>
            New milestone
          </a>
        )}
      </div>
      <ul class="tabs">
        {[["Open", "active"] as const, ["Closed", "closed"] as const, ["All", "all"] as const].map(([name, value]) => (
          <Tab href={`${place}?state=${value}`} isActive={value === state} count={count(value)}>
            {name}
          </Tab>
        ))}
      </ul>
      {shown.length === 0 && <p class="empty">There are no milestones here.</p>}
      <ul class="rows">
        {shown.map((one) => (
          <li>
            <div class="grow">
              <h3>
                <a href={`${place}/${one.iid}`}>{one.title}</a>
              </h3>
              <p class="muted">{`${one.start ? shownDay(one.start) : "No start date"} – ${one.due ? shownDay(one.due) : "no due date"}`}</p>
            </div>
            <p class="facts">{`${forge.issues.filter(({ milestone }) => milestone === one.id).length} issues`}</p>
          </li>
        ))}
      </ul>
    </>,
  );
}

function milestone(visit: ProjectVisit): Answer {
  const { forge, project, user } = visit;
  const iid = numberIn(visit, "iid");
  const one = forge.milestones.find((row) => row.project === project.id && row.iid === iid);
  if (!one) return notFound(visit);
  const issues = forge.issues.filter((issue) => issue.milestone === one.id);
  const closed = issues.filter(({ state }) => state === "closed").length;
  return page(
    visit,
    { title: one.title, project, section: "Milestones" },
    <div class="with-aside">
      <div class="grow detail-page-description milestone-detail">
        <p class="muted">
          <span class={`status-box ${one.state}`}>{one.state === "active" ? "Open" : "Closed"}</span> Milestone
        </p>
        <h1>{one.title}</h1>
        <Markdown text={one.description} />
        <h2>Issues</h2>
        <ul>
          {issues.map((issue) => (
            <li>
              <a href={`${pathOf(project)}/-/issues/${issue.iid}`}>{issue.title}</a>
              {` (${issue.state === "opened" ? "open" : "closed"})`}
            </li>
          ))}
        </ul>
        {hasRole(forge, project, user, "Reporter") && (
          <form method="post" action={`${pathOf(project)}/-/milestones/${one.iid}/turn`}>
            <button type="submit">{one.state === "active" ? "Close milestone" : "Reopen milestone"}</button>
          </form>
        )}
      </div>
      <aside class="sidebar" aria-label="Milestone details">
        <div class="block progress">
          <h3>Complete</h3>
          <p>{`${issues.length === 0 ? 0 : Math.round((100 * closed) / issues.length)}%`}</p>
        </div>
        <div class="block start_date">
          <h3>Start date</h3>
          <p>{one.start ? shownDay(one.start) : "No start date"}</p>
        </div>
        <div class="block due_date">
          <h3>Due date</h3>
          <p>{one.due ? shownDay(one.due) : "No due date"}</p>
        </div>
      </aside>
    </div>,
  );
}

type Draft = Pick<Milestone, "title" | "description" | "start" | "due">;

function milestoneForm(visit: OwnProjectVisit, draft?: Draft, alert?: string): Answer {
  const { project } = visit;
  return page(
    visit,
    { title: "New milestone", project, section: "Milestones", alert, status: alert ? 422 : 200 },
    <>
      <h1>New milestone</h1>
      <form method="post" action={`${pathOf(project)}/-/milestones`} class="card">
        <Field name="milestone[title]" label="Title" value={draft?.title} />
        <Field name="milestone[start_date]" label="Start Date" value={draft?.start} placeholder="YYYY-MM-DD" />
        <Field name="milestone[due_date]" label="Due Date" value={draft?.due} placeholder="YYYY-MM-DD" />
        <Area name="milestone[description]" label="Description" value={draft?.description} rows={4} />
        <button type="submit" class="primary">
          Create milestone
        </button>
      </form>
    </>,
  );
}

async function createMilestone(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project } = visit;
  const field = await formOf(visit);
  const [title, start, due] = [field("milestone[title]"), field("milestone[start_date]"), field("milestone[due_date]")];
  const draft = { title, description: field("milestone[description]"), start, due };
  const own = forge.milestones.filter((one) => one.project === project.id);
  const days = { start: dayFrom(start), due: dayFrom(due) };
  if (title === "") return milestoneForm(visit, draft, "Title can't be blank");
  if (own.some((one) => one.title === title))
    return milestoneForm(visit, draft, "Title already being used for this project.");
  if ((start !== "" && !days.start) || (due !== "" && !days.due))
    return milestoneForm(visit, draft, "Dates must look like 2024-03-15");
  if (days.start && days.due && days.due < days.start)
    return milestoneForm(visit, draft, "Due date must be greater than start date");
  const iid = Math.max(0, ...own.map((one) => one.iid)) + 1;
  forge.milestones.insert({ ...draft, ...days, project: project.id, iid, state: "active" });
  return goOn(visit, `${pathOf(project)}/-/milestones/${iid}`);
}

function turnMilestone(visit: OwnProjectVisit): Answer {
  const { forge, project } = visit;
  const iid = numberIn(visit, "iid");
  const one = forge.milestones.find((row) => row.project === project.id && row.iid === iid);
  if (!one) return notFound(visit);
  forge.milestones.update(one.id, { state: one.state === "active" ? "closed" : "active" });
  return goOn(visit, `${pathOf(project)}/-/milestones/${iid}`);
}

function labels(visit: ProjectVisit, alert?: string): Answer {
  const { forge, project, user } = visit;
  const own = forge.labels.filter((one) => one.project === project.id);
  const counts = new Map<number, number>();
  for (const issue of forge.issues)
    if (issue.state === "opened") for (const id of issue.labels) counts.set(id, (counts.get(id) ?? 0) + 1);
  return page(
    visit,
    { title: "Labels", project, section: "Labels", alert, status: alert ? 422 : 200 },
    <>
      <h1>Labels</h1>
      {hasRole(forge, project, user, "Reporter") && (
        <form method="post" action={`${pathOf(project)}/-/labels`} class="filters">
          <Field name="label[title]" label="Title" />
          <Field name="label[description]" label="Description" />
          <button type="submit">Create label</button>
        </form>
      )}
      <ul class="rows labels">
        {own.map((label) => (
          <li>
            <LabelPill label={label} href={`${pathOf(project)}/-/issues/`} />
            <p class="grow">{label.description}</p>
            <p class="muted">{`${counts.get(label.id) ?? 0} open issues`}</p>
          </li>
        ))}
      </ul>
    </>,
  );
}

async function createLabel(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project } = visit;
  const field = await formOf(visit);
  const name = field("label[title]");
  if (name === "") return labels(visit, "Title can't be blank");
  if (forge.labels.find((one) => one.project === project.id && one.name === name))
    return labels(visit, "Title has already been taken");
  forge.labels.insert({ project: project.id, name, description: field("label[description]"), color: "#6699cc" });
  return goOn(visit, `${pathOf(project)}/-/labels`);
}

export function addPlans(app: Hono<SiteEnv>): void {
  const base = "/:namespace/:project/-";
  app.get(`${base}/milestones`, onProject(milestones));
  app.get(
    `${base}/milestones/new`,
    inProject("Reporter", (visit) => milestoneForm(visit)),
  );
  app.post(`${base}/milestones`, inProject("Reporter", createMilestone));
  app.get(`${base}/milestones/:iid`, onProject(milestone));
  app.post(`${base}/milestones/:iid/turn`, inProject("Reporter", turnMilestone));
  app.get(
    `${base}/labels`,
    onProject((visit) => labels(visit)),
  );
  app.post(`${base}/labels`, inProject("Reporter", createLabel));
}
