/** Pages of one merge request: discussion, commits, changes and actions. */
import type { Hono } from "hono";
import type { Child } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { hasRole, pathOf } from "../access.js";
import { type Answer, forbidden, goOn, inProject, notFound, onProject, page } from "../answers.js";
import { rowsBy } from "../indexed.js";
import { Markdown } from "../markdown.js";
import { Tab, Time, UserLink } from "../parts.js";
import type { FileChange, MergeRequest } from "../records.js";
import { addCommit, branchAt, changesBetween } from "../repository.js";
import { numberIn, type OwnProjectVisit, type ProjectVisit } from "../visit.js";
import { Changes, CommitRow } from "./commits.js";
import { addNote, comment, DraftFields, draftFrom, Notes, Sidebar } from "./discussion.js";

const stateNames = { opened: "Open", merged: "Merged", closed: "Closed" } as const;
const tabs = [
  ["Overview", ""],
  ["Commits", "/commits"],
  ["Changes", "/diffs"],
] as const;

function mergeIn(visit: ProjectVisit): MergeRequest | undefined {
  const iid = numberIn(visit, "iid");
  return rowsBy(visit.forge, "merges", "project", visit.project.id).find((merge) => merge.iid === iid);
}

function mayChange({ forge, project, user }: ProjectVisit, merge: MergeRequest): boolean {
  return user !== undefined && (merge.author === user.id || hasRole(forge, project, user, "Developer"));
}

/**
 * Returns the files that a merge request changes. After a merge, the files are taken from the commits, since the branch may
 * be deleted.
 */
function changesOf({ forge, project }: ProjectVisit, merge: MergeRequest): FileChange[] {
  const [source, target] = [branchAt(forge, project, merge.source), branchAt(forge, project, merge.target)];
  if (merge.state === "opened" && source && target) return changesBetween(source, target);
  const changes = merge.commits.flatMap((id) => forge.commits.get(id)?.changes ?? []);
  return [...new Map(changes.map((change) => [change.path, change])).values()];
}

function frame(visit: ProjectVisit, merge: MergeRequest, active: string, children: Child): Answer {
  const { forge, project } = visit;
  const base = pathOf(project);
  const own = `${base}/-/merge_requests/${merge.iid}`;
  const counts: Partial<Record<string, number>> = {
    Commits: merge.commits.length,
    Changes: changesOf(visit, merge).length,
  };
  return page(
    visit,
    { title: `${merge.title} (!${merge.iid})`, project, section: "Merge requests" },
    <>
      <div class="page-head">
        <h1 class="title grow" data-qa-selector="title_content">
          {merge.title}
        </h1>
        {mayChange(visit, merge) && (
          <a class="button" href={`${own}/edit`}>
            Edit
          </a>
        )}
      </div>
      <div class="merge-request-details">
        <span class={`status-box ${merge.state}`}>{stateNames[merge.state]}</span>
        <div class="detail-page-description">
          <UserLink user={forge.users.get(merge.author)} /> requested to merge{" "}
          <a class="gl-font-monospace" href={`${base}/-/tree/${merge.source}`}>
            {merge.source}
          </a>{" "}
          into{" "}
          <a class="gl-font-monospace" href={`${base}/-/tree/${merge.target}`}>
            {merge.target}
          </a>{" "}
          <Time at={merge.created} isExact />
        </div>
      </div>
      <ul class="tabs">
        {tabs.map(([name, path]) => {
          const count = counts[name];
          return (
            <Tab href={`${own}${path}`} isActive={name === active} {...(count === undefined ? {} : { count })}>
              {name}
            </Tab>
          );
        })}
      </ul>
      {children}
    </>,
  );
}

function show(visit: ProjectVisit): Answer {
  const { project } = visit;
  const merge = mergeIn(visit);
  if (!merge) return notFound(visit);
  const base = `${pathOf(project)}/-/merge_requests`;
  const own = `${base}/${merge.iid}`;
  return frame(
    visit,
    merge,
    "Overview",
    <div class="with-aside">
      <div class="grow">
        <div class="description">
          <Markdown text={merge.body} />
        </div>
        <Fate visit={visit} merge={merge} />
        <Notes visit={visit} row={merge} action={own} />
      </div>
      <Sidebar visit={visit} row={merge} base={base} edit={mayChange(visit, merge) ? `${own}/edit` : undefined} />
    </div>,
  );
}

function Fate({ visit, merge }: { visit: ProjectVisit; merge: MergeRequest }) {
  const { forge, project, user } = visit;
  const own = `${pathOf(project)}/-/merge_requests/${merge.iid}`;
  const approvers = merge.approvals.map((id) => forge.users.need(id).name);
  const isApproved = user !== undefined && merge.approvals.includes(user.id);
  const canChange = mayChange(visit, merge);
  const isMaintainer = hasRole(forge, project, user, "Maintainer");
  return (
    <section class="card wide fate" aria-label="Merge">
      <p class="approvals">{approvers.length > 0 ? `Approved by ${approvers.join(", ")}` : "Not approved yet"}</p>
      {merge.state === "opened" && hasRole(forge, project, user, "Developer") && (
        <form method="post" action={`${own}/${isApproved ? "unapprove" : "approve"}`}>
          <button type="submit">{isApproved ? "Revoke approval" : "Approve"}</button>
        </form>
      )}
      {merge.state === "opened" && isMaintainer && !merge.title.startsWith("Draft:") && (
        <form method="post" action={`${own}/merge`}>
          <button type="submit" class="primary">
            Merge
          </button>
        </form>
      )}
      {merge.state !== "merged" && canChange && (
        <form method="post" action={`${own}/turn`}>
          <button type="submit">{merge.state === "opened" ? "Close merge request" : "Reopen merge request"}</button>
        </form>
      )}
    </section>
  );
}

function commits(visit: ProjectVisit): Answer {
  const merge = mergeIn(visit);
  if (!merge) return notFound(visit);
  return frame(
    visit,
    merge,
    "Commits",
    <ul class="rows">
      {merge.commits.map((id) => (
        <CommitRow visit={visit} commit={visit.forge.commits.need(id)} />
      ))}
    </ul>,
  );
}

function diffs(visit: ProjectVisit): Answer {
  const merge = mergeIn(visit);
  if (!merge) return notFound(visit);
  return frame(visit, merge, "Changes", <Changes visit={visit} changes={changesOf(visit, merge)} seed={merge.id} />);
}

type Change = (visit: OwnProjectVisit, merge: MergeRequest) => Answer | undefined | Promise<Answer | undefined>;

function changing(fits: (visit: OwnProjectVisit, merge: MergeRequest) => boolean, change: Change) {
  return inProject(undefined, async (visit) => {
    const merge = mergeIn(visit);
    if (!merge) return notFound(visit);
    if (!fits(visit, merge)) return forbidden(visit);
    return (await change(visit, merge)) ?? goOn(visit, `${pathOf(visit.project)}/-/merge_requests/${merge.iid}`);
  });
}

function form(visit: OwnProjectVisit, merge: MergeRequest, alert?: string): Answer {
  const { project } = visit;
  const own = `${pathOf(project)}/-/merge_requests/${merge.iid}`;
  const draft = { ...merge, assignee: merge.assignees[0] ?? 0, reviewer: merge.reviewers[0] ?? 0, due: "" };
  return page(
    visit,
    { title: `Edit merge request !${merge.iid}`, project, section: "Merge requests", alert, status: alert ? 422 : 200 },
    <>
      <h1>{`Edit merge request !${merge.iid}`}</h1>
      <form method="post" action={own} class="card wide">
        <DraftFields visit={visit} draft={draft} record="merge_request" />
        <button type="submit" class="primary">
          Save changes
        </button>
      </form>
    </>,
  );
}

async function save(visit: OwnProjectVisit, merge: MergeRequest): Promise<Answer | undefined> {
  const { forge, project, user } = visit;
  const { title, body, labels, milestone, assignee, reviewer } = await draftFrom(visit, "merge_request");
  if (title === "") return form(visit, merge, "Title can't be blank");
  const plans = { labels, milestone, assignees: assignee ? [assignee] : [], reviewers: reviewer ? [reviewer] : [] };
  const isReporter = hasRole(forge, project, user, "Reporter");
  forge.merges.update(merge.id, { title, body, updated: now, ...(isReporter ? plans : {}) });
  return undefined;
}

function approve(visit: OwnProjectVisit, merge: MergeRequest, isOn: boolean): undefined {
  const { forge, user } = visit;
  const others = merge.approvals.filter((id) => id !== user.id);
  forge.merges.update(merge.id, { approvals: isOn ? [...others, user.id] : others });
  addNote(visit, merge, isOn ? "approved this merge request" : "unapproved this merge request", true);
}

function turn(visit: OwnProjectVisit, merge: MergeRequest): undefined {
  if (merge.state === "merged") return;
  const isOpen = merge.state === "opened";
  visit.forge.merges.update(merge.id, { state: isOpen ? "closed" : "opened" });
  addNote(visit, merge, isOpen ? "closed" : "reopened", true);
}

function mergeNow(visit: OwnProjectVisit, merge: MergeRequest): Answer | undefined {
  const { forge, project, user } = visit;
  const [source, target] = [branchAt(forge, project, merge.source), branchAt(forge, project, merge.target)];
  if (merge.state !== "opened" || !source || !target) return forbidden(visit);
  const changes = changesBetween(source, target);
  const taken = Object.fromEntries(changes.map(({ path, after }) => [path, after as number]));
  forge.branches.update(target.id, { tree: { ...target.tree, ...taken } });
  for (const id of merge.commits) {
    const { branches } = forge.commits.need(id);
    forge.commits.update(id, { branches: [...new Set([...branches, target.name])] });
  }
  const title = `Merge branch '${merge.source}' into '${merge.target}'`;
  addCommit(forge, project, { branches: [target.name], title, body: merge.title, author: user.id, changes });
  forge.merges.update(merge.id, { state: "merged" });
  forge.projects.update(project.id, { updated: now });
  addNote(visit, merge, "merged", true);
  return undefined;
}

export function addMergeRequest(app: Hono<SiteEnv>): void {
  const own = "/:namespace/:project/-/merge_requests/:iid";
  const isDeveloper = ({ forge, project, user }: OwnProjectVisit) => hasRole(forge, project, user, "Developer");
  const isMaintainer = ({ forge, project, user }: OwnProjectVisit) => hasRole(forge, project, user, "Maintainer");
  app.get(own, onProject(show));
  app.get(`${own}/commits`, onProject(commits));
  app.get(`${own}/diffs`, onProject(diffs));
  app.get(
    `${own}/edit`,
    changing(mayChange, (visit, merge) => form(visit, merge)),
  );
  app.post(own, changing(mayChange, save));
  app.post(
    `${own}/notes`,
    changing(
      () => true,
      async (visit, merge) => {
        await comment(visit, merge);
        return undefined;
      },
    ),
  );
  app.post(
    `${own}/approve`,
    changing(isDeveloper, (visit, merge) => approve(visit, merge, true)),
  );
  app.post(
    `${own}/unapprove`,
    changing(isDeveloper, (visit, merge) => approve(visit, merge, false)),
  );
  app.post(`${own}/turn`, changing(mayChange, turn));
  app.post(`${own}/merge`, changing(isMaintainer, mergeNow));
}
