/** Tasks in which the agent opens a page of the code forge. */
import { choose, click, enter, type PlanStep, stop } from "../../plan.js";
import { pathOf } from "../../sites/forge/access.js";
import { sorted } from "../../sites/forge/discussed.js";
import type { Target, Template } from "../common/template.js";
import {
  fullPath,
  issuesOf,
  me,
  openProject,
  publicProjects,
  section,
  seeded,
  shows,
  tab,
  urlOf,
  userOf,
} from "./view.js";

const sites = ["gitlab"] as const;
const apply = click("button", "Apply filters");

/** Returns a check that the final page lists the issues in the given state. */
function inTab(name: string): Target {
  return { ...shows("last", ".issues-state-filters .active", [name]) };
}

export const issuesByLabel: Template = {
  name: "forge-issues-by-label",
  sites,
  kind: "navigate",
  intent: 'Show me the open issues of {{project}} that have the label "{{label}}".',
  draw(random) {
    const project = random.choice(publicProjects());
    const [label, other] = random.sample(
      seeded().labels.filter((one) => one.project === project.id),
      2,
    );
    if (!label || !other || issuesOf(project).length < 8) return undefined;
    const open = [...openProject(project), section("Issues")];
    const look = [...open, choose("Label", label.name), apply];
    return {
      slots: { project: fullPath(project), label: label.name },
      evaluation: {
        reference_url: urlOf(project, `/-/issues?label_name%5B%5D=${encodeURIComponent(label.name)}`),
        program_html: [inTab("Open")],
      },
      plan: [...look, stop()],
      nearMisses: {
        "another label": [...open, choose("Label", other.name), apply, stop()],
        "filter not applied": [...open, choose("Label", label.name), stop()],
        "closed ones": [...look, tab("Closed"), stop()],
      },
    };
  },
};

const orderNames = {
  updated_asc: "Updated date, oldest first",
  created_asc: "Created date, oldest first",
  title_asc: "Title",
};

export const closedByAuthor: Template = {
  name: "forge-closed-by-author",
  sites,
  kind: "navigate",
  intent: "List the closed issues of {{project}} that {{person}} has opened, sorted by {{order}}.",
  draw(random) {
    const project = random.choice(publicProjects());
    const closed = issuesOf(project).filter(({ state }) => state === "closed");
    if (closed.length < 4) return undefined;
    const author = userOf(random.choice(closed).author);
    const sort = random.choice(["updated_asc", "created_asc", "title_asc"] as const);
    const open = [...openProject(project), section("Issues")];
    const asked = [choose("Author", author.name), choose("Sort by", orderNames[sort]), apply];
    return {
      slots: { project: fullPath(project), person: author.name, order: orderNames[sort].toLowerCase() },
      evaluation: {
        reference_url: urlOf(project, `/-/issues?state=closed&author_username=${author.username}&sort=${sort}`),
        program_html: [inTab("Closed")],
      },
      plan: [...open, tab("Closed"), ...asked, stop()],
      nearMisses: {
        "open ones": [...open, ...asked, stop()],
        "usual order": [...open, tab("Closed"), choose("Author", author.name), apply, stop()],
      },
    };
  },
};

const waiting = { "are assigned to me": "assignee_username", "wait for my review": "reviewer_username" } as const;
const tabsOf = { open: "Open", merged: "Merged", closed: "Closed" } as const;

export const myMergeRequests: Template = {
  name: "forge-my-merge-requests",
  sites,
  kind: "navigate",
  intent: "Open the list of {{state}} merge requests that {{relation}}, over all projects.",
  draw(random) {
    const relation = random.choice(Object.keys(waiting) as (keyof typeof waiting)[]);
    const state = random.choice(["open", "merged", "closed"] as const);
    const name = waiting[relation];
    const isReview = name === "reviewer_username";
    const heading = `heading '${isReview ? "Review" : "Merge"} requests'`;
    const start = [click("link", "Merge requests")];
    const turned = isReview ? [...start, click("link", "Review requests for me")] : start;
    const query = `${name}=${me().username}${state === "open" ? "" : `&state=${state}`}`;
    const other = state === "merged" ? "Closed" : "Merged";
    return {
      slots: { state, relation },
      evaluation: {
        reference_url: `__GITLAB__/dashboard/merge_requests?${query}`,
        program_html: [inTab(tabsOf[state])],
      },
      plan: [...turned, ...(state === "open" ? [] : [tab(tabsOf[state], heading)]), stop()],
      nearMisses: {
        "another state": [...turned, tab(other, heading), stop()],
        "the other list": [
          ...start,
          ...(isReview ? [] : [click("link", "Review requests for me")]),
          tab(tabsOf[state]),
          stop(),
        ],
      },
    };
  },
};

export const todoFrom: Template = {
  name: "forge-todo-from",
  sites,
  kind: "navigate",
  intent: "Open the issue or merge request behind the newest entry of {{person}} in my to-do list.",
  draw(random) {
    const todos = seeded().todos.filter(({ user }) => user === me().id);
    const newest = [...todos].sort((one, other) => other.created - one.created);
    const author = random.choice(todos).author;
    const todo = newest.find((one) => one.author === author);
    const other = newest.find((one) => one.author !== author);
    if (!todo || !other) return undefined;
    const target = ({ issue, merge }: typeof todo) =>
      issue ? seeded().issues.need(issue) : seeded().merges.need(merge);
    const [row, wrong] = [target(todo), target(other)];
    if (newest.some((one) => one !== todo && target(one).title === row.title) || row.title === wrong.title)
      return undefined;
    const project = seeded().projects.need(row.project);
    const place = `${pathOf(project)}/-/${todo.issue ? "issues" : "merge_requests"}/${row.iid}`;
    return {
      slots: { person: userOf(author).name },
      evaluation: {
        reference_url: `__GITLAB__${place}`,
        program_html: [shows("last", '[data-qa-selector="title_content"]', row.title)],
      },
      plan: [click("link", "To-Do List"), click("link", row.title), stop()],
      nearMisses: {
        "another entry": [click("link", "To-Do List"), click("link", wrong.title), stop()],
        "the list alone": [click("link", "To-Do List"), stop()],
      },
    };
  },
};

export const latestWith: Template = {
  name: "forge-latest-updated-with",
  sites,
  kind: "navigate",
  intent:
    'Open the most recently updated issue of {{project}}, open or closed, with the words "{{words}}" in its title.',
  draw(random) {
    const project = random.choice(publicProjects());
    const issues = sorted(issuesOf(project), "updated_desc");
    const words = random
      .choice(project.description.length > 0 && issues.length > 8 ? issues : [undefined])
      ?.title.match(/[a-z]{4,} [a-z]{4,}$/)?.[0];
    if (!words) return undefined;
    const fitting = issues.filter(({ title }) => title.toLowerCase().includes(words));
    const [first, second] = fitting;
    if (!first || !second || first.title === second.title || first.updated === second.updated) return undefined;
    const found = [
      ...openProject(project),
      section("Issues"),
      tab("All"),
      choose("Sort by", "Updated date, newest"),
      enter("Search or filter results", words),
    ];
    return {
      slots: { project: fullPath(project), words },
      evaluation: {
        reference_url: urlOf(project, `/-/issues/${first.iid}`),
        program_html: [shows("last", '[data-qa-selector="title_content"]', first.title)],
      },
      plan: [...found, click("link", first.title), stop()],
      nearMisses: {
        "the one before": [...found, click("link", second.title), stop()],
        "the list alone": [...found, stop()],
      },
    };
  },
};

export const branchCommits: Template = {
  name: "forge-branch-commits",
  sites,
  kind: "navigate",
  intent: "Show me the commits of {{person}} on the branch {{branch}} of {{project}}.",
  draw(random) {
    const project = random.choice(publicProjects());
    const branch = random.choice(
      seeded().branches.filter((one) => one.project === project.id && one.name !== project.branch),
    );
    const commit = random.choice(
      seeded().commits.filter((one) => one.project === project.id && one.branches[0] === branch.name),
    );
    const author = userOf(commit.author);
    const start: PlanStep[] = [...openProject(project), section("Branches"), click("link", branch.name)];
    return {
      slots: { person: author.name, branch: branch.name, project: fullPath(project) },
      evaluation: { reference_url: urlOf(project, `/-/commits/${branch.name}?author=${author.username}`) },
      plan: [...start, click("link", "History"), choose("Author", author.name), click("button", "Apply"), stop()],
      nearMisses: {
        "default branch": [
          ...openProject(project),
          section("Commits"),
          choose("Author", author.name),
          click("button", "Apply"),
          stop(),
        ],
        "everybody's commits": [...start, click("link", "History"), stop()],
      },
    };
  },
};
