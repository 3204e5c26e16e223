/** Lists of merge requests, and the forms for a new merge request. */
import type { Hono } from "hono";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { pathOf, visibleProjects } from "../access.js";
import { type Answer, goOn, inProject, loggedIn, onProject, page } from "../answers.js";
import { rowsBy } from "../indexed.js";
import { Select, Tab } from "../parts.js";
import type { Branch } from "../records.js";
import { branchAt, branchesOf, changesBetween, logOf } from "../repository.js";
import { formOf, type OwnProjectVisit, type OwnVisit, type ProjectVisit } from "../visit.js";
import { DiscussedList } from "./discussed-list.js";
import { type Draft, DraftFields, draftFrom, emptyDraft } from "./discussion.js";

function list(visit: ProjectVisit): Answer {
  const { forge, project, user } = visit;
  const base = `${pathOf(project)}/-/merge_requests`;
  return page(
    visit,
    { title: "Merge requests", project, section: "Merge requests" },
    <>
      <div class="page-head">
        <h1>Merge requests</h1>
        {user && (
          <a class="button primary" href={`${base}/new`}>
            New merge request
          </a>
        )}
      </div>
      <DiscussedList
        visit={visit}
        rows={rowsBy(forge, "merges", "project", project.id)}
        kind="merge_requests"
        action={`${base}/`}
        project={project}
      />
    </>,
  );
}

function dashboard(visit: OwnVisit): Answer {
  const { forge, user, context } = visit;
  const ids = new Set(visibleProjects(forge, user).map(({ id }) => id));
  const kept = ["assignee_username", "reviewer_username", "author_username"];
  const query = new URL(context.req.url).searchParams;
  const isReview = Boolean(query.get("reviewer_username"));
  const isAsked = kept.some((name) => query.get(name));
  return page(
    visit,
    { title: "Merge requests" },
    <>
      <h1>{isReview ? "Review requests" : "Merge requests"}</h1>
      <ul class="tabs">
        <Tab href={`/dashboard/merge_requests?assignee_username=${user.username}`} isActive={isAsked && !isReview}>
          Assigned to me
        </Tab>
        <Tab href={`/dashboard/merge_requests?reviewer_username=${user.username}`} isActive={isReview}>
          Review requests for me
        </Tab>
      </ul>
      {isAsked ? (
        <DiscussedList
          visit={visit}
          rows={forge.merges.filter(({ project }) => ids.has(project))}
          kind="merge_requests"
          action="/dashboard/merge_requests"
          kept={kept}
        />
      ) : (
        <p class="empty">Please select at least one filter to see results.</p>
      )}
    </>,
  );
}

interface Pair {
  source: Branch;
  target: Branch;
}

/** Returns the two requested branches, or an error. */
function pairOf({ forge, project }: ProjectVisit, field: (name: string) => string): Pair | string {
  const source = branchAt(forge, project, field("merge_request[source_branch]"));
  const target = branchAt(forge, project, field("merge_request[target_branch]"));
  if (!source || !target) return "You must select source and target branch";
  if (source.id === target.id) return "You must select different branches";
  const isOpen = forge.merges.find(
    (one) =>
      one.project === project.id && one.state === "opened" && one.source === source.name && one.target === target.name,
  );
  return isOpen
    ? `Another open merge request already exists for this source branch: !${isOpen.iid}`
    : { source, target };
}

function start(visit: OwnProjectVisit): Answer {
  const { project, context } = visit;
  const query = (name: string) => context.req.query(name) ?? "";
  if (!query("merge_request[source_branch]")) return chooseBranches(visit);
  const pair = pairOf(visit, query);
  if (typeof pair === "string") return chooseBranches(visit, pair);
  const name = pair.source.name.replaceAll("-", " ");
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return form(
    visit,
    pair,
    { ...emptyDraft, title },
    project.branch === undefined ? "The repository is empty" : undefined,
  );
}

function chooseBranches(visit: OwnProjectVisit, alert?: string): Answer {
  const { forge, project } = visit;
  const names = branchesOf(forge, project).map(({ name }) => ({ value: name, text: name }));
  const others = names.filter(({ value }) => value !== project.branch);
  return page(
    visit,
    { title: "New merge request", project, section: "Merge requests", alert, status: alert ? 422 : 200 },
    <>
      <h1>New merge request</h1>
      <form action={`${pathOf(project)}/-/merge_requests/new`} class="card">
        <Select
          name="merge_request[source_branch]"
          label="Source branch"
          choices={[
            { value: "", text: "Select source branch" },
            ...others,
            ...names.filter(({ value }) => value === project.branch),
          ]}
        />
        <Select name="merge_request[target_branch]" label="Target branch" choices={names} value={project.branch} />
        <button type="submit" class="primary">
          Compare branches and continue
        </button>
      </form>
    </>,
  );
}

function form(visit: OwnProjectVisit, { source, target }: Pair, draft: Draft, alert?: string): Answer {
  const { project } = visit;
  const base = pathOf(project);
  return page(
    visit,
    { title: "New merge request", project, section: "Merge requests", alert, status: alert ? 422 : 200 },
    <>
      <h1>New merge request</h1>
      <p>
        From <span class="branch-name">{source.name}</span> into <span class="branch-name">{target.name}</span>{" "}
        <a href={`${base}/-/merge_requests/new`}>Change branches</a>
      </p>
      <form method="post" action={`${base}/-/merge_requests`} class="card wide">
        <input type="hidden" name="merge_request[source_branch]" value={source.name} />
        <input type="hidden" name="merge_request[target_branch]" value={target.name} />
        <DraftFields visit={visit} draft={draft} record="merge_request" />
        <button type="submit" class="primary">
          Create merge request
        </button>
      </form>
      <p class="muted">{`${changesBetween(source, target).length} changed files`}</p>
    </>,
  );
}

async function create(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project, user } = visit;
  const pair = pairOf(visit, await formOf(visit));
  if (typeof pair === "string") return chooseBranches(visit, pair);
  const { title, body, labels, milestone, assignee, reviewer } = await draftFrom(visit, "merge_request");
  const draft = { ...emptyDraft, title, body, labels, milestone, assignee, reviewer };
  if (title === "") return form(visit, pair, draft, "Title can't be blank");
  const { source, target } = pair;
  const theirs = new Set(logOf(forge, target).map(({ id }) => id));
  const commits = logOf(forge, source).filter(({ id }) => !theirs.has(id));
  const iid = Math.max(0, ...forge.merges.filter((one) => one.project === project.id).map((one) => one.iid)) + 1;
  forge.merges.insert({
    project: project.id,
    iid,
    title,
    body,
    author: user.id,
    created: now,
    updated: now,
    labels,
    milestone,
    assignees: assignee ? [assignee] : [],
    reviewers: reviewer ? [reviewer] : [],
    approvals: [],
    upvotes: 0,
    state: "opened",
    source: source.name,
    target: target.name,
    commits: commits.map(({ id }) => id),
  });
  return goOn(visit, `${pathOf(project)}/-/merge_requests/${iid}`);
}

export function addMergeRequests(app: Hono<SiteEnv>): void {
  const base = "/:namespace/:project/-/merge_requests";
  app.get("/dashboard/merge_requests", loggedIn(dashboard));
  app.get(base, onProject(list));
  app.get(`${base}/new`, inProject("Developer", start));
  app.post(base, inProject("Developer", create));
}
