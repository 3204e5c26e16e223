/** Rights of users to view and change projects. */
import { grouped } from "./grouping.js";
import { type Group, type Member, type Project, type Role, roles, type User } from "./records.js";
import type { ForgeTables } from "./tables.js";

export function userNamed(forge: ForgeTables, username: string): User | undefined {
  const wanted = username.toLowerCase();
  return forge.users.find((user) => user.username.toLowerCase() === wanted);
}

export function groupAt(forge: ForgeTables, path: string): Group | undefined {
  return forge.groups.find((group) => group.path === path);
}

export function projectAt(forge: ForgeTables, namespace: string, path: string): Project | undefined {
  const [owner, name] = [namespace.toLowerCase(), path.toLowerCase()];
  return forge.projects.find((one) => one.path.toLowerCase() === name && one.namespace.toLowerCase() === owner);
}

export function pathOf({ namespace, path }: Project): string {
  return `/${namespace}/${path}`;
}

export function isLess(one: Role, other: Role): boolean {
  return roles.indexOf(one) < roles.indexOf(other);
}

/** Returns the members of a project and of its group. A member of both has the higher role. */
export function membersOf(forge: ForgeTables, project: Project): Member[] {
  const group = groupAt(forge, project.namespace)?.id;
  const all = forge.members.filter((one) => one.project === project.id || (group !== undefined && one.group === group));
  return [...grouped(all, ({ user }) => user).values()].map((own) =>
    own.reduce((best, one) => (isLess(best.role, one.role) ? one : best)),
  );
}

export function roleOf(forge: ForgeTables, project: Project, user: User | undefined): Role | undefined {
  return user && membersOf(forge, project).find((member) => member.user === user.id)?.role;
}

export function hasRole(forge: ForgeTables, project: Project, user: User | undefined, least: Role): boolean {
  const role = roleOf(forge, project, user);
  return role !== undefined && !isLess(role, least);
}

export function isVisible(forge: ForgeTables, project: Project, user: User | undefined): boolean {
  if (project.visibility === "public") return true;
  if (!user) return false;
  return project.visibility === "internal" || roleOf(forge, project, user) !== undefined;
}

/** Returns the projects that a user may view. */
export function visibleProjects(forge: ForgeTables, user: User | undefined): Project[] {
  const groups = new Map([...forge.groups].map(({ id, path }) => [path, id]));
  const own = forge.members.filter((member) => member.user === user?.id);
  return forge.projects.filter(
    ({ id, namespace, visibility }) =>
      visibility === "public" ||
      (user !== undefined && visibility === "internal") ||
      own.some((member) => member.project === id || member.group === groups.get(namespace)),
  );
}

/** Returns the projects of which a user is a member, directly or through a group. */
export function projectsOf(forge: ForgeTables, user: User): Project[] {
  const groups = new Map([...forge.groups].map(({ id, path }) => [path, id]));
  const own = forge.members.filter((member) => member.user === user.id);
  const ids = new Set(own.map(({ project }) => project));
  const groupIds = new Set(own.map(({ group }) => group).filter(Boolean));
  return forge.projects.filter(({ id, namespace }) => ids.has(id) || groupIds.has(groups.get(namespace) ?? 0));
}

/** Returns the name of the user or the group that owns a project. */
export function ownerName(forge: ForgeTables, { namespace }: Project): string {
  return userNamed(forge, namespace)?.name ?? groupAt(forge, namespace)?.name ?? namespace;
}
