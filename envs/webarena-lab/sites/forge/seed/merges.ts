/** Seeded merge requests, with branches, commits and comments. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { grouped } from "../grouping.js";
import type { Blob, Branch, Commit, MergeRequest, Note, Project } from "../records.js";
import { changed, fileOf, lateBlob } from "./files.js";
import { drawPerson, shaOf, type Team } from "./history.js";
import type { Around } from "./issues.js";
import { late, withLate } from "./late.js";
import { type ProjectStub, type Subject, say, saySome, subjectOf } from "./phrases.js";
import { stubs } from "./projects.js";

export interface Repositories {
  branches: Branch[];
  commits: Commit[];
  blobs: Blob[];
}

const kebab = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** Creates the merge requests. Adds their branches, commits and blobs to the repositories of the projects. */
export function seedMerges(
  projects: readonly Project[],
  around: Around,
  teams: Map<number, Team>,
  repositories: Repositories,
  firstNote: number,
) {
  const random = Random.of("forge merges");
  const maker = new Maker(around, repositories, firstNote, random);
  const byProject = grouped(repositories.commits, (commit) => commit.project);
  for (const project of projects) {
    const team = teams.get(project.id) as Team;
    const mine = byProject.get(project.id) ?? [];
    const past = Math.min(mine.length - 1, random.between(1, team.people.length > 5 ? 8 : 4));
    for (const commit of random.sample(mine.slice(1), past).sort((one, other) => one.id - other.id))
      maker.addPast(project, team, commit);
    const dates = Array.from(
      { length: random.between(0, 4) },
      () => now - random.between(2, 150) * day - random.between(0, 80_000) * 1000,
    );
    for (const date of dates.sort((one, other) => one - other)) maker.addOpen(project, team, date);
    for (let at = random.between(1, 2); at > 0; at--)
      maker.addBranch(project, team, now - random.between(1, 100) * day, subjectOf(stubOf(project), random));
  }
  return { merges: maker.merges, notes: maker.notes };
}

function stubOf(project: Project): ProjectStub {
  return stubs()[project.id - 1] as ProjectStub;
}

class Maker {
  readonly merges: MergeRequest[] = [];
  readonly notes: Note[] = [];
  private readonly counts = new Map<number, number>();
  private readonly taken = new Set<string>();
  private readonly texts: Map<number, () => string>;

  constructor(
    private readonly around: Around,
    private readonly repositories: Repositories,
    private readonly firstNote: number,
    private readonly random: Random,
  ) {
    this.texts = new Map(repositories.blobs.map((blob) => [blob.id, () => blob.text]));
  }

  /** Adds a merge request that is no longer open: most are merged, and a few are closed. */
  addPast(project: Project, team: Team, commit: Commit): void {
    const { random } = this;
    const subject = subjectOf(stubOf(project), random);
    const isMerged = random.chance(0.85);
    const created = commit.date - random.between(1, 9) * 3_600_000;
    this.add(project, team, subject, {
      created,
      author: commit.author,
      state: isMerged ? "merged" : "closed",
      source: nameOf(subject, random),
      commits: [commit.id],
      end: commit.date + random.between(1, 60) * 3_600_000,
    });
  }

  addOpen(project: Project, team: Team, created: number): void {
    const subject = subjectOf(stubOf(project), this.random);
    const first = this.repositories.commits.length;
    const branch = this.addBranch(project, team, created, subject);
    const commits = this.repositories.commits.slice(first);
    this.add(project, team, subject, {
      created: created + 3_600_000,
      author: commits[0]?.author ?? 1,
      state: "opened",
      source: branch.name,
      commits: commits.map(({ id }) => id),
      end: now,
    });
  }

  /** Adds a branch with one to three commits, which change the source file of one part of the project. */
  addBranch(project: Project, team: Team, date: number, subject: Subject): Branch {
    const { random } = this;
    const { branches, commits, blobs } = this.repositories;
    const stub = stubOf(project);
    const base = branches[project.id - 1] as Branch;
    const name = this.freeName(project, subject);
    const path = fileOf(subject.part, stub);
    const author = drawPerson(team, random);
    let before = base.tree[path] as number;
    let text = this.texts.get(before) as () => string;
    for (let at = random.between(1, 3); at > 0; at--) {
      const [earlier, after] = [text, 1_000_000 + blobs.length];
      const blob = lateBlob(after, (own) => changed(earlier(), stub, subject.part, own));
      text = () => blob.text;
      blobs.push(blob);
      const title = say("commit", subject, random);
      const id = commits.length + 1;
      const sha = shaOf(project.path, id, title, date);
      const changes = [{ path, before, after }];
      const own = { id, project: project.id, branches: [name], sha, title, body: "", author };
      commits.push({ ...own, date: date - at * 3_600_000, changes });
      before = after;
    }
    const branch = {
      id: branches.length + 1,
      project: project.id,
      name,
      tree: { ...base.tree, [path]: before },
      from: { branch: base.id, until: date - 4 * 3_600_000, lastId: 1e9 },
    };
    branches.push(branch);
    return branch;
  }

  private freeName(project: Project, subject: Subject): string {
    const first = nameOf(subject, this.random);
    let name = first;
    for (let at = 2; this.taken.has(`${project.id} ${name}`); at++) name = `${first}-${at}`;
    this.taken.add(`${project.id} ${name}`);
    return name;
  }

  private add(
    project: Project,
    team: Team,
    subject: Subject,
    given: Pick<MergeRequest, "created" | "author" | "state" | "source" | "commits"> & { end: number },
  ): void {
    const { random, around } = this;
    const { end, ...own } = given;
    const iid = (this.counts.get(project.id) ?? 0) + 1;
    this.counts.set(project.id, iid);
    const others = team.people.filter((user) => user !== own.author);
    const pick = (share: number) => (others.length > 0 && random.chance(share) ? [random.choice(others)] : []);
    const labels = (around.labels.get(project.id) ?? []).filter(() => random.chance(0.12)).map(({ id }) => id);
    const isDraft = own.state === "opened" && random.chance(0.12);
    const reviewers = pick(0.6);
    const merge: MergeRequest = {
      id: this.merges.length + 1,
      project: project.id,
      iid,
      ...own,
      updated: own.created,
      labels,
      reviewers,
      title: `${isDraft ? "Draft: " : ""}${say("mrTitle", subject, random)}`,
      body: saySome("mrBody", random.between(1, 3), subject, random).join(" "),
      target: project.branch as string,
      assignees: random.chance(0.3) ? [own.author] : pick(0.3),
      milestone: 0,
      upvotes: Math.floor(random.random() ** 5 * 9),
      approvals: own.state === "merged" ? reviewers : [],
    };
    this.merges.push({ ...merge, updated: this.discuss(merge, team, subject, Math.min(end, now - 60_000)) });
  }

  /** @returns the time of the last note in milliseconds */
  private discuss(merge: MergeRequest, team: Team, subject: Subject, end: number): number {
    const { random } = this;
    const sentences = late(`forge review ${merge.id}`, (own) => saySome("review", 12, subject, own));
    let at = merge.created;
    const add = (author: number, isSystem: boolean, body: () => string) => {
      const id = this.firstNote + this.notes.length + 1;
      this.notes.push(withLate({ id, issue: 0, merge: merge.id, author, created: at, isSystem }, "body", body));
    };
    for (let count = Math.floor(random.random() ** 1.6 * 6); count > 0; count--) {
      at += Math.max(1000, Math.floor(((end - at) * random.random() ** 2) / 2000) * 1000);
      const [first, many] = [count * 2, random.between(1, 2)];
      const author = random.choice([merge.author, ...merge.reviewers, random.choice(team.people)]);
      add(author, false, () =>
        sentences()
          .slice(first - 2, first - 2 + many)
          .join(" "),
      );
    }
    if (merge.state === "opened") return at;
    at = Math.max(at + 1000, end);
    add(merge.reviewers[0] ?? merge.author, true, () => merge.state);
    return at;
  }
}

function nameOf({ part, other }: Subject, random: Random): string {
  const [one, two] = [kebab(part), kebab(other)];
  return random.choice([
    `fix-${one}`,
    `feature-${one}`,
    `${one}-cleanup`,
    `${one}-${two}`,
    `rework-${one}`,
    `docs-${one}`,
    `try-${one}`,
    one,
  ]);
}
