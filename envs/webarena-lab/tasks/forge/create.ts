/** Tasks in the code forge that create a project, a fork or a group. */
import { click, type PlanStep, retype, stop, type } from "../../plan.js";
import { groupAt } from "../../sites/forge/access.js";
import { slugOf } from "../../sites/forge/creation.js";
import type { User } from "../../sites/forge/records.js";
import type { Template } from "../common/template.js";
import { fullPath, invite, me, openProject, publicProjects, role, roleNames, section, seeded, shows } from "./view.js";

const sites = ["gitlab"] as const;

const newNames = [
  "planner",
  "reading_group",
  "web_index",
  "tide_tables",
  "kitchen-bot",
  "agent_notes",
  "harbour-maps",
  "choir-scores",
  "meter-reader",
];

export const privateProject: Template = {
  name: "forge-private-project",
  sites,
  kind: "change",
  intent:
    "Start a new private project {{name}} with a README under my account, and invite {{person}} to it as {{role}}.",
  draw(random) {
    const name = random.choice(newNames);
    const person = random.choice(seeded().users.filter(({ id }) => id !== 1));
    const [wanted, wrong] = random.sample(roleNames, 2) as [string, string];
    const url = `__GITLAB__/${me().username}/${slugOf(name)}`;
    const create = (visibility: string): PlanStep[] => [
      click("link", "New project"),
      type("Project name", name),
      click("radio", visibility),
      click("button", "Create project"),
      section("Members"),
    ];
    return {
      slots: { name, person: `${person.name} (@${person.username})`, role: wanted },
      evaluation: {
        program_html: [
          {
            url,
            locator: "document.querySelector('.visibility-icon').getAttribute('title')",
            required_contents: { must_include: ["Private"] },
          },
          { url: `${url}/-/commits`, locator: "", required_contents: { must_include: ["Initial commit"] } },
          role(`${url}/-/project_members`, person.username, wanted),
        ],
      },
      plan: [...create("Private"), ...invite(person, wanted), stop()],
      nearMisses: {
        public: [...create("Public"), ...invite(person, wanted), stop()],
        "another role": [...create("Private"), ...invite(person, wrong), stop()],
        "nobody invited": [...create("Private"), stop()],
      },
    };
  },
};

export const forkAs: Template = {
  name: "forge-fork-as",
  sites,
  kind: "change",
  intent: "Fork {{project}} into my own account under the name {{name}}.",
  draw(random) {
    const project = random.choice(publicProjects().filter(({ namespace }) => namespace !== me().username));
    const name = `${random.choice(["my", "spare", "try"])}-${project.path}`;
    const url = `__GITLAB__/${me().username}/${name}`;
    const go = [...openProject(project), click("link", "Fork")];
    const owner =
      seeded().users.find(({ username }) => username === project.namespace)?.username ??
      groupAt(seeded(), project.namespace)?.path;
    return {
      slots: { project: fullPath(project), name },
      evaluation: { program_html: [shows(url, ".project-head", [name, `Forked from ${owner} / ${project.name}`])] },
      plan: [...go, ...retype("Project name", name), click("button", "Fork project"), stop()],
      nearMisses: {
        "not renamed": [...go, click("button", "Fork project"), stop()],
        "a new project": [
          click("link", "New project"),
          type("Project name", name),
          click("button", "Create project"),
          stop(),
        ],
      },
    };
  },
};

const groupNames = ["n-lab", "tide-watch", "slow-web", "kerb-club", "type-night", "open-choir"];

export const newGroup: Template = {
  name: "forge-new-group",
  sites,
  kind: "change",
  intent: "Create a group {{name}} and add {{one}} and {{two}} to it as {{role}}s.",
  draw(random) {
    const name = random.choice(groupNames);
    const [one, two] = random.sample(
      seeded().users.filter(({ id }) => id !== 1),
      2,
    ) as [User, User];
    const wanted = random.choice(["Reporter", "Developer", "Maintainer"] as const);
    const url = `__GITLAB__/groups/${name}/-/group_members`;
    const create: PlanStep[] = [
      click("link", "Groups"),
      click("link", "New group"),
      type("Group name", name),
      click("button", "Create group"),
      click("link", "Members"),
    ];
    return {
      slots: {
        name,
        one: `${one.name} (@${one.username})`,
        two: `${two.name} (@${two.username})`,
        role: wanted.toLowerCase(),
      },
      evaluation: { program_html: [role(url, one.username, wanted), role(url, two.username, wanted)] },
      plan: [...create, ...invite(one, wanted), ...invite(two, wanted), stop()],
      nearMisses: {
        "one alone": [...create, ...invite(one, wanted), stop()],
        guests: [...create, ...invite(one, "Guest"), ...invite(two, "Guest"), stop()],
      },
    };
  },
};
