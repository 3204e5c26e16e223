/** The front page of a project, and actions on the whole project. */
import type { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { ownerName, pathOf } from "../access.js";
import { type Answer, goOn, inProject, onProject, page } from "../answers.js";
import { Markdown } from "../markdown.js";
import { Avatar, VisibilityIcon } from "../parts.js";
import { branchAt, branchesOf, logOf, textAt } from "../repository.js";
import type { OwnProjectVisit, ProjectVisit } from "../visit.js";
import { FileTable, LastCommit } from "./file-table.js";

const host = "forge.test";

const Head: FC<{ visit: ProjectVisit }> = ({ visit: { forge, project, user } }) => {
  const base = pathOf(project);
  const isStarred = user && forge.stars.find((star) => star.project === project.id && star.user === user.id);
  const source = project.forkedFrom ? forge.projects.get(project.forkedFrom) : undefined;
  return (
    <header class="project-head">
      <span class="tile large" aria-hidden="true">
        {project.name.charAt(0).toUpperCase()}
      </span>
      <div class="grow">
        <h1>
          {project.name} <VisibilityIcon project={project} />
        </h1>
        <p class="muted">
          {`Project ID: ${project.id} · `}
          <a href={`/${project.namespace}`}>{ownerName(forge, project)}</a>
        </p>
        {source && (
          <p class="muted">
            Forked from <a href={pathOf(source)}>{`${source.namespace} / ${source.name}`}</a>
          </p>
        )}
      </div>
      <form method="post" action={`${base}/-/toggle_star`}>
        <button type="submit">{isStarred ? "Unstar" : "Star"}</button>
        <a class="count" href={`${base}/-/starrers`}>
          {`${project.stars} stars`}
        </a>
      </form>
      <p class="fork">
        <a class="button" href={`${base}/-/forks/new`}>
          Fork
        </a>
        <span class="count">{`${project.forks} forks`}</span>
      </p>
    </header>
  );
};

const Clone: FC<{ visit: ProjectVisit }> = ({ visit: { project } }) => (
  <details class="clone">
    <summary>Clone</summary>
    <dl>
      <dt>Clone with SSH</dt>
      <dd>
        <code>{`git@${host}:${project.namespace}/${project.path}.git`}</code>
      </dd>
      <dt>Clone with HTTP</dt>
      <dd>
        <code>{`http://${host}/${project.namespace}/${project.path}.git`}</code>
      </dd>
    </dl>
  </details>
);

function overview(visit: ProjectVisit): Answer {
  const { forge, project } = visit;
  const branch = branchAt(forge, project, project.branch);
  const base = pathOf(project);
  const log = branch ? logOf(forge, branch) : [];
  const readme = branch && textAt(forge, branch, "README.md");
  return page(
    visit,
    { title: `${ownerName(forge, project)} / ${project.name}`, project, section: "Project overview" },
    <>
      <Head visit={visit} />
      <div class="home-panel-description">
        <div class="home-panel-description-markdown">{project.description}</div>
      </div>
      <ul class="topics" aria-label="Topics">
        {project.topics.map((topic) => (
          <li>{topic}</li>
        ))}
      </ul>
      {branch ? (
        <>
          <nav class="stats" aria-label="Repository">
            <a href={`${base}/-/commits/${branch.name}`}>{`${log.length} Commits`}</a>
            <a href={`${base}/-/branches`}>{`${branchesOf(forge, project).length} Branches`}</a>
            <a href={`${base}/-/tree/${branch.name}`}>{`${Object.keys(branch.tree).length} Files`}</a>
          </nav>
          <Clone visit={visit} />
          <LastCommit visit={visit} commit={log[0]} />
          <FileTable visit={visit} branch={branch} folder="" />
          {readme !== undefined && (
            <article class="readme">
              <p class="file-title">README.md</p>
              <Markdown text={readme} />
            </article>
          )}
        </>
      ) : (
        <div class="empty">
          <h2>The repository for this project is empty</h2>
          <p>Add a first file to get started.</p>
          <a class="button" href={`${base}/-/new/main`}>
            New file
          </a>
          <Clone visit={visit} />
        </div>
      )}
    </>,
  );
}

function toggleStar(visit: OwnProjectVisit): Answer {
  const { forge, project, user } = visit;
  const known = forge.stars.find((star) => star.project === project.id && star.user === user.id);
  if (known) forge.stars.remove(known.id);
  else forge.stars.insert({ project: project.id, user: user.id });
  forge.projects.update(project.id, { stars: project.stars + (known ? -1 : 1) });
  return goOn(visit, pathOf(project));
}

/** Page of the users who have starred a project. */
function starrers(visit: ProjectVisit): Answer {
  const { forge, project } = visit;
  const users = forge.stars.filter((star) => star.project === project.id).map(({ user }) => forge.users.need(user));
  return page(
    visit,
    { title: `Starrers · ${ownerName(forge, project)} / ${project.name}`, project, section: "Project overview" },
    <>
      <h1>Starrers</h1>
      <p class="muted">{`${project.stars} stars, ${users.length} of them from users with a public list of stars.`}</p>
      <ul class="starrers">
        {users.map((user) => (
          <li>
            <Avatar user={user} /> <a href={`/${user.username}`}>{user.name}</a> <span>{`@${user.username}`}</span>
          </li>
        ))}
      </ul>
    </>,
  );
}

export function addProject(app: Hono<SiteEnv>): void {
  app.get("/:namespace/:project", onProject(overview));
  app.get("/:namespace/:project/-/starrers", onProject(starrers));
  app.post("/:namespace/:project/-/toggle_star", inProject(undefined, toggleStar));
}
