/** Tasks that ask for a fact in the code forge. */
import { choose, click, type PlanStep, stop } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { membersOf } from "../../sites/forge/access.js";
import { shownDay } from "../../sites/forge/dates.js";
import { commentCount, sorted } from "../../sites/forge/discussed.js";
import type { Project } from "../../sites/forge/records.js";
import { textAt } from "../../sites/forge/repository.js";
import { licenseFile } from "../../sites/forge/seed/files.js";
import { listed, type Problem, rarelyImpossible, type Template } from "../common/template.js";
import {
  choiceOf,
  fullPath,
  issuesOf,
  joinedProjects,
  mainOf,
  openProject,
  publicProjects,
  section,
  seeded,
  tab,
  userOf,
} from "./view.js";

const sites = ["gitlab"] as const;

export const oldestWithLabel: Template = {
  name: "forge-oldest-with-label",
  sites,
  kind: "find",
  intent:
    'Who opened the oldest issue of {{project}} that has the label "{{label}}" and is still open? Answer with the full name alone.',
  draw(random) {
    const project = random.choice(publicProjects());
    const label = random.choice(seeded().labels.filter((one) => one.project === project.id));
    const open = sorted(
      issuesOf(project).filter(({ state }) => state === "opened"),
      "created_asc",
    );
    const fitting = open.filter(({ labels }) => labels.includes(label.id));
    const [oldest] = fitting;
    const newest = fitting.at(-1);
    if (!oldest || !newest || newest.author === oldest.author || open[0]?.author === oldest.author) return undefined;
    const look = [
      ...openProject(project),
      section("Issues"),
      choose("Label", label.name),
      choose("Sort by", "Created date, oldest"),
      click("button", "Apply filters"),
    ];
    return {
      slots: { project: fullPath(project), label: label.name },
      evaluation: { reference_answers: { exact_match: userOf(oldest.author).name } },
      plan: [...look, stop(userOf(oldest.author).name)],
      nearMisses: {
        "the newest one": [...look, stop(userOf(newest.author).name)],
        "without the label": [...look, stop(userOf(open[0]?.author as number).name)],
      },
    };
  },
};

function sshOf(path: string): string {
  return `git@forge.test:${path}.git`;
}

export const sshAddress: Template = {
  name: "forge-ssh-address",
  sites,
  kind: "find",
  intent: "Give me the address from which {{owner}}'s project {{project}} can be cloned with SSH, and nothing else.",
  draw(random) {
    const project = random.choice(publicProjects());
    const owner = seeded().users.find(({ username }) => username === project.namespace);
    if (!owner || owner.id === 1) return undefined;
    const look = [...openProject(project), click("DisclosureTriangle", "Clone")];
    return {
      slots: { owner: owner.name, project: project.name },
      evaluation: { reference_answers: { exact_match: sshOf(fullPath(project)) } },
      plan: [...look, stop(sshOf(fullPath(project)))],
      nearMisses: {
        "the HTTP address": [...look, stop(`http://forge.test/${fullPath(project)}.git`)],
        "another owner": [...look, stop(sshOf(`byteblaze/${project.path}`))],
      },
    };
  },
};

export const membersWithRole: Template = {
  name: "forge-members-with-role",
  sites,
  kind: "find",
  intent:
    "Which people have the role {{role}} in the project {{project}}? Answer with their user names, in alphabetical order and separated by commas.",
  draw(random) {
    const project = random.choice(publicProjects());
    const members = membersOf(seeded(), project);
    const role = random.choice(["Developer", "Maintainer", "Reporter"] as const);
    const names = members.filter((one) => one.role === role).map(({ user }) => userOf(user).username);
    if (names.length < 2 || names.length === members.length) return undefined;
    const look = [...openProject(project), section("Members")];
    return {
      slots: { role, project: fullPath(project) },
      evaluation: { reference_answers: { exact_match: listed(names) } },
      plan: [...look, stop(listed(names))],
      nearMisses: {
        "one is missing": [...look, stop(listed(names.slice(1)))],
        "all members": [...look, stop(listed(members.map(({ user }) => userOf(user).username)))],
        "full names": [
          ...look,
          stop(
            members
              .filter((one) => one.role === role)
              .map(({ user }) => userOf(user).name)
              .join(", "),
          ),
        ],
      },
    };
  },
};

export const popularIssue: Template = {
  name: "forge-popular-issue-comments",
  sites,
  kind: "find",
  intent:
    "How many comments does the open issue of {{project}} have that got the most upvotes? Answer with the number alone.",
  draw(random) {
    const project = random.choice(publicProjects());
    const open = issuesOf(project).filter(({ state }) => state === "opened");
    const [first, second] = sorted(open, "popularity");
    if (!first || !second || open.length < 4 || first.upvotes === second.upvotes) return undefined;
    const [count, next] = [commentCount(seeded(), first), commentCount(seeded(), second)];
    if (count === 0 || count === next || count === first.upvotes) return undefined;
    const look = [
      ...openProject(project),
      section("Issues"),
      choose("Sort by", "Popularity"),
      click("button", "Apply filters"),
    ];
    return {
      slots: { project: fullPath(project) },
      evaluation: { reference_answers: { exact_match: `${count}` } },
      plan: [...look, stop(`${count}`)],
      nearMisses: {
        "its upvotes": [...look, stop(`${first.upvotes}`)],
        "the next issue": [...look, stop(`${next}`)],
      },
    };
  },
};

export const mostStars: Template = {
  name: "forge-most-stars",
  sites,
  kind: "find",
  intent:
    "Which of the projects {{one}}, {{two}} and {{three}} has the most stars, and how many? Answer in the form NAME: STARS.",
  draw(random) {
    const projects = random.sample(
      publicProjects().filter(({ namespace }) => namespace !== "byteblaze"),
      3,
    );
    const [best, next] = [...projects].sort((one, other) => other.stars - one.stars) as [Project, Project];
    if (best.stars === next.stars || best.stars > 3 * next.stars) return undefined;
    const [one, two, three] = projects.map(({ name }) => name) as [string, string, string];
    const look = projects.flatMap(openProject);
    return {
      slots: { one, two, three },
      evaluation: { reference_answers: { exact_match: `${best.name}: ${best.stars}` } },
      plan: [...look, stop(`${best.name}: ${best.stars}`)],
      nearMisses: {
        "the runner-up": [...look, stop(`${next.name}: ${next.stars}`)],
        "its forks": [...look, stop(`${best.name}: ${best.forks}`)],
      },
    };
  },
};

/** A day of a milestone: a word for it in the intent, and how to read it. */
type MilestoneDay = "due" | "start";

function milestoneDay(day: MilestoneDay): Template["draw"] {
  return (random) => {
    const project = random.choice(publicProjects());
    const own = seeded().milestones.filter((one) => one.project === project.id);
    const milestone = choiceOf(random, own);
    if (!milestone || milestone.start === milestone.due) return undefined;
    const look = [...openProject(project), section("Milestones"), tab("All"), click("link", milestone.title)];
    const [answer, other] = [shownDay(milestone[day]), shownDay(milestone[day === "due" ? "start" : "due"])];
    return {
      slots: { milestone: milestone.title, project: fullPath(project) },
      evaluation: { reference_answers: { exact_match: answer } },
      plan: [...look, stop(answer)],
      nearMisses: {
        "its other day": [...look, stop(other)],
        "not found": [...openProject(project), section("Milestones"), stop("N/A")],
      },
    };
  };
}

function missingMilestone(day: MilestoneDay): Template["draw"] {
  return (random) => {
    const project = random.choice(publicProjects());
    const all = seeded().milestones;
    const own = all.filter((one) => one.project === project.id);
    const milestone = choiceOf(random, own);
    // Titles of other projects, so that the title does not tell that the milestone is missing.
    const { title } = random.choice([...all]);
    if (!milestone || own.some((one) => one.title === title)) return undefined;
    const look = [...openProject(project), section("Milestones"), tab("All")];
    return {
      slots: { milestone: title, project: fullPath(project) },
      evaluation: {
        reference_answers: { exact_match: "N/A" },
        string_note: `${fullPath(project)} has no milestone with the title ${title}`,
      },
      plan: [...look, stop("N/A")],
      nearMisses: {
        "another milestone": [...look, stop(shownDay(milestone[day]))],
        "no answer": [...look, stop()],
      },
    };
  };
}

export const milestoneDue: Template = {
  name: "forge-milestone-due",
  sites,
  kind: "find",
  intent:
    "When is the milestone {{milestone}} of {{project}} due? Answer with the date as the page shows it, or with N/A if there is no such milestone.",
  draw: rarelyImpossible(missingMilestone("due"), milestoneDay("due")),
};

export const milestoneStart: Template = {
  name: "forge-milestone-start",
  sites,
  kind: "find",
  intent:
    "On which day does the milestone {{milestone}} of {{project}} start? Answer with the date as the page shows it, or with N/A if there is no such milestone.",
  draw: rarelyImpossible(missingMilestone("start"), milestoneDay("start")),
};

export const licence: Template = {
  name: "forge-licence",
  sites,
  kind: "find",
  intent:
    "Under which licence is {{project}} published? Answer with its name as the first line of its licence file has it.",
  draw(random) {
    const project = random.choice(publicProjects());
    const file = licenseFile(project);
    const line = textAt(seeded(), mainOf(project), file)?.split("\n")[0] as string;
    const other = line.startsWith("BSD") ? "Apache License 2.0" : "BSD 2-Clause License";
    const look = [...openProject(project), click("link", file)];
    return {
      slots: { project: fullPath(project) },
      evaluation: { reference_answers: { exact_match: line } },
      plan: [...look, stop(line)],
      nearMisses: { "another licence": [...look, stop(other)], "the file's name": [...look, stop(file)] },
    };
  },
};

const missingNames = [
  "tidemark-python",
  "lantern-fonts",
  "kite-mobile",
  "birdmap",
  "quarry-intellij",
  "saltmarsh-admin",
  "gravel-go",
  "train-bell",
];

function openIssues(random: Random): Problem | undefined {
  const project = random.choice(publicProjects());
  const [all, open] = [issuesOf(project), issuesOf(project).filter(({ state }) => state === "opened")];
  const isAlone = seeded().projects.filter(({ path }) => path === project.path).length === 1;
  if (!isAlone || open.length < 10 || open.length === all.length) return undefined;
  const look = [...openProject(project), section("Issues")];
  return {
    slots: { project: project.path },
    evaluation: { reference_answers: { exact_match: `${open.length}` } },
    plan: [...look, stop(`${open.length}`)],
    nearMisses: { "all issues": [...look, stop(`${all.length}`)], "not found": [...look, stop("N/A")] },
  };
}

function noProject(random: Random): Problem {
  const name = random.choice(missingNames);
  const other = random.choice(joinedProjects());
  const count = issuesOf(other).filter(({ state }) => state === "opened").length;
  const look = [{ ...openProject({ ...other, path: name })[0] } as PlanStep];
  return {
    slots: { project: name },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: `There is no project with the name ${name}`,
    },
    plan: [...look, stop("N/A")],
    nearMisses: { zero: [...look, stop("0")], "another project": [...look, stop(`${count}`)] },
  };
}

export const openIssueCount: Template = {
  name: "forge-open-issue-count",
  sites,
  kind: "find",
  intent:
    "How many open issues does the project {{project}} have? Answer with the number alone, or with N/A if there is no such project.",
  draw: rarelyImpossible(noProject, openIssues),
};
