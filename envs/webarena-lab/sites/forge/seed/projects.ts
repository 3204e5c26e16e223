/** Creates the groups and projects, with their members, stars, labels and milestones. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import type { Group, Label, Member, Milestone, Project, Role, Star, User } from "../records.js";
import { type ProjectStub, readData, say, subjectOf } from "./phrases.js";

let stubsKnown: readonly ProjectStub[] | undefined;

export function stubs(): readonly ProjectStub[] {
  stubsKnown ??= readData<ProjectStub[]>("projects");
  return stubsKnown;
}

const groupFacts: readonly (readonly [path: string, name: string, description: string])[] = [
  ["tidewater", "Tidewater", "Storage and network services that stay small."],
  ["open-lantern", "Open Lantern", "Design and documentation that everyone can use."],
  ["northgate", "Northgate", "Software for public transport and cycling."],
  ["fieldnote-labs", "Fieldnote Labs", "Tools for field research."],
  ["quarry-tools", "Quarry Tools", "Builds that explain themselves."],
  ["saltmarsh", "Saltmarsh", "A web framework and its parts."],
  ["paperkite", "Paperkite", "For people who write long texts."],
];

export function seedGroups(): Group[] {
  return groupFacts.map(([path, name, description], at) => ({
    id: at + 1,
    path,
    name,
    description,
    visibility: "public",
    created: Date.UTC(2016 + (at % 4), at, 3 + at, 9),
  }));
}

export function seedProjects(users: readonly User[]): Project[] {
  const random = Random.of("forge projects");
  const owners = random.sample(users.slice(1), stubs().length);
  return stubs().map(({ owner, path, description, language, topics }, at) => {
    const namespace = owner === "?" ? (owners[at] as User).username : owner;
    const created = now - random.between(420, 2500) * day - random.between(0, 86_000) * 1000;
    const isGroup = groupFacts.some(([name]) => name === owner);
    const isPrivate = owner === "byteblaze" && random.chance(0.2);
    return {
      id: at + 1,
      namespace,
      path,
      name: path,
      description,
      language,
      topics,
      created,
      updated: created,
      visibility: isPrivate ? "private" : "public",
      branch: random.chance(0.25) ? "master" : "main",
      stars: Math.floor((isGroup ? 90 : owner === "?" ? 25 : 3) * Math.exp(random.random() * 4.4)),
      forks: random.between(0, 40),
    };
  });
}

export function seedMembers(users: readonly User[], groups: readonly Group[], projects: readonly Project[]): Member[] {
  const random = Random.of("forge members");
  const members: Member[] = [];
  const add = (place: { project: number; group: number }, user: number, role: Role, from: number) => {
    const since = from + Math.floor(random.random() * (now - from - 30 * day));
    members.push({ id: members.length + 1, ...place, user, role, since: role === "Owner" ? from : since });
  };
  for (const { id: group, created } of groups) {
    const [owner, ...others] = random.sample(users.slice(1), random.between(4, 7));
    add({ project: 0, group }, (owner as User).id, "Owner", created);
    for (const { id } of others)
      add({ project: 0, group }, id, random.choice(["Maintainer", "Developer", "Developer"]), created);
  }
  for (const { id: project, namespace, created } of projects) {
    const owner = users.find(({ username }) => username === namespace);
    if (owner) add({ project, group: 0 }, owner.id, "Owner", created);
    const isGroup = owner === undefined;
    const rest = users.filter(({ id }) => id !== owner?.id && id !== 1);
    for (const { id } of random.sample(rest, random.between(isGroup ? 3 : 2, isGroup ? 8 : 5)))
      add(
        { project, group: 0 },
        id,
        random.choice(["Guest", "Reporter", "Developer", "Developer", "Maintainer"]),
        created,
      );
    if (owner?.id !== 1 && random.chance(isGroup ? 0.5 : 0.12)) add({ project, group: 0 }, 1, "Developer", created);
  }
  return members;
}

export function seedStars(users: readonly User[], projects: readonly Project[]): Star[] {
  const random = Random.of("forge stars");
  return users.flatMap(({ id: user }) => {
    const liked = random.sample(projects, user === 1 ? 7 : random.between(0, 8));
    return liked.map(({ id: project }) => ({ id: user * 100 + project, project, user }));
  });
}

const labelSets: readonly (readonly (readonly [name: string, color: string, description: string])[])[] = [
  [
    ["bug", "#d9534f", "It does not do what it should"],
    ["enhancement", "#428bca", "It could do more"],
    ["documentation", "#5cb85c", "Texts and examples"],
    ["question", "#8e44ad", "Somebody asks for advice"],
    ["good first issue", "#7057ff", "Fit for newcomers"],
    ["help wanted", "#008672", "Nobody has the time for it"],
    ["performance", "#f0ad4e", "Speed and memory"],
    ["wontfix", "#7f8c8d", "It will stay as it is"],
    ["blocked", "#34495e", "It waits for something else"],
  ],
  [
    ["type: bug", "#c0392b", "Something is broken"],
    ["type: feature", "#2980b9", "Something new"],
    ["type: docs", "#27ae60", "Words"],
    ["type: support", "#8e44ad", "Questions of users"],
    ["newcomers", "#16a085", "A place to start"],
    ["needs help", "#d35400", "Helping hands are welcome"],
    ["priority: high", "#e74c3c", "Next"],
    ["priority: low", "#95a5a6", "Some day"],
    ["flaky-test", "#f39c12", "Fails from time to time"],
  ],
  [
    ["BUG", "#b60205", "Wrong behaviour"],
    ["feature request", "#1d76db", "A wish"],
    ["docs", "#0e8a16", "Handbook and comments"],
    ["how-to", "#5319e7", "Use of it"],
    ["easy", "#c5def5", "An hour or less"],
    ["please take", "#006b75", "Free to take"],
    ["accessibility", "#fbca04", "Keyboard, contrast, screen readers"],
    ["security", "#000000", "Safety of data"],
  ],
];

/** Creates the labels of the projects. The first labels of each project name kinds of issues. */
export function seedLabels(projects: readonly Project[]): Label[] {
  const random = Random.of("forge labels");
  return projects.flatMap(({ id: project, namespace }) => {
    const set = labelSets[namespace === "byteblaze" ? 0 : random.between(0, labelSets.length - 1)] ?? [];
    const kept = set.filter((_, at) => at < 6 || random.chance(0.7));
    return kept.map(([name, color, description], at) => ({ id: project * 20 + at, project, name, color, description }));
  });
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function seedMilestones(projects: readonly Project[]): Milestone[] {
  const random = Random.of("forge milestones");
  const rows: Milestone[] = [];
  for (const { id: project } of projects) {
    const stub = stubs()[project - 1] as ProjectStub;
    const count = random.between(0, 4);
    for (let iid = 1; iid <= count; iid++) {
      const start = now - (count - iid) * 90 * day - random.between(0, 40) * day;
      const due = start + random.between(30, 100) * day;
      const title = random.choice([
        `${iid}.0`,
        `v0.${iid * 2}`,
        `Milestone ${iid}`,
        `${new Date(due).getUTCFullYear()} Q${Math.floor(new Date(due).getUTCMonth() / 3) + 1}`,
      ]);
      const description = say("milestoneNote", subjectOf(stub, random), random);
      if (rows.some((row) => row.project === project && row.title === title)) continue;
      rows.push({
        id: rows.length + 1,
        project,
        iid,
        title,
        description,
        start: dayOf(start),
        due: dayOf(due),
        state: due < now ? "closed" : "active",
      });
    }
  }
  return rows;
}
