/** Seeded issues and comments on issues. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import type { Issue, Label, Member, Milestone, Note, Project } from "../records.js";
import { late, withLate } from "./late.js";
import { type ProjectStub, type Subject, say, saySome, subjectOf } from "./phrases.js";
import { dayOf, stubs } from "./projects.js";

export const kinds = { bug: 42, feature: 27, docs: 11, question: 12, chore: 8 } as const;
type Kind = keyof typeof kinds;
const labelOfKind: Readonly<Record<Kind, number>> = { bug: 0, feature: 1, docs: 2, question: 3, chore: -1 };

export interface Around {
  members: ReadonlyMap<number, readonly Member[]>;
  labels: ReadonlyMap<number, readonly Label[]>;
  milestones: ReadonlyMap<number, readonly Milestone[]>;
  users: number;
}

export function seedIssues(projects: readonly Project[], around: Around): { issues: Issue[]; notes: Note[] } {
  const random = Random.of("forge issues");
  const issues: Issue[] = [];
  const notes: Note[] = [];
  for (const project of projects) {
    const large = [
      "open-lantern",
      "tidewater",
      "saltmarsh",
      "quarry-tools",
      "paperkite",
      "northgate",
      "fieldnote-labs",
    ].includes(project.namespace);
    const count = large ? random.between(16, 52) : random.between(3, 19);
    const titles = new Set<string>();
    const dates = Array.from({ length: count }, () => recent(project.created, random)).sort(
      (one, other) => one - other,
    );
    for (const created of dates) {
      const issue = issueOf(project, created, titles, around, issues.length, random);
      const thread = notesOn(issue, around, notes.length, random);
      issues.push(Object.assign(issue, { updated: thread.at(-1)?.created ?? created }));
      notes.push(...thread);
    }
  }
  return { issues, notes };
}

/** Draws the creation time of an issue. Recent times are more frequent. */
function recent(created: number, random: Random): number {
  const share = Math.sqrt(random.random());
  return Math.floor((created + day + share * (now - created - 3 * day)) / 1000) * 1000;
}

function issueOf(
  project: Project,
  created: number,
  titles: Set<string>,
  around: Around,
  at: number,
  random: Random,
): Issue {
  const kind = random.weighted(kinds);
  const { subject, title } = drawTitle(project, kind, titles, random);
  const members = around.members.get(project.id) ?? [];
  const milestones = around.milestones.get(project.id) ?? [];
  const isOpen = random.random() > Math.min(0.85, (now - created) / (900 * day));
  const hasDue = isOpen && random.chance(0.1);
  const row = {
    id: at + 1,
    project: project.id,
    iid: titles.size,
    title,
    created,
    updated: created,
    state: isOpen ? "opened" : "closed",
    author: random.chance(0.3)
      ? random.choice(members).user
      : random.between(project.namespace === "byteblaze" ? 1 : 2, around.users),
    labels: labelsFor(kind, around.labels.get(project.id) ?? [], random),
    assignees: random.chance(0.35) ? [random.choice(members).user] : [],
    milestone: milestones.length > 0 && random.chance(0.3) ? random.choice(milestones).id : 0,
    due: hasDue ? dayOf(now + random.between(-20, 120) * day) : "",
    upvotes: Math.floor(random.random() ** 6 * 60),
  } satisfies Omit<Issue, "body">;
  return withLate(
    row,
    "body",
    late(`forge issue ${row.id}`, (own) => bodyOf(kind, subject, own)),
  );
}

/** Draws subjects until one gives a title that the project does not have yet. */
function drawTitle(
  project: Project,
  kind: Kind,
  titles: Set<string>,
  random: Random,
): { subject: Subject; title: string } {
  const stub = stubs()[project.id - 1] as ProjectStub;
  for (;;) {
    const subject = subjectOf(stub, random);
    const title = say(kind, subject, random);
    if (titles.has(title)) continue;
    titles.add(title);
    return { subject, title };
  }
}

function bodyOf(kind: Kind, subject: Subject, random: Random): string {
  const sentences = saySome(`${kind}Body`, random.between(2, kind === "bug" ? 5 : 3), subject, random);
  const cut = sentences.length > 2 ? random.between(1, sentences.length - 1) : sentences.length;
  return [sentences.slice(0, cut).join(" "), sentences.slice(cut).join(" ")].filter(Boolean).join("\n\n");
}

function labelsFor(kind: Kind, labels: readonly Label[], random: Random): number[] {
  const own = labels[labelOfKind[kind]];
  const others = labels.slice(4).filter(() => random.chance(0.13));
  return [...(own && random.chance(0.8) ? [own] : []), ...others].map(({ id }) => id);
}

function notesOn(issue: Issue, around: Around, offset: number, random: Random): Note[] {
  const stub = stubs()[issue.project - 1] as ProjectStub;
  const members = (around.members.get(issue.project) ?? []).map(({ user }) => user);
  const part = stub.parts.find((one) => issue.title.toLowerCase().includes(one)) ?? (stub.parts[0] as string);
  const subject = { ...subjectOf(stub, random), part };
  const count = Math.floor(random.random() ** 2.2 * 9);
  let at = issue.created;
  const rows: Note[] = [];
  const add = (author: number, isSystem: boolean, body: () => string) => {
    const id = offset + rows.length + 1;
    rows.push(withLate({ id, issue: issue.id, merge: 0, author, created: at, isSystem }, "body", body));
  };
  const sentences = late(`forge thread ${issue.id}`, (own) => saySome("comment", count * 2, subject, own));
  for (let comment = 0; comment < count; comment++) {
    at += Math.floor(((now - at) * random.random() ** 3) / 2000) * 1000 + 60_000;
    const author = random.choice([
      issue.author,
      random.between(2, around.users),
      ...random.sample(members, Math.min(2, members.length)),
    ]);
    const many = random.between(1, 2);
    add(author, false, () =>
      sentences()
        .slice(comment * 2, comment * 2 + many)
        .join(" "),
    );
  }
  if (issue.state === "closed") {
    at += Math.floor(((now - at) * random.random() ** 2) / 2000) * 1000 + 60_000;
    add(random.choice(members), true, () => "closed");
  }
  return rows.filter(({ created }) => created < now);
}
