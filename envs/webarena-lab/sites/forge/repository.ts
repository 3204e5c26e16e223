/** Branches, commits and files of a project. */
import { createHash } from "node:crypto";
import { now } from "../../clock.js";
import { rowsBy } from "./indexed.js";
import type { Branch, Commit, FileChange, Project, User } from "./records.js";
import type { ForgeTables } from "./tables.js";

export function branchesOf(forge: ForgeTables, project: Project): Branch[] {
  return rowsBy(forge, "branches", "project", project.id);
}

export function branchAt(forge: ForgeTables, project: Project, name: string | undefined): Branch | undefined {
  return branchesOf(forge, project).find((branch) => branch.name === name);
}

/** Returns the commits of a branch, newest first. */
export function logOf(forge: ForgeTables, branch: Branch): Commit[] {
  const limits: { branch: Branch; until: number; lastId: number }[] = [];
  let next: Branch | undefined = branch;
  let [until, lastId] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  while (next && limits.length < 20) {
    limits.push({ branch: next, until, lastId });
    const from: Branch["from"] = next.from;
    until = Math.min(until, from?.until ?? until);
    lastId = Math.min(lastId, from?.lastId ?? lastId);
    next = from && forge.branches.get(from.branch);
  }
  const projects = new Set(limits.map((limit) => limit.branch.project));
  const found: Commit[] = [];
  for (const commit of [...projects].flatMap((id) => rowsBy(forge, "commits", "project", id))) {
    const isIn = limits.some(
      (limit) =>
        limit.branch.project === commit.project &&
        commit.branches.includes(limit.branch.name) &&
        commit.date <= limit.until &&
        commit.id <= limit.lastId,
    );
    if (isIn) found.push(commit);
  }
  return found.sort((one, other) => other.date - one.date || other.id - one.id);
}

/** Returns the newest commit for each file or folder, by path. */
export function lastCommits(log: readonly Commit[], paths: readonly string[]): Map<string, Commit> {
  const found = new Map<string, Commit>();
  for (const commit of log) {
    for (const path of paths) {
      if (found.has(path)) continue;
      if (commit.changes.some((change) => change.path === path || change.path.startsWith(`${path}/`)))
        found.set(path, commit);
    }
    if (found.size === paths.length) break;
  }
  return found;
}

export function textAt(forge: ForgeTables, branch: Branch, path: string): string | undefined {
  const id = Object.hasOwn(branch.tree, path) ? branch.tree[path] : undefined;
  return id === undefined ? undefined : forge.blobs.need(id).text;
}

interface NewCommit {
  project: Project;
  branch: Branch;
  author: User;
  message: string;
  /** New content of each file, by path. */
  files: Readonly<Record<string, string>>;
}

/** Creates a commit that writes files to a branch. */
export function commitTo(forge: ForgeTables, { project, branch, author, message, files }: NewCommit): Commit {
  const tree = { ...branch.tree };
  const changes: FileChange[] = Object.entries(files).map(([path, text]) => {
    const before = Object.hasOwn(tree, path) ? tree[path] : undefined;
    const after = forge.blobs.insert({ text }).id;
    tree[path] = after;
    return { path, after, ...(before === undefined ? {} : { before }) };
  });
  forge.branches.update(branch.id, { tree });
  forge.projects.update(project.id, { updated: now });
  const [title = "", ...rest] = message.split("\n");
  return addCommit(forge, project, {
    branches: [branch.name],
    title,
    body: rest.join("\n").trim(),
    author: author.id,
    changes,
  });
}

export function addCommit(
  forge: ForgeTables,
  project: Project,
  given: Pick<Commit, "branches" | "title" | "body" | "author" | "changes">,
): Commit {
  const commit = forge.commits.insert({ ...given, project: project.id, date: now, sha: "" });
  const sha = createHash("sha1").update(`${project.id} ${commit.id} ${commit.title}`).digest("hex");
  return forge.commits.update(commit.id, { sha });
}

/** Creates a branch at the current state of another branch. */
export function branchFrom(forge: ForgeTables, base: Branch, project: Project, name: string): Branch {
  const lastId = Math.max(0, ...logOf(forge, base).map(({ id }) => id));
  return forge.branches.insert({
    project: project.id,
    name,
    tree: base.tree,
    from: { branch: base.id, until: now, lastId },
  });
}

export interface Contributor {
  user: User;
  commits: number;
}

/** Returns the authors of a branch's commits, in descending order of commits. */
export function contributorsOf(forge: ForgeTables, branch: Branch): Contributor[] {
  const counts = new Map<number, number>();
  for (const { author } of logOf(forge, branch)) counts.set(author, (counts.get(author) ?? 0) + 1);
  return [...counts]
    .map(([id, commits]) => ({ user: forge.users.need(id), commits }))
    .sort((one, other) => other.commits - one.commits || (one.user.name < other.user.name ? -1 : 1));
}

/** Returns the files that differ between two branches, with the ids of their blobs in both branches. */
export function changesBetween(source: Branch, target: Branch): FileChange[] {
  return Object.entries(source.tree).flatMap(([path, after]) => {
    const before = Object.hasOwn(target.tree, path) ? target.tree[path] : undefined;
    if (before === after) return [];
    return [{ path, after, ...(before === undefined ? {} : { before }) }];
  });
}
