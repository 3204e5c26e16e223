/** Queries, steps and conditions that the task templates of the code forge share. */
import { choose, click, enter, type PlanStep, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { membersOf, ownerName, pathOf, roleOf } from "../../sites/forge/access.js";
import type { Branch, Issue, Member, MergeRequest, Project, User } from "../../sites/forge/records.js";
import { branchAt } from "../../sites/forge/repository.js";
import { type ForgeTables, openForge } from "../../sites/forge/tables.js";
import type { Target } from "../common/template.js";

let opened: ForgeTables | undefined;

/** Returns the seeded records. The caller must not change them. */
export function seeded(): ForgeTables {
  opened ??= openForge();
  return opened;
}

/** Returns the account of the agent in tasks. */
export function me(): User {
  return seeded().users.need(1);
}

export function publicProjects(): Project[] {
  return seeded().projects.filter(({ visibility }) => visibility === "public");
}

/** Returns the projects in which the agent's account has a role. */
export function joinedProjects(): Project[] {
  return publicProjects().filter((project) => roleOf(seeded(), project, me()) !== undefined);
}

export function ownProjects(): Project[] {
  return seeded().projects.filter(({ namespace }) => namespace === me().username);
}

export function fullPath({ namespace, path }: Project): string {
  return `${namespace}/${path}`;
}

export function urlOf(project: Project, rest = ""): string {
  return `__GITLAB__${pathOf(project)}${rest}`;
}

/** Returns the steps from any page to a project. The steps use the search. */
export function openProject(project: Project): PlanStep[] {
  return [enter("Search Forge", project.path), click("link", `${ownerName(seeded(), project)} / ${project.name}`)];
}

/** Returns a step that clicks a link in the sidebar of a project. The link's text may end with a count. */
export function section(name: string): PlanStep {
  return click("link", new RegExp(`^${name}(?: ?\\d+)?$`), "navigation 'Project'");
}

/**
 * Returns a step that clicks a tab whose name ends with a count.
 *
 * @param after text that precedes the tab, to distinguish several tabs of the same name
 */
export function tab(name: string, after = "main ''"): PlanStep {
  return click("link", new RegExp(`^${name} ?\\d+$`), after);
}

export function issuesOf(project: Project): Issue[] {
  return seeded().issues.filter((issue) => issue.project === project.id);
}

export function mergesOf(project: Project): MergeRequest[] {
  return seeded().merges.filter((merge) => merge.project === project.id);
}

export function mainOf(project: Project): Branch {
  return branchAt(seeded(), project, project.branch) as Branch;
}

export function userOf(id: number): User {
  return seeded().users.need(id);
}

export function peopleOf(project: Project): User[] {
  return membersOf(seeded(), project).map(({ user }: Member) => userOf(user));
}

/** Draws a user who has no access to a project yet. */
export function outsider(project: Project, random: Random): User {
  const inside = new Set(peopleOf(project).map(({ id }) => id));
  return random.choice(seeded().users.filter(({ id }) => !inside.has(id)));
}

/**
 * Returns a check of the text at a place on a page. A single text must equal it. For a list, it must contain each text
 * of the list.
 */
export function shows(url: string, selector: string, wanted: string | readonly string[]): Target {
  const required = typeof wanted === "string" ? { exact_match: wanted } : { must_include: wanted };
  return { url, locator: `document.querySelector('${selector}').outerText`, required_contents: required };
}

export function titleIs(url: string, title: string): Target {
  return shows(url, '[data-qa-selector="title_content"]', title);
}

export function role(url: string, username: string, wanted: string): Target {
  const locator = `func:gitlab_get_project_memeber_role(__page__, '${username}')`;
  return { url, locator, required_contents: { exact_match: wanted } };
}

export const roleNames = ["Guest", "Reporter", "Developer", "Maintainer"] as const;

export function invite(person: User, name: string): PlanStep[] {
  return [
    type("Username, name or email address", person.username),
    choose("Select a role", name),
    click("button", "Invite"),
  ];
}

/** Draws an item from a list, or returns undefined if the list is empty. */
export function choiceOf<T>(random: Random, items: readonly T[]): T | undefined {
  return items.length > 0 ? random.choice(items) : undefined;
}
