/** Tasks in the code forge that create and change issues. */
import { day, now } from "../../clock.js";
import { choose, click, enter, type PlanStep, stop, type } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { shownDay } from "../../sites/forge/dates.js";
import type { Issue, Project } from "../../sites/forge/records.js";
import { stubs } from "../../sites/forge/seed/projects.js";
import type { Template } from "../common/template.js";
import {
  fullPath,
  issuesOf,
  joinedProjects,
  openProject,
  peopleOf,
  section,
  seeded,
  shows,
  titleIs,
  urlOf,
} from "./view.js";

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

/** Draws a title for a new issue. No seeded issue has this title. */
function newTitle(project: Project, random: Random): string {
  const { parts } = stubs()[project.id - 1] ?? { parts: ["README"] };
  return `${random.choice(problems)} in the ${random.choice(parts)}`;
}

function futureDay(random: Random): string {
  return new Date(now + random.between(10, 400) * day).toISOString().slice(0, 10);
}

export const createIssue: Template = {
  name: "forge-create-issue",
  sites,
  kind: "change",
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

/** Draws an open issue. No other open issue of the project contains its title. */
function openIssue(projects: readonly Project[], random: Random): { project: Project; issue: Issue } | undefined {
  const project = random.choice(projects);
  const open = issuesOf(project).filter(({ state }) => state === "opened");
  const issue = open.length > 1 ? random.choice(open) : undefined;
  if (!issue || open.some((one) => one !== issue && one.title.includes(issue.title))) return undefined;
  return { project, issue };
}

/** Returns the steps from any page to an issue. The steps search the issues of the project. */
function toIssue(project: Project, { title }: Issue): PlanStep[] {
  const words = title.replace(/[^\w .,-]+/g, " ").replace(/ +/g, " ");
  return [...openProject(project), section("Issues"), enter("Search or filter results", words), click("link", title)];
}

export const planIssue: Template = {
  name: "forge-plan-issue",
  sites,
  kind: "change",
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

export const closeIssue: Template = {
  name: "forge-comment-and-close",
  sites,
  kind: "change",
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
