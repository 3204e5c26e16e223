/** Table of a folder's files, with the last commit of each file. */
import type { FC } from "hono/jsx";
import { pathOf } from "../access.js";
import { Avatar, Time, UserLink } from "../parts.js";
import type { Branch, Commit } from "../records.js";
import { lastCommits, logOf } from "../repository.js";
import type { ProjectVisit } from "../visit.js";

/** Returns the names of a folder's entries. Names of subfolders end with a slash. */
export function entriesOf(branch: Branch, folder: string): string[] {
  const start = folder === "" ? "" : `${folder}/`;
  const names = new Set<string>();
  for (const path of Object.keys(branch.tree)) {
    if (!path.startsWith(start)) continue;
    const [first = "", ...rest] = path.slice(start.length).split("/");
    names.add(rest.length > 0 ? `${first}/` : first);
  }
  const isFolder = (name: string) => name.endsWith("/");
  return [...names].sort((one, other) => Number(isFolder(other)) - Number(isFolder(one)) || (one < other ? -1 : 1));
}

export const LastCommit: FC<{ visit: ProjectVisit; commit: Commit | undefined }> = ({ visit, commit }) => {
  const { forge, project } = visit;
  if (!commit) return null;
  const author = forge.users.need(commit.author);
  return (
    <div class="last-commit">
      <Avatar user={author} />
      <a href={`${pathOf(project)}/-/commit/${commit.sha}`}>{commit.title}</a>
      <span class="muted">
        <UserLink user={author} /> authored <Time at={commit.date} />
      </span>
      <code>{commit.sha.slice(0, 8)}</code>
    </div>
  );
};

export const FileTable: FC<{ visit: ProjectVisit; branch: Branch; folder: string }> = ({ visit, branch, folder }) => {
  const { forge, project } = visit;
  const base = pathOf(project);
  const entries = entriesOf(branch, folder).map((name) => {
    const plain = name.replace("/", "");
    return { name: plain, isFolder: name.endsWith("/"), path: folder === "" ? plain : `${folder}/${plain}` };
  });
  const commits = lastCommits(
    logOf(forge, branch),
    entries.map(({ path }) => path),
  );
  return (
    <table class="files" aria-label="Files">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Last commit</th>
          <th scope="col">Last update</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ name, isFolder, path }) => {
          const commit = commits.get(path);
          return (
            <tr>
              <td>
                <span class={isFolder ? "icon folder" : "icon file"} aria-hidden="true" />
                <a href={`${base}/-/${isFolder ? "tree" : "blob"}/${branch.name}/${path}`}>{name}</a>
              </td>
              <td>{commit && <a href={`${base}/-/commit/${commit.sha}`}>{commit.title}</a>}</td>
              <td>{commit && <Time at={commit.date} />}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
