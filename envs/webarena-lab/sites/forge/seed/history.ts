/** Seeded branches and commits. */
import { createHash } from "node:crypto";
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import type { Branch, Commit, Member, Project } from "../records.js";
import { late, withLate } from "./late.js";
import { type ProjectStub, say, saySome, subjectOf } from "./phrases.js";
import { stubs } from "./projects.js";

export function shaOf(...parts: readonly (string | number)[]): string {
  return createHash("sha1").update(parts.join("\n")).digest("hex");
}

export interface Team {
  /** Ids of a project's contributors, in descending order of commits. */
  people: readonly number[];
  /** Share of the commits of each contributor. */
  weights: readonly number[];
}

/** Returns the team of each project, by project id. */
export function teamsOf(
  projects: readonly Project[],
  members: readonly Member[],
  groupIds: Map<string, number>,
): Map<number, Team> {
  const random = Random.of("forge teams");
  return new Map(
    projects.map(({ id, namespace }) => {
      const group = groupIds.get(namespace) ?? -1;
      const own = members.filter((member) => member.project === id || member.group === group);
      const developers = own.filter(({ role }) => role !== "Guest" && role !== "Reporter").map(({ user }) => user);
      const guests = Array.from({ length: random.between(1, 3) }, () => random.between(2, 150));
      const people = [...new Set([...developers, ...guests])].filter((user) => user !== 0);
      return [id, { people, weights: people.map((_, at) => (1 + random.random()) / (at + 1)) }];
    }),
  );
}

export function drawPerson({ people, weights }: Team, random: Random): number {
  let at = random.random() * weights.reduce((sum, one) => sum + one, 0);
  for (const [index, weight] of weights.entries()) {
    at -= weight;
    if (at < 0) return people[index] as number;
  }
  return people[0] as number;
}

/** Creates the default branch and the commits of each project, and sets the time of the project's last change. */
export function seedHistory(projects: Project[], trees: readonly Record<string, number>[], teams: Map<number, Team>) {
  const random = Random.of("forge history");
  const branches: Branch[] = [];
  const commits: Commit[] = [];
  for (const project of projects) {
    const tree = trees[project.id - 1] as Record<string, number>;
    branches.push({ id: project.id, project: project.id, name: project.branch as string, tree });
    const own = commitsOf(project, tree, teams.get(project.id) as Team, commits.length, random);
    commits.push(...own);
    project.updated = own.at(-1)?.date ?? project.created;
  }
  return { branches, commits };
}

function commitsOf(
  project: Project,
  tree: Record<string, number>,
  team: Team,
  offset: number,
  random: Random,
): Commit[] {
  const stub = stubs()[project.id - 1] as ProjectStub;
  const paths = Object.keys(tree);
  const first = { author: team.people[0] as number, date: project.created + 60_000 };
  const dates = datesOf(project, team, random).sort((one, other) => one.date - other.date);
  return [first, ...dates].map(({ author, date }, at) => {
    const id = offset + at + 1;
    const row = { id, project: project.id, branches: [project.branch as string], author, date };
    const sha = shaOf(project.path, id, date);
    if (at === 0) {
      const changes = paths.map((path) => ({ path, after: tree[path] as number }));
      return { ...row, sha, title: "Initial commit", body: "", changes };
    }
    const subject = subjectOf(stub, random);
    const body = random.chance(0.2) ? saySome("mrBody", 1, subject, random).join(" ") : "";
    const changes = random.sample(paths, random.between(1, Math.min(4, paths.length))).map((path) => ({ path }));
    const title = late(`forge commit ${id}`, (own) => say("commit", subject, own));
    return withLate({ ...row, sha, body, changes }, "title", title);
  });
}

/** Draws the dates and authors of commits. Days with several commits alternate with weeks without commits. */
function datesOf({ created, namespace }: Project, team: Team, random: Random): { author: number; date: number }[] {
  const isLarge =
    !stubs().some(({ owner, path }) => owner === "?" && path === namespace) &&
    /^(tide|open|north|field|quarry|salt|paper)/.test(namespace);
  const wanted = isLarge ? random.between(25, 70) : random.between(8, 30);
  const last = now - Math.floor(random.random() ** 2 * 300) * day - day;
  const found: { author: number; date: number }[] = [];
  while (found.length < wanted) {
    const start = Math.floor((created + day + random.random() * (last - created - day)) / day) * day;
    const author = drawPerson(team, random);
    const many = random.choice([1, 1, 1, 2, 2, 3, 5]);
    let hour = random.between(7, 16);
    for (let at = 0; at < many; at++) {
      found.push({ author, date: start + hour * 3_600_000 + random.between(0, 3599) * 1000 });
      hour += random.between(1, 2);
    }
  }
  return found;
}
