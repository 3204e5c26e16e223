/** Creates projects and forks. */
import { now } from "../../clock.js";
import type { Project, User, Visibility } from "./records.js";
import { branchesOf, branchFrom, commitTo } from "./repository.js";
import type { ForgeTables } from "./tables.js";

/** Converts the name of a project to a path segment. */
export function slugOf(name: string): string {
  return name
    .trim()
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .toLowerCase();
}

/** Returns the namespaces in which a user may create projects. */
export function namespacesOf(forge: ForgeTables, user: User): string[] {
  const groups = forge.members.filter(
    ({ user: id, group, role }) => id === user.id && group !== 0 && role !== "Guest" && role !== "Reporter",
  );
  return [user.username, ...groups.map(({ group }) => forge.groups.need(group).path)];
}

interface Draft {
  namespace: string;
  path: string;
  name: string;
  description: string;
  visibility: Visibility;
}

export function createProject(forge: ForgeTables, user: User, draft: Draft, hasReadme: boolean): Project {
  const project = insert(forge, user, { ...draft, language: "", topics: [], branch: hasReadme ? "main" : undefined });
  if (hasReadme) {
    const branch = forge.branches.insert({ project: project.id, name: "main", tree: {} });
    const text = `# ${draft.name}\n\n${draft.description}`.trimEnd();
    commitTo(forge, { project, branch, author: user, message: "Initial commit", files: { "README.md": `${text}\n` } });
  }
  return project;
}

export function forkProject(forge: ForgeTables, user: User, source: Project, draft: Draft): Project {
  const { language, topics, branch } = source;
  const project = insert(forge, user, { ...draft, language, topics, branch, forkedFrom: source.id });
  for (const one of branchesOf(forge, source)) branchFrom(forge, one, project, one.name);
  forge.projects.update(source.id, { forks: source.forks + 1 });
  return project;
}

function insert(
  forge: ForgeTables,
  user: User,
  draft: Draft & Pick<Project, "language" | "topics" | "branch"> & { forkedFrom?: number },
): Project {
  const project = forge.projects.insert({ ...draft, created: now, updated: now, stars: 0, forks: 0 });
  forge.members.insert({ project: project.id, group: 0, user: user.id, role: "Owner", since: now });
  for (const [name, color, description] of usualLabels)
    forge.labels.insert({ project: project.id, name, color, description });
  return project;
}

const usualLabels = [
  ["bug", "#d9534f", "It does not do what it should"],
  ["enhancement", "#428bca", "It could do more"],
  ["documentation", "#5cb85c", "Texts and examples"],
  ["question", "#8e44ad", "Somebody asks for advice"],
] as const;
