/** Pages of issues: the issues of one project, and the issues of all projects that the visitor may see. */
import type { Hono } from "hono";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { hasRole, pathOf, visibleProjects } from "../access.js";
import { type Answer, forbidden, goOn, inProject, loggedIn, notFound, onProject, page } from "../answers.js";
import { dayFrom } from "../dates.js";
import { rowsBy } from "../indexed.js";
import { Markdown } from "../markdown.js";
import { Time, UserLink } from "../parts.js";
import type { Issue } from "../records.js";
import { numberIn, type OwnProjectVisit, type OwnVisit, type ProjectVisit } from "../visit.js";
import { DiscussedList } from "./discussed-list.js";
import { addNote, comment, type Draft, DraftFields, draftFrom, emptyDraft, Notes, Sidebar } from "./discussion.js";

function list(visit: ProjectVisit): Answer {
  const { forge, project, user } = visit;
  const base = `${pathOf(project)}/-/issues`;
  return page(
    visit,
    { title: "Issues", project, section: "Issues" },
    <>
      <div class="page-head">
        <h1>Issues</h1>
        {user && (
          <a class="button primary" href={`${base}/new`}>
            New issue
          </a>
        )}
      </div>
      <DiscussedList
        visit={visit}
        rows={rowsBy(forge, "issues", "project", project.id)}
        kind="issues"
        action={`${base}/`}
        project={project}
      />
    </>,
  );
}

function dashboard(visit: OwnVisit): Answer {
  const { forge, user } = visit;
  const ids = new Set(visibleProjects(forge, user).map(({ id }) => id));
  const rows = forge.issues.filter(({ project }) => ids.has(project));
  const kept = ["assignee_username", "author_username", "scope"];
  const query = new URL(visit.context.req.url).searchParams;
  const isAsked = kept.some((name) => query.get(name)) || query.get("search");
  return page(
    visit,
    { title: "Issues" },
    <>
      <h1>Issues</h1>
      {isAsked ? (
        <DiscussedList visit={visit} rows={rows} kind="issues" action="/dashboard/issues" kept={kept} />
      ) : (
        <p class="empty">
          Please select at least one filter to see results.{" "}
          <a href={`/dashboard/issues?assignee_username=${user.username}&state=opened`}>Assigned to me</a>
        </p>
      )}
    </>,
  );
}

function issueIn(visit: ProjectVisit): Issue | undefined {
  const iid = numberIn(visit, "iid");
  return rowsBy(visit.forge, "issues", "project", visit.project.id).find((issue) => issue.iid === iid);
}

function mayChange({ forge, project, user }: ProjectVisit, issue: Issue): boolean {
  return user !== undefined && (issue.author === user.id || hasRole(forge, project, user, "Reporter"));
}

function show(visit: ProjectVisit): Answer {
  const { forge, project } = visit;
  const issue = issueIn(visit);
  if (!issue) return notFound(visit);
  const base = `${pathOf(project)}/-/issues`;
  const own = `${base}/${issue.iid}`;
  const canChange = mayChange(visit, issue);
  const isOpen = issue.state === "opened";
  return page(
    visit,
    { title: `${issue.title} (#${issue.iid})`, project, section: "Issues" },
    <>
      <div class="page-head">
        <p class="grow">
          <span class={`status-box ${issue.state}`}>{isOpen ? "Open" : "Closed"}</span>
          {` Issue #${issue.iid} created `}
          <Time at={issue.created} isExact /> by <UserLink user={forge.users.get(issue.author)} />
        </p>
        {canChange && (
          <>
            <a class="button" href={`${own}/edit`}>
              Edit
            </a>
            <form method="post" action={`${own}/turn`}>
              <button type="submit">{isOpen ? "Close issue" : "Reopen issue"}</button>
            </form>
          </>
        )}
        <a class="button" href={`${base}/new`}>
          New issue
        </a>
      </div>
      <div class="with-aside">
        <div class="grow">
          <div class="detail-page-description">
            <h1 class="title" data-qa-selector="title_content">
              {issue.title}
            </h1>
            <div class="description">
              <Markdown text={issue.body} />
            </div>
          </div>
          <p class="facts">{`${issue.upvotes} upvotes`}</p>
          <Notes visit={visit} row={issue} action={own} />
        </div>
        <Sidebar visit={visit} row={issue} base={base} edit={canChange ? `${own}/edit` : undefined} />
      </div>
    </>,
  );
}

function form(visit: OwnProjectVisit, draft: Draft, issue?: Issue, alert?: string): Answer {
  const { project } = visit;
  const base = `${pathOf(project)}/-/issues`;
  const title = issue ? `Edit issue #${issue.iid}` : "New issue";
  return page(
    visit,
    { title, project, section: "Issues", alert, status: alert ? 422 : 200 },
    <>
      <h1>{title}</h1>
      <form method="post" action={issue ? `${base}/${issue.iid}` : base} class="card wide">
        <DraftFields visit={visit} draft={draft} record="issue" />
        <button type="submit" class="primary">
          {issue ? "Save changes" : "Create issue"}
        </button>
        <a class="button" href={issue ? `${base}/${issue.iid}` : base}>
          Cancel
        </a>
      </form>
    </>,
  );
}

function complaintOn({ title, due }: Draft): string | undefined {
  if (title === "") return "Title can't be blank";
  if (title.length > 255) return "Title is too long (maximum is 255 characters)";
  return due !== "" && dayFrom(due) === "" ? "Due date must look like 2024-03-15" : undefined;
}

function fieldsOf({ title, body, assignee, labels, milestone, due }: Draft) {
  return { title, body, labels, milestone, due: dayFrom(due), assignees: assignee ? [assignee] : [], updated: now };
}

async function create(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project, user } = visit;
  const draft = await draftFrom(visit, "issue");
  const complaint = complaintOn(draft);
  if (complaint) return form(visit, draft, undefined, complaint);
  const iid = Math.max(0, ...forge.issues.filter((one) => one.project === project.id).map((one) => one.iid)) + 1;
  const place = { project: project.id, iid, author: user.id, created: now, state: "opened", upvotes: 0 } as const;
  forge.issues.insert({ ...place, ...fieldsOf(draft) });
  return goOn(visit, `${pathOf(project)}/-/issues/${iid}`);
}

function edit(visit: OwnProjectVisit): Answer {
  const issue = issueIn(visit);
  if (!issue) return notFound(visit);
  if (!mayChange(visit, issue)) return forbidden(visit);
  return form(visit, { ...issue, assignee: issue.assignees[0] ?? 0, reviewer: 0 }, issue);
}

/**
 * Creates a handler that changes an issue and redirects back to the issue. The handler first checks that the visitor may
 * change the issue.
 */
function changing(
  change: (visit: OwnProjectVisit, issue: Issue) => Answer | undefined | Promise<Answer | undefined>,
  isFree = false,
) {
  return inProject(undefined, async (visit) => {
    const issue = issueIn(visit);
    if (!issue) return notFound(visit);
    if (!isFree && !mayChange(visit, issue)) return forbidden(visit);
    return (await change(visit, issue)) ?? goOn(visit, `${pathOf(visit.project)}/-/issues/${issue.iid}`);
  });
}

async function save(visit: OwnProjectVisit, issue: Issue): Promise<Answer | undefined> {
  const { forge, project, user } = visit;
  const draft = await draftFrom(visit, "issue");
  const complaint = complaintOn(draft);
  if (complaint) return form(visit, draft, issue, complaint);
  const { title, body, updated } = fieldsOf(draft);
  const isReporter = hasRole(forge, project, user, "Reporter");
  forge.issues.update(issue.id, isReporter ? fieldsOf(draft) : { title, body, updated });
  return undefined;
}

function turn(visit: OwnProjectVisit, issue: Issue): undefined {
  const isOpen = issue.state === "opened";
  visit.forge.issues.update(issue.id, { state: isOpen ? "closed" : "opened" });
  addNote(visit, issue, isOpen ? "closed" : "reopened", true);
}

export function addIssues(app: Hono<SiteEnv>): void {
  const base = "/:namespace/:project/-/issues";
  app.get("/dashboard/issues", loggedIn(dashboard));
  app.get(base, onProject(list));
  app.post(base, inProject(undefined, create));
  app.get(
    `${base}/new`,
    inProject(undefined, (visit) => form(visit, emptyDraft)),
  );
  app.get(`${base}/:iid`, onProject(show));
  app.get(`${base}/:iid/edit`, inProject(undefined, edit));
  app.post(`${base}/:iid`, changing(save));
  app.post(`${base}/:iid/turn`, changing(turn));
  app.post(
    `${base}/:iid/notes`,
    changing(async (visit, issue) => {
      await comment(visit, issue);
      return undefined;
    }, true),
  );
}
