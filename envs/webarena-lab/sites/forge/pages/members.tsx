/** Pages of the members of projects and groups. */
import type { Hono } from "hono";
import type { FC } from "hono/jsx";
import { now } from "../../../clock.js";
import type { SiteEnv } from "../../site.js";
import { groupAt, hasRole, membersOf, pathOf, userNamed } from "../access.js";
import { type Answer, anyone, forbidden, goOn, inProject, loggedIn, notFound, onProject, page } from "../answers.js";
import { Avatar, Field, Select, Time } from "../parts.js";
import { type Group, type Member, type Role, roles } from "../records.js";
import { formOf, numberIn, type OwnProjectVisit, type OwnVisit, type ProjectVisit, type Visit } from "../visit.js";
import { ProjectList, sortedProjects } from "./project-list.js";

const roleChoices = roles.map((role) => ({ value: role, text: role }));

export function roleFrom(text: string): Role {
  return roles.find((role) => role === text) ?? "Guest";
}

const InviteForm: FC<{ action: string }> = ({ action }) => (
  <form method="post" action={action} class="filters invite">
    <h2>Invite members</h2>
    <Field name="user" label="Username, name or email address" />
    <Select name="role" label="Select a role" choices={roleChoices} value="Guest" />
    <button type="submit" class="primary">
      Invite
    </button>
  </form>
);

const MemberTable: FC<{ visit: Visit; members: readonly Member[]; place: string; canManage: boolean }> = (facts) => {
  const { visit, members, place, canManage } = facts;
  return (
    <table class="members" aria-label="Members">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Source</th>
          <th scope="col">Max role</th>
          <th scope="col">Access granted</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => {
          const user = visit.forge.users.need(member.user);
          return (
            <tr>
              <td data-label="Account">
                <Avatar user={user} />
                <a href={`/${user.username}`}>{user.name}</a>{" "}
                <span class="gl-avatar-labeled-sublabel">{`@${user.username}`}</span>
              </td>
              <td>{member.group ? visit.forge.groups.need(member.group).name : "Direct member"}</td>
              <td class="col-max-role">
                <span>{member.role}</span>
              </td>
              <td>
                <Time at={member.since} />
              </td>
              <td>
                {canManage && member.role !== "Owner" && (
                  <a href={`${place}/${member.id}/edit`} aria-label={`Change role of ${user.name}`}>
                    Change role
                  </a>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

function projectMembers(visit: ProjectVisit, alert?: string): Answer {
  const { forge, project, user } = visit;
  const place = `${pathOf(project)}/-/project_members`;
  const canManage = hasRole(forge, project, user, "Maintainer");
  const members = membersOf(forge, project);
  return page(
    visit,
    { title: "Members", project, section: "Members", alert, status: alert ? 422 : 200 },
    <>
      <h1>Project members</h1>
      <p class="muted">{`${members.length} people have access to ${project.name}.`}</p>
      {canManage && <InviteForm action={place} />}
      <MemberTable visit={visit} members={members} place={place} canManage={canManage} />
    </>,
  );
}

/** Adds a member to a project or a group, or returns an error. */
async function invite(visit: OwnVisit, place: Pick<Member, "project" | "group">, members: readonly Member[]) {
  const { forge } = visit;
  const field = await formOf(visit);
  const name = field("user").replace(/^@/, "");
  const known =
    userNamed(forge, name) ??
    onlyOne(forge.users.filter((one) => one.email === name || one.name.toLowerCase() === name.toLowerCase()));
  if (!known) return `No user was found for "${name}"`;
  if (members.some(({ user }) => user === known.id)) return `${known.name} is already a member`;
  forge.members.insert({ ...place, user: known.id, role: roleFrom(field("role")), since: now });
  return undefined;
}

function onlyOne<T>(rows: readonly T[]): T | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}

async function inviteToProject(visit: OwnProjectVisit): Promise<Response> {
  const { forge, project } = visit;
  const alert = await invite(visit, { project: project.id, group: 0 }, membersOf(forge, project));
  return alert ? projectMembers(visit, alert) : goOn(visit, `${pathOf(project)}/-/project_members`);
}

function memberIn(visit: OwnProjectVisit): Member | undefined {
  const member = visit.forge.members.get(numberIn(visit, "id"));
  return member?.project === visit.project.id && member.role !== "Owner" ? member : undefined;
}

function memberForm(visit: OwnProjectVisit): Answer {
  const { forge, project } = visit;
  const member = memberIn(visit);
  if (!member) return notFound(visit);
  const user = forge.users.need(member.user);
  const place = `${pathOf(project)}/-/project_members/${member.id}`;
  return page(
    visit,
    { title: `Role of ${user.name}`, project, section: "Members" },
    <>
      <h1>{`Role of ${user.name}`}</h1>
      <form method="post" action={place} class="card">
        <Select name="role" label="Select a role" choices={roleChoices} value={member.role} />
        <button type="submit" class="primary">
          Save changes
        </button>
      </form>
      <form method="post" action={`${place}/remove`}>
        <button type="submit" class="danger">
          Remove member
        </button>
      </form>
    </>,
  );
}

async function saveMember(visit: OwnProjectVisit): Promise<Response> {
  const member = memberIn(visit);
  if (!member) return notFound(visit);
  visit.forge.members.update(member.id, { role: roleFrom((await formOf(visit))("role")) });
  return goOn(visit, `${pathOf(visit.project)}/-/project_members`);
}

function removeMember(visit: OwnProjectVisit): Answer {
  const member = memberIn(visit);
  if (!member) return notFound(visit);
  visit.forge.members.remove(member.id);
  return goOn(visit, `${pathOf(visit.project)}/-/project_members`);
}

function groupsPage(visit: Visit): Answer {
  const { forge, user } = visit;
  const own = new Set(
    forge.members.filter((one) => one.user === user?.id && one.group !== 0).map(({ group }) => group),
  );
  const groups = forge.groups.filter(({ id, visibility }) => visibility === "public" || own.has(id));
  return page(
    visit,
    { title: "Groups" },
    <>
      <div class="page-head">
        <h1>Groups</h1>
        {user && (
          <a class="button primary" href="/groups/new">
            New group
          </a>
        )}
      </div>
      <ul class="rows">
        {groups.map(({ path, name, description }) => (
          <li>
            <div class="grow">
              <h3>
                <a href={`/${path}`}>{name}</a>
              </h3>
              <p>{description}</p>
            </div>
          </li>
        ))}
      </ul>
    </>,
  );
}

export function groupOverview(visit: Visit, group: Group): Answer {
  const { forge, user } = visit;
  const isIn = forge.members.find((one) => one.group === group.id && one.user === user?.id) !== undefined;
  if (group.visibility === "private" && !isIn) return notFound(visit);
  const projects = forge.projects.filter(
    ({ namespace, visibility }) => namespace === group.path && (visibility === "public" || isIn),
  );
  return page(
    visit,
    { title: group.name },
    <>
      <h1>{group.name}</h1>
      <p>{group.description}</p>
      <p>
        <a href={`/groups/${group.path}/-/group_members`}>Members</a>
      </p>
      <ProjectList visit={visit} projects={sortedProjects(projects, "name_asc")} />
    </>,
  );
}

function groupMembers(visit: Visit, alert?: string): Answer {
  const { forge, user, context } = visit;
  const group = groupAt(forge, context.req.param("group") ?? "");
  if (!group) return notFound(visit);
  const members = forge.members.filter((one) => one.group === group.id);
  const canManage = members.some((one) => one.user === user?.id && one.role === "Owner");
  const place = `/groups/${group.path}/-/group_members`;
  return page(
    visit,
    { title: "Group members", alert, status: alert ? 422 : 200 },
    <>
      <h1>{`Members of ${group.name}`}</h1>
      {canManage && <InviteForm action={place} />}
      <MemberTable visit={visit} members={members} place={place} canManage={false} />
    </>,
  );
}

async function inviteToGroup(visit: OwnVisit): Promise<Response> {
  const { forge, user, context } = visit;
  const group = groupAt(forge, context.req.param("group") ?? "");
  if (!group) return notFound(visit);
  const members = forge.members.filter((one) => one.group === group.id);
  if (!members.some((one) => one.user === user.id && one.role === "Owner")) return forbidden(visit);
  const alert = await invite(visit, { project: 0, group: group.id }, members);
  return alert ? groupMembers(visit, alert) : goOn(visit, `/groups/${group.path}/-/group_members`);
}

export function addMembers(app: Hono<SiteEnv>): void {
  const place = "/:namespace/:project/-/project_members";
  app.get("/explore/groups", anyone(groupsPage));
  app.get("/dashboard/groups", anyone(groupsPage));
  app.get(
    "/groups/:group/-/group_members",
    anyone((visit) => groupMembers(visit)),
  );
  app.post("/groups/:group/-/group_members", loggedIn(inviteToGroup));
  app.get(
    place,
    onProject((visit) => projectMembers(visit)),
  );
  app.post(place, inProject("Maintainer", inviteToProject));
  app.get(`${place}/:id/edit`, inProject("Maintainer", memberForm));
  app.post(`${place}/:id`, inProject("Maintainer", saveMember));
  app.post(`${place}/:id/remove`, inProject("Maintainer", removeMember));
}
