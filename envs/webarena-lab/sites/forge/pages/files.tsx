/** Pages that show and change the files of a branch. */
import type { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { SiteEnv } from "../../site.js";
import { hasRole, pathOf } from "../access.js";
import { type Answer, goOn, inProject, notFound, onProject, page } from "../answers.js";
import { Markdown } from "../markdown.js";
import { Area, Field } from "../parts.js";
import type { Branch } from "../records.js";
import { branchAt, branchesOf, commitTo, lastCommits, logOf, textAt } from "../repository.js";
import { formOf, type OwnProjectVisit, type ProjectVisit } from "../visit.js";
import { FileTable, LastCommit } from "./file-table.js";

interface Place {
  branch: Branch;
  path: string;
}

function placeOf({ forge, project, context }: ProjectVisit): Place | undefined {
  const { branch: name, path = "" } = context.req.param() as Record<string, string>;
  const branch = branchAt(forge, project, name ?? project.branch);
  return branch && { branch, path: path.replace(/\/+$/, "") };
}

const Crumbs: FC<{ visit: ProjectVisit; place: Place }> = ({ visit: { project }, place: { branch, path } }) => {
  const base = `${pathOf(project)}/-/tree/${branch.name}`;
  const parts = path === "" ? [] : path.split("/");
  return (
    <nav class="crumbs" aria-label="Path">
      <span class="branch-name">{branch.name}</span>
      <a href={base}>{project.path}</a>
      {parts.map((part, at) =>
        at === parts.length - 1 ? (
          <strong>{part}</strong>
        ) : (
          <a href={`${base}/${parts.slice(0, at + 1).join("/")}`}>{part}</a>
        ),
      )}
    </nav>
  );
};

function tree(visit: ProjectVisit): Answer {
  const { forge, project, user } = visit;
  const place = placeOf(visit);
  if (!place) return notFound(visit);
  const { branch, path } = place;
  if (path !== "" && !Object.keys(branch.tree).some((one) => one.startsWith(`${path}/`))) return notFound(visit);
  const base = pathOf(project);
  const log = logOf(forge, branch);
  const last = path === "" ? log[0] : lastCommits(log, [path]).get(path);
  return page(
    visit,
    { title: path || "Files", project, section: "Files" },
    <>
      <div class="page-head">
        <Crumbs visit={visit} place={place} />
        {hasRole(forge, project, user, "Developer") && (
          <a class="button" href={`${base}/-/new/${branch.name}`}>
            New file
          </a>
        )}
        <a class="button" href={`${base}/-/commits/${branch.name}`}>
          History
        </a>
      </div>
      <form class="filters" action={`${base}/-/refs/switch`}>
        <label for="ref">Branch</label>
        <select id="ref" name="ref">
          {branchesOf(forge, project).map(({ name }) => (
            <option value={name} selected={name === branch.name}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit">Switch branch</button>
      </form>
      <LastCommit visit={visit} commit={last} />
      <FileTable visit={visit} branch={branch} folder={path} />
    </>,
  );
}

function switchBranch(visit: ProjectVisit): Answer {
  const { project, context } = visit;
  return goOn(
    visit,
    `${pathOf(project)}/-/tree/${encodeURIComponent(context.req.query("ref") ?? project.branch ?? "main")}`,
  );
}

function blob(visit: ProjectVisit): Answer {
  const { forge, project, user } = visit;
  const place = placeOf(visit);
  const text = place && textAt(forge, place.branch, place.path);
  if (!place || text === undefined) return notFound(visit);
  const { branch, path } = place;
  const [base, name] = [pathOf(project), path.split("/").at(-1)];
  return page(
    visit,
    { title: path, project, section: "Files" },
    <>
      <Crumbs visit={visit} place={place} />
      <LastCommit visit={visit} commit={lastCommits(logOf(forge, branch), [path]).get(path)} />
      <article class="file-holder">
        <header class="file-title">
          <strong>{name}</strong>
          <span class="muted">{`${Buffer.byteLength(text)} bytes, ${text.split("\n").length - 1} lines`}</span>
          {hasRole(forge, project, user, "Developer") && (
            <a class="button" href={`${base}/-/edit/${branch.name}/${path}`}>
              Edit
            </a>
          )}
          <a class="button" href={`${base}/-/raw/${branch.name}/${path}`}>
            Open raw
          </a>
        </header>
        {path.endsWith(".md") ? (
          <div class="readme">
            <Markdown text={text} />
          </div>
        ) : (
          <pre class="blob-content">
            <code>{text}</code>
          </pre>
        )}
      </article>
    </>,
  );
}

function raw(visit: ProjectVisit): Answer {
  const place = placeOf(visit);
  const text = place && textAt(visit.forge, place.branch, place.path);
  return text === undefined ? notFound(visit) : visit.context.text(text);
}

interface Draft {
  branch: string;
  /** Path of the file, or undefined for a new file. */
  path: string | undefined;
  name: string;
  text: string;
  message: string;
}

function editor(visit: OwnProjectVisit, draft: Draft, alert?: string): Answer {
  const { project } = visit;
  const { branch, path, name, text, message } = draft;
  const base = pathOf(project);
  const action = path === undefined ? `${base}/-/create/${branch}` : `${base}/-/update/${branch}/${path}`;
  const title = path === undefined ? "New file" : "Edit file";
  return page(
    visit,
    { title, project, section: "Files", alert, status: alert ? 422 : 200 },
    <>
      <h1>{title}</h1>
      <form method="post" action={action} class="card wide">
        <p>
          Branch <span class="branch-name">{branch}</span>
        </p>
        <Field name="file_name" label="File name" value={name} />
        <Area name="content" label="File contents" value={text} rows={14} isCode />
        <Field name="commit_message" label="Commit message" value={message} />
        <button type="submit" class="primary">
          Commit changes
        </button>
      </form>
    </>,
  );
}

function newFile(visit: OwnProjectVisit): Answer {
  const branch = visit.context.req.param("branch") ?? "main";
  const isKnown = branchAt(visit.forge, visit.project, branch) || visit.project.branch === undefined;
  if (!isKnown) return notFound(visit);
  return editor(visit, { branch, path: undefined, name: "", text: "", message: "Add new file" });
}

function editFile(visit: OwnProjectVisit): Answer {
  const place = placeOf(visit);
  const text = place && textAt(visit.forge, place.branch, place.path);
  if (!place || text === undefined) return notFound(visit);
  const { branch, path } = place;
  const name = path.split("/").at(-1) as string;
  return editor(visit, { branch: branch.name, path, name: path, text, message: `Update ${name}` });
}

async function saveFile(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project, user, context } = visit;
  const { branch: name = "main", path } = context.req.param() as Record<string, string>;
  const known = branchAt(forge, project, name);
  if (!known && project.branch !== undefined) return notFound(visit);
  const field = await formOf(visit);
  const wanted = field("file_name").replace(/^\/+/, "");
  const draft: Draft = { branch: name, path, name: wanted, text: field("content"), message: field("commit_message") };
  if (!/^[\w.-][\w./ -]*$/.test(wanted) || wanted.split("/").some((part) => part === "" || part === ".."))
    return editor(visit, draft, "You must provide a file name");
  if (path === undefined && known && Object.hasOwn(known.tree, wanted))
    return editor(visit, draft, "A file with this name already exists");
  const branch = known ?? forge.branches.insert({ project: project.id, name, tree: {} });
  if (!known) forge.projects.update(project.id, { branch: name });
  const text = draft.text === "" ? "" : `${draft.text}\n`;
  const kept = path === undefined || path === wanted ? branch : withoutFile(visit, branch, path);
  commitTo(forge, {
    project,
    branch: kept,
    author: user,
    message: draft.message || `Update ${wanted}`,
    files: { [wanted]: text },
  });
  return goOn(visit, `${pathOf(project)}/-/blob/${name}/${wanted}`);
}

function withoutFile({ forge }: OwnProjectVisit, branch: Branch, path: string): Branch {
  const { [path]: _, ...tree } = branch.tree;
  return forge.branches.update(branch.id, { tree });
}

export function addFiles(app: Hono<SiteEnv>): void {
  const base = "/:namespace/:project/-";
  app.get(`${base}/tree/:branch/:path{.+}?`, onProject(tree));
  app.get(`${base}/tree/:branch`, onProject(tree));
  app.get(`${base}/refs/switch`, onProject(switchBranch));
  app.get(`${base}/blob/:branch/:path{.+}`, onProject(blob));
  app.get(`${base}/raw/:branch/:path{.+}`, onProject(raw));
  app.get(`${base}/new/:branch`, inProject("Developer", newFile));
  app.post(`${base}/create/:branch`, inProject("Developer", saveFile));
  app.get(`${base}/edit/:branch/:path{.+}`, inProject("Developer", editFile));
  app.post(`${base}/update/:branch/:path{.+}`, inProject("Developer", saveFile));
}
