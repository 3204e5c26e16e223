/** Tasks in the code forge that change issues and merge requests. */
import { day, now } from "../clock.js";
import { choose, click, enter, type PlanStep, retype, stop, type } from "../plan.js";
import type { Random } from "../seed/random.js";
import { shownDay } from "../sites/forge/dates.js";
import type { Issue, Project } from "../sites/forge/records.js";
import { capital } from "../sites/forge/seed/phrases.js";
import { stubs } from "../sites/forge/seed/projects.js";
import {
  fullPath,
  issuesOf,
  joinedProjects,
  mergesOf,
  openProject,
  ownProjects,
  peopleOf,
  section,
  seeded,
  shows,
  type Target,
  urlOf,
} from "./forge-view.js";
import type { Template } from "./template.js";

const sites = ["gitlab"] as const;

const problems = [
  "401 bad gateway",
  "Blank page",
  "Wrong order",
  "Connection refused",
  "Slow start",
  "Missing translation",
  "Broken link",
  "Garbled output",
];

/** A title that no seeded issue has. */
function newTitle(project: Project, random: Random): string {
  const { parts } = stubs()[project.id - 1] ?? { parts: ["README"] };
  return `${random.choice(problems)} in the ${random.choice(parts)}`;
}

function futureDay(random: Random): string {
  return new Date(now + random.between(10, 400) * day).toISOString().slice(0, 10);
}

function titleIs(url: string, title: string): Target {
  return shows(url, '[data-qa-selector="title_content"]', title);
}

const createIssue: Template = {
  ...{ name: "forge-create-issue", sites, kind: "change" },
  intent:
    'Create an issue in {{project}} with the title "{{title}}". Assign it to {{person}}, give it the label "{{label}}", and let it be due on {{day}}.',
  draw(random) {
    const project = random.choice(joinedProjects());
    const [person, other] = random.sample(peopleOf(project), 2);
    const [label, wrong] = random.sample(
      seeded().labels.filter((one) => one.project === project.id),
      2,
    );
    if (!person || !other || !label || !wrong) return undefined;
    const [title, due] = [newTitle(project, random), futureDay(random)];
    const url = urlOf(project, `/-/issues/${issuesOf(project).length + 1}`);
    const fill = (name: string, tag: string): PlanStep[] => [
      ...openProject(project),
      section("Issues"),
      click("link", "New issue"),
      type("Title (required)", title),
      choose("Assignee", name),
      click("checkbox", tag),
      type("Due date", due),
    ];
    const send = [click("button", "Create issue"), stop()];
    return {
      slots: { project: fullPath(project), title, person: person.name, label: label.name, day: shownDay(due) },
      evaluation: {
        program_html: [
          titleIs(url, title),
          shows(url, ".block.assignee .value", [person.name]),
          shows(url, ".block.labels .value", label.name),
          shows(url, '[data-testid="sidebar-due-date"]', [shownDay(due)]),
        ],
      },
      plan: [...fill(person.name, label.name), ...send],
      nearMisses: {
        "somebody else": [...fill(other.name, label.name), ...send],
        "another label": [...fill(person.name, wrong.name), ...send],
        "never sent": [...fill(person.name, label.name), stop()],
      },
    };
  },
};

/** An open issue whose title no other one of its project has. */
function openIssue(projects: readonly Project[], random: Random): { project: Project; issue: Issue } | undefined {
  const project = random.choice(projects);
  const open = issuesOf(project).filter(({ state }) => state === "opened");
  const issue = open.length > 1 ? random.choice(open) : undefined;
  if (!issue || open.some((one) => one !== issue && one.title.includes(issue.title))) return undefined;
  return { project, issue };
}

/** From any page to an issue, by the search of its project. */
function toIssue(project: Project, { title }: Issue): PlanStep[] {
  const words = title.replace(/[^\w .,-]+/g, " ").replace(/ +/g, " ");
  return [...openProject(project), section("Issues"), enter("Search or filter results", words), click("link", title)];
}

const planIssue: Template = {
  ...{ name: "forge-plan-issue", sites, kind: "change" },
  intent: 'Assign the issue "{{title}}" of {{project}} to {{person}} and set its due date to {{day}}.',
  draw(random) {
    const found = openIssue(joinedProjects(), random);
    if (!found) return undefined;
    const { project, issue } = found;
    const [person, other] = random.sample(
      peopleOf(project).filter(({ id }) => !issue.assignees.includes(id)),
      2,
    );
    if (!person || !other || issue.due !== "") return undefined;
    const due = futureDay(random);
    const url = urlOf(project, `/-/issues/${issue.iid}`);
    const change = (name: string): PlanStep[] => [
      ...toIssue(project, issue),
      click("link", "Edit assignee"),
      choose("Assignee", name),
      type("Due date", due),
    ];
    const save = [click("button", "Save changes"), stop()];
    return {
      slots: { title: issue.title, project: fullPath(project), person: person.name, day: shownDay(due) },
      evaluation: {
        program_html: [
          titleIs(url, issue.title),
          shows(url, ".block.assignee .value", [person.name]),
          shows(url, '[data-testid="sidebar-due-date"]', [shownDay(due)]),
        ],
      },
      plan: [...change(person.name), ...save],
      nearMisses: { "somebody else": [...change(other.name), ...save], "not saved": [...change(person.name), stop()] },
    };
  },
};

const remarks = [
  "Fixed by the last release, thank you for the report.",
  "We will not do this, sorry. The reasons are in the handbook.",
  "I could not reproduce this, so I close it for now.",
  "Moved to the new planning board.",
  "Please open a new issue if this comes back.",
  "Superseded by the work on the next version.",
];

const closeIssue: Template = {
  ...{ name: "forge-comment-and-close", sites, kind: "change" },
  intent: 'Write the comment "{{text}}" under the issue "{{title}}" of {{project}}, and then close the issue.',
  draw(random) {
    const found = openIssue(joinedProjects(), random);
    if (!found) return undefined;
    const { project, issue } = found;
    const other = issuesOf(project).find(
      ({ state, id, title }) => state === "opened" && id !== issue.id && !title.includes(issue.title),
    );
    if (!other) return undefined;
    const text = random.choice(remarks);
    const url = urlOf(project, `/-/issues/${issue.iid}`);
    const write = (one: Issue): PlanStep[] => [
      ...toIssue(project, one),
      type("Comment", text),
      click("button", "Comment"),
    ];
    const close = [click("button", "Close issue"), stop()];
    return {
      slots: { text, title: issue.title, project: fullPath(project) },
      evaluation: {
        program_html: [
          titleIs(url, issue.title),
          shows(url, ".status-box", "Closed"),
          shows(url, "#notes-list", [text]),
        ],
      },
      plan: [...write(issue), ...close],
      nearMisses: {
        "left open": [...write(issue), stop()],
        "closed without a word": [...toIssue(project, issue), ...close],
        "another issue": [...write(other), ...close],
      },
    };
  },
};

const openMerge: Template = {
  ...{ name: "forge-open-merge-request", sites, kind: "change" },
  intent:
    'Open a merge request in {{project}} from the branch {{source}} into {{target}}, with the title "{{title}}" and {{person}} as its reviewer.',
  draw(random) {
    const project = random.choice(joinedProjects());
    const branches = seeded().branches.filter((one) => one.project === project.id && one.name !== project.branch);
    const [source, other] = random.sample(branches, Math.min(2, branches.length));
    const [person, wrong] = random.sample(peopleOf(project), 2);
    if (!source || !other || !person || !wrong) return undefined;
    const isTaken = mergesOf(project).some((one) => one.source === source.name && one.state === "opened");
    const isBegun = branches.some(({ name }) => name !== source.name && name.startsWith(source.name));
    if (isTaken || isBegun) return undefined;
    const target = random.chance(0.4) ? other.name : (project.branch as string);
    const title = `${capital(source.name.replaceAll("-", " "))} for the next release`;
    const url = urlOf(project, `/-/merge_requests/${mergesOf(project).length + 1}`);
    const link = (at: number, wanted: string): Target => ({
      url,
      locator: `document.querySelectorAll(".detail-page-description > a.gl-font-monospace")[${at}].outerText`,
      required_contents: { exact_match: wanted },
    });
    const fill = (reviewer: string | undefined): PlanStep[] => [
      ...openProject(project),
      section("Merge requests"),
      click("link", "New merge request"),
      choose("Source branch", source.name),
      choose("Target branch", target),
      click("button", "Compare branches and continue"),
      ...retype("Title (required)", title),
      ...(reviewer === undefined ? [] : [choose("Reviewer", reviewer)]),
    ];
    const send = [click("button", "Create merge request"), stop()];
    return {
      slots: { project: fullPath(project), source: source.name, target, title, person: person.name },
      evaluation: {
        program_html: [
          titleIs(url, title),
          link(0, source.name),
          link(1, target),
          shows(url, ".block.reviewer .value", [person.name]),
        ],
      },
      plan: [...fill(person.name), ...send],
      nearMisses: {
        "no reviewer": [...fill(undefined), ...send],
        "somebody else": [...fill(wrong.name), ...send],
        "never sent": [...fill(person.name), stop()],
      },
    };
  },
};

const thanks = [
  "Thanks, this reads well.",
  "Looks good to me.",
  "Nice work, ready from my side.",
  "Good change, thank you.",
  "I tried it, all fine.",
];

const approveMerge: Template = {
  ...{ name: "forge-approve-merge-request", sites, kind: "change" },
  intent: 'Approve the merge request "{{title}}" of {{project}} and leave the comment "{{text}}" there.',
  draw(random) {
    const project = random.choice(joinedProjects());
    const open = mergesOf(project).filter(({ state }) => state === "opened");
    const merge = open.length > 0 ? random.choice(open) : undefined;
    if (!merge || open.filter(({ title }) => title === merge.title).length > 1) return undefined;
    const text = random.choice(thanks);
    const url = urlOf(project, `/-/merge_requests/${merge.iid}`);
    const go = [...openProject(project), section("Merge requests"), click("link", merge.title)];
    const approve = [click("button", "Approve")];
    const write = [type("Comment", text), click("button", "Comment")];
    return {
      slots: { title: merge.title, project: fullPath(project), text },
      evaluation: {
        program_html: [shows(url, ".approvals", ["Byte Blaze"]), shows(url, "#notes-list", [text])],
      },
      plan: [...go, ...approve, ...write, stop()],
      nearMisses: { "comment alone": [...go, ...write, stop()], "approval alone": [...go, ...approve, stop()] },
    };
  },
};

const mergeIt: Template = {
  ...{ name: "forge-merge", sites, kind: "change" },
  intent: "Merge the open merge request of my project {{project}} that comes from the branch {{source}}.",
  draw(random) {
    const project = random.choice(ownProjects());
    const open = mergesOf(project).filter(({ state, title }) => state === "opened" && !title.startsWith("Draft:"));
    const merge = open.length > 0 ? random.choice(open) : undefined;
    if (!merge || open.filter(({ title }) => title === merge.title).length > 1) return undefined;
    const url = urlOf(project, `/-/merge_requests/${merge.iid}`);
    const go = [...openProject(project), section("Merge requests"), click("link", merge.title)];
    return {
      slots: { project: project.name, source: merge.source },
      evaluation: { program_html: [shows(url, ".status-box", "Merged")] },
      plan: [...go, click("button", "Merge"), stop()],
      nearMisses: {
        "approved instead": [...go, click("button", "Approve"), stop()],
        "closed instead": [...go, click("button", "Close merge request"), stop()],
      },
    };
  },
};

export const changeTemplates: readonly Template[] = [
  createIssue,
  planIssue,
  closeIssue,
  openMerge,
  approveMerge,
  mergeIt,
];
