/** Pages of commits, branches and contributors. */
import type { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { hasRole, pathOf } from "../access.js";
import { type Answer, goOn, inProject, notFound, onProject, page } from "../answers.js";
import { shownDay } from "../dates.js";
import { diffOf, diffWithin } from "../diff.js";
import { grouped } from "../grouping.js";
import { Avatar, Field, Pager, paged, Select, Time, UserLink, withQuery } from "../parts.js";
import type { Branch, Commit, FileChange } from "../records.js";
import { branchAt, branchesOf, branchFrom, contributorsOf, logOf, textAt } from "../repository.js";
import { formOf, type OwnProjectVisit, type ProjectVisit } from "../visit.js";

function branchOf({ forge, project, context }: ProjectVisit): Branch | undefined {
  return branchAt(forge, project, context.req.param("branch") ?? project.branch);
}

function commitsPage(visit: ProjectVisit): Answer {
  const { forge, project, context } = visit;
  const branch = branchOf(visit);
  if (!branch) return notFound(visit);
  const [author, search] = [context.req.query("author") ?? "", (context.req.query("search") ?? "").toLowerCase()];
  const log = logOf(forge, branch);
  const wanted = forge.users.find(({ username }) => username === author);
  const found = log.filter(
    (commit) => (author === "" || commit.author === wanted?.id) && commit.title.toLowerCase().includes(search),
  );
  const { shown, at, pages } = paged(found, context.req.query("page"), 40);
  const people = contributorsOf(forge, branch).map(({ user }) => ({ value: user.username, text: user.name }));
  const days = grouped(shown, ({ date }) => shownDay(date));
  return page(
    visit,
    { title: "Commits", project, section: "Commits" },
    <>
      <h1>
        Commits on <span class="branch-name">{branch.name}</span>
      </h1>
      <form class="filters" action={`${pathOf(project)}/-/commits/${branch.name}`}>
        <Select name="author" label="Author" value={author} choices={[{ value: "", text: "Any author" }, ...people]} />
        <input
          type="search"
          name="search"
          aria-label="Search by message"
          placeholder="Search by message"
          value={search}
        />
        <button type="submit">Apply</button>
      </form>
      <p class="muted">{`${found.length} commits`}</p>
      {[...days].map(([day, commits]) => (
        <section class="commit-day">
          <h2>{`${day} · ${commits.length === 1 ? "1 commit" : `${commits.length} commits`}`}</h2>
          <ul class="rows">
            {commits.map((commit) => (
              <CommitRow visit={visit} commit={commit} />
            ))}
          </ul>
        </section>
      ))}
      <Pager at={at} pages={pages} to={(one) => withQuery(context.req.url, { page: `${one}` })} />
    </>,
  );
}

export const CommitRow: FC<{ visit: ProjectVisit; commit: Commit }> = ({ visit: { forge, project }, commit }) => {
  const author = forge.users.need(commit.author);
  return (
    <li>
      <Avatar user={author} />
      <div class="grow">
        <h3>
          <a href={`${pathOf(project)}/-/commit/${commit.sha}`}>{commit.title}</a>
        </h3>
        <p class="muted">
          <UserLink user={author} /> authored <Time at={commit.date} isExact />
        </p>
      </div>
      <code>{commit.sha.slice(0, 8)}</code>
    </li>
  );
};

function commitPage(visit: ProjectVisit): Answer {
  const { forge, project, context } = visit;
  const sha = context.req.param("sha") ?? "";
  const commit =
    sha.length < 7 ? undefined : forge.commits.find((one) => one.project === project.id && one.sha.startsWith(sha));
  if (!commit) return notFound(visit);
  const author = forge.users.need(commit.author);
  return page(
    visit,
    { title: commit.title, project, section: "Commits" },
    <>
      <p class="muted">
        Commit <code>{commit.sha}</code> authored <Time at={commit.date} isExact /> by <UserLink user={author} />
        {` <${author.email}>`}
      </p>
      <h1>{commit.title}</h1>
      {commit.body && <p>{commit.body}</p>}
      <p>{`Showing ${commit.changes.length} changed ${commit.changes.length === 1 ? "file" : "files"}`}</p>
      <Changes visit={visit} changes={commit.changes} seed={commit.id} />
    </>,
  );
}

/** List of changed lines, grouped by file. */
export const Changes: FC<{ visit: ProjectVisit; changes: readonly FileChange[]; seed: number }> = ({
  visit,
  changes,
  seed,
}) => {
  const { forge, project } = visit;
  const main = branchAt(forge, project, project.branch);
  const text = (id: number | undefined) => (id === undefined ? "" : forge.blobs.need(id).text);
  return (
    <>
      {changes.map((change) => {
        const lines =
          change.after === undefined
            ? diffWithin((main && textAt(forge, main, change.path)) ?? "", seed)
            : diffOf(text(change.before), text(change.after));
        const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
        return (
          <details class="diff" open={changes.length < 5}>
            <summary>{`${change.path} +${count("added")} −${count("removed")}`}</summary>
            <pre>
              {lines.map(({ kind, text: line }) => (
                <span
                  class={`line ${kind}`}
                >{`${kind === "added" ? "+" : kind === "removed" ? "-" : " "}${line}\n`}</span>
              ))}
            </pre>
          </details>
        );
      })}
    </>
  );
};

function graphs(visit: ProjectVisit): Answer {
  const { forge, project } = visit;
  const branch = branchOf(visit);
  if (!branch) return notFound(visit);
  const people = contributorsOf(forge, branch);
  const most = people[0]?.commits ?? 1;
  return page(
    visit,
    { title: "Contributors", project, section: "Contributors" },
    <>
      <h1>
        Contributors to <span class="branch-name">{branch.name}</span>
      </h1>
      <p class="muted">Commits by author, excluding nothing. Everybody who has made a commit is listed.</p>
      <ul class="contributors">
        {people.map(({ user, commits }) => (
          <li>
            <Avatar user={user} size="s40" />
            <div class="grow">
              <h2>{user.name}</h2>
              <p class="muted">{`${commits} ${commits === 1 ? "commit" : "commits"} (${user.email})`}</p>
              <div class="bar" style={`--share: ${Math.round((100 * commits) / most)}%`} />
            </div>
          </li>
        ))}
      </ul>
    </>,
  );
}

function branches(visit: ProjectVisit, alert?: string): Answer {
  const { forge, project, user } = visit;
  const own = branchesOf(forge, project);
  return page(
    visit,
    { title: "Branches", project, section: "Branches", alert, status: alert ? 422 : 200 },
    <>
      <h1>Branches</h1>
      {hasRole(forge, project, user, "Developer") && (
        <form method="post" action={`${pathOf(project)}/-/branches`} class="filters">
          <Field name="branch_name" label="Branch name" />
          <Select
            name="ref"
            label="Create from"
            choices={own.map(({ name }) => ({ value: name, text: name }))}
            value={project.branch}
          />
          <button type="submit">Create branch</button>
        </form>
      )}
      <ul class="rows">
        {own.map((branch) => {
          const [last] = logOf(forge, branch);
          return (
            <li>
              <div class="grow">
                <h3>
                  <a href={`${pathOf(project)}/-/tree/${branch.name}`}>{branch.name}</a>{" "}
                  {branch.name === project.branch && <span class="badge">default</span>}
                </h3>
                {last && (
                  <p class="muted">
                    {`${last.title} · `}
                    <Time at={last.date} />
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </>,
  );
}

async function createBranch(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project } = visit;
  const field = await formOf(visit);
  const name = field("branch_name");
  const base = branchAt(forge, project, field("ref"));
  if (!/^[\w.-]+$/.test(name) || !base) return branches(visit, "Branch name is invalid");
  if (branchAt(forge, project, name)) return branches(visit, "Branch already exists");
  branchFrom(forge, base, project, name);
  return goOn(visit, `${pathOf(project)}/-/tree/${name}`);
}

export function addCommits(app: Hono<SiteEnv>): void {
  const base = "/:namespace/:project/-";
  app.get(`${base}/commits`, onProject(commitsPage));
  app.get(`${base}/commits/:branch`, onProject(commitsPage));
  app.get(`${base}/commit/:sha`, onProject(commitPage));
  app.get(`${base}/graphs/:branch`, onProject(graphs));
  app.get(
    `${base}/branches`,
    onProject((visit) => branches(visit)),
  );
  app.post(`${base}/branches`, inProject("Developer", createBranch));
}
