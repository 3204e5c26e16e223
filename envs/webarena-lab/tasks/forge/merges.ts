/** Tasks in the code forge that open, approve and merge merge requests. */
import { choose, click, type PlanStep, retype, stop, type } from "../../plan.js";
import { capital } from "../../sites/forge/seed/phrases.js";
import type { Target, Template } from "../common/template.js";
import {
  fullPath,
  joinedProjects,
  mergesOf,
  openProject,
  ownProjects,
  peopleOf,
  section,
  seeded,
  shows,
  titleIs,
  urlOf,
} from "./view.js";

const sites = ["gitlab"] as const;

function branchLink(url: string, at: number, wanted: string): Target {
  return {
    url,
    locator: `document.querySelectorAll(".detail-page-description > a.gl-font-monospace")[${at}].outerText`,
    required_contents: { exact_match: wanted },
  };
}

export const openMerge: Template = {
  name: "forge-open-merge-request",
  sites,
  kind: "change",
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
          branchLink(url, 0, source.name),
          branchLink(url, 1, target),
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

export const approveMerge: Template = {
  name: "forge-approve-merge-request",
  sites,
  kind: "change",
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

export const mergeIt: Template = {
  name: "forge-merge",
  sites,
  kind: "change",
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
