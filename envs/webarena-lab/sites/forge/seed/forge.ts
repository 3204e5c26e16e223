/** All seeded records of the code forge. */
import { grouped } from "../grouping.js";
import type { Issue, Member, MergeRequest, Todo } from "../records.js";
import { seedFiles } from "./files.js";
import { seedHistory, teamsOf } from "./history.js";
import { seedIssues } from "./issues.js";
import { seedMerges } from "./merges.js";
import { seedFollows, seedUsers } from "./people.js";
import { seedGroups, seedLabels, seedMembers, seedMilestones, seedProjects, seedStars } from "./projects.js";

export function seedForge() {
  const users = seedUsers();
  const groups = seedGroups();
  const projects = seedProjects(users);
  const members = seedMembers(users, groups, projects);
  const groupIds = new Map(groups.map(({ path, id }) => [path, id]));
  const [labels, milestones] = [seedLabels(projects), seedMilestones(projects)];
  const around = {
    members: new Map(projects.map(({ id, namespace }) => [id, membersOf(id, groupIds.get(namespace) ?? -1, members)])),
    labels: grouped(labels, ({ project }) => project),
    milestones: grouped(milestones, ({ project }) => project),
    users: users.length,
  };
  const { blobs, trees } = seedFiles(projects);
  const teams = teamsOf(projects, members, groupIds);
  const { branches, commits } = seedHistory(projects, trees, teams);
  const { issues, notes } = seedIssues(projects, around);
  const { merges, notes: reviews } = seedMerges(projects, around, teams, { branches, commits, blobs }, notes.length);
  return {
    users,
    groups,
    projects,
    members,
    labels,
    milestones,
    issues,
    merges,
    blobs,
    branches,
    commits,
    follows: seedFollows(users),
    stars: seedStars(users, projects),
    notes: [...notes, ...reviews],
    todos: todosOf(issues, merges),
  };
}

function membersOf(project: number, group: number, members: readonly Member[]): Member[] {
  const own = members.filter((member) => member.project === project || member.group === group);
  return own.filter(({ user }, at) => own.findIndex((other) => other.user === user) === at);
}

/** Returns the to-do items of the agent's account, byteblaze. */
function todosOf(issues: readonly Issue[], merges: readonly MergeRequest[]): Todo[] {
  const assigned = issues.filter(({ state, assignees }) => state === "opened" && assignees.includes(1)).slice(-9);
  const reviewed = merges.filter(({ state, reviewers }) => state === "opened" && reviewers.includes(1));
  const given = [
    ...assigned.map(({ id, author, updated }) => ({
      issue: id,
      merge: 0,
      author,
      created: updated,
      action: "assigned" as const,
    })),
    ...reviewed.map(({ id, author, updated }) => ({
      issue: 0,
      merge: id,
      author,
      created: updated,
      action: "review_requested" as const,
    })),
  ];
  return given.map((todo, at) => ({ id: at + 1, user: 1, state: "pending", ...todo }));
}
