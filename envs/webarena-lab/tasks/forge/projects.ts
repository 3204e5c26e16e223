/** Tasks in the code forge that change projects, access rights and profiles. */
import { day, now } from "../../clock.js";
import { click, enter, type PlanStep, retype, stop, type } from "../../plan.js";
import { shownDay } from "../../sites/forge/dates.js";
import type { Project, User } from "../../sites/forge/records.js";
import { branchAt } from "../../sites/forge/repository.js";
import { licenseFile } from "../../sites/forge/seed/files.js";
import type { Target, Template } from "../common/template.js";
import {
  fullPath,
  invite,
  joinedProjects,
  me,
  openProject,
  outsider,
  ownProjects,
  publicProjects,
  role,
  roleNames,
  section,
  seeded,
  shows,
  tab,
  urlOf,
} from "./view.js";

const sites = ["gitlab"] as const;

/** Returns a check of the number of elements on a page. */
function counts(url: string, selector: string, wanted: number): Target {
  return {
    url,
    locator: `document.querySelectorAll(${JSON.stringify(selector)}).length`,
    required_contents: { exact_match: `${wanted}` },
  };
}

function starButton(project: Project, wanted: string): Target {
  return shows(urlOf(project), ".project-head form button", wanted);
}

export const starTop: Template = {
  name: "forge-star-top",
  sites,
  kind: "change",
  intent: "Star the {{count}} projects of the group {{group}} that have the most stars, and no others.",
  draw(random) {
    const group = random.choice([...seeded().groups]);
    const count = random.between(2, 3);
    const ranked = publicProjects()
      .filter(({ namespace }) => namespace === group.path)
      .sort((one, other) => other.stars - one.stars);
    const isStarred = ({ id }: Project) =>
      seeded().stars.find((star) => star.user === 1 && star.project === id) !== undefined;
    const next = ranked[count];
    const before = seeded().stars.filter(({ user }) => user === 1).length;
    const stranger = random.choice(publicProjects().filter(({ namespace }) => namespace !== group.path));
    if (!next || ranked.some(isStarred) || isStarred(stranger)) return undefined;
    const star = (project: Project): PlanStep[] => [...openProject(project), click("button", "Star")];
    const wanted = ranked.slice(0, count);
    return {
      slots: { count, group: group.name },
      evaluation: {
        program_html: [
          ...wanted.map((one) => starButton(one, "Unstar")),
          counts(`__GITLAB__/users/${me().username}/starred`, ".projects > li", before + count),
        ],
      },
      plan: [...wanted.flatMap(star), stop()],
      nearMisses: {
        "one too few": [...wanted.slice(1).flatMap(star), stop()],
        "one too many": [...wanted.flatMap(star), ...star(next), stop()],
        "one of another group": [...wanted.flatMap(star), ...star(stranger), stop()],
      },
    };
  },
};

export const followTwo: Template = {
  name: "forge-follow-two",
  sites,
  kind: "change",
  intent: "Follow {{one}} and {{two}}, and nobody else whom I do not follow yet.",
  draw(random) {
    const followed = new Set(
      seeded()
        .follows.filter(({ follower }) => follower === 1)
        .map((row) => row.followed),
    );
    const strangers = seeded().users.filter(({ id }) => id !== 1 && !followed.has(id));
    const [one, two, wrong] = random.sample(strangers, 3) as [User, User, User];
    const follow = ({ name }: User): PlanStep[] => [
      enter("Search Forge", name),
      tab("Users"),
      click("link", name),
      click("button", "Follow"),
    ];
    const url = `__GITLAB__/users/${me().username}/following`;
    const all = [...seeded().users].map(({ username }) => username);
    if ([one, two].some(({ username }) => all.some((other) => other !== username && other.startsWith(username))))
      return undefined;
    return {
      slots: { one: one.name, two: two.name },
      evaluation: {
        program_html: [
          shows(url, ".user-profile", [`@${one.username}`, `@${two.username}`]),
          {
            url,
            locator: "document.querySelectorAll('.user-profile .tabs .badge')[1].outerText",
            required_contents: { exact_match: `${followed.size + 2}` },
          },
        ],
      },
      plan: [...follow(one), ...follow(two), stop()],
      nearMisses: {
        "one alone": [...follow(one), stop()],
        "somebody else": [...follow(one), ...follow(wrong), stop()],
        "a third one, too": [...follow(one), ...follow(two), ...follow(wrong), stop()],
      },
    };
  },
};

const plans = [
  "Product launch",
  "Spring cleaning",
  "Summer release",
  "Beta testing",
  "Translation week",
  "Security review",
  "Docs sprint",
];

export const addMilestone: Template = {
  name: "forge-add-milestone",
  sites,
  kind: "change",
  intent: 'Create a milestone "{{title}}" in {{project}} that starts on {{start}} and is due on {{due}}.',
  draw(random) {
    const project = random.choice(joinedProjects());
    const title = random.choice(plans);
    const from = now + random.between(3, 200) * day;
    const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
    const [start, due] = [iso(from), iso(from + random.between(14, 90) * day)];
    const last = seeded()
      .milestones.filter((one) => one.project === project.id)
      .map(({ iid }) => iid);
    const url = urlOf(project, `/-/milestones/${Math.max(0, ...last) + 1}`);
    const fill = (first: string, second?: string): PlanStep[] => [
      ...openProject(project),
      section("Milestones"),
      click("link", "New milestone"),
      type("Title", title),
      type("Start Date", first),
      ...(second === undefined ? [] : [type("Due Date", second)]),
    ];
    const send = [click("button", "Create milestone"), stop()];
    return {
      slots: { title, project: fullPath(project), start: shownDay(start), due: shownDay(due) },
      evaluation: {
        program_html: [
          shows(url, "#content-body h1", title),
          shows(url, ".block.start_date", [shownDay(start)]),
          shows(url, ".block.due_date", [shownDay(due)]),
        ],
      },
      plan: [...fill(start, due), ...send],
      nearMisses: { "dates swapped": [...fill(due, start), ...send], "no due date": [...fill(start), ...send] },
    };
  },
};

export const inviteTwo: Template = {
  name: "forge-invite-two",
  sites,
  kind: "change",
  intent: "Give {{one}} and {{two}} access to my project {{project}}, both with the role {{role}}.",
  draw(random) {
    const project = random.choice(ownProjects());
    const [one, two] = [outsider(project, random), outsider(project, random)];
    const [name, wrong] = random.sample(roleNames, 2) as [string, string];
    if (one === two) return undefined;
    const url = urlOf(project, "/-/project_members");
    const go = [...openProject(project), section("Members")];
    return {
      slots: {
        one: `${one.name} (@${one.username})`,
        two: `${two.name} (@${two.username})`,
        project: project.name,
        role: name,
      },
      evaluation: { program_html: [role(url, one.username, name), role(url, two.username, name)] },
      plan: [...go, ...invite(one, name), ...invite(two, name), stop()],
      nearMisses: {
        "one alone": [...go, ...invite(one, name), stop()],
        "another role": [...go, ...invite(one, name), ...invite(two, wrong), stop()],
      },
    };
  },
};

const moods = [
  "Busy",
  "On the train",
  "Writing tests",
  "At the garden",
  "Back on Monday",
  "Reading mail",
  "Fixing the lamp",
];

export const editProfile: Template = {
  name: "forge-edit-profile",
  sites,
  kind: "change",
  intent: 'Set my status message to "{{status}}" and the website on my profile to {{website}}.',
  draw(random) {
    const [status, wrong] = random.sample(moods, 2) as [string, string];
    const website = `${random.choice(["kettle", "egg", "plain", "harbour", "quiet"])}.${random.choice(["tools", "notes", "garden", "works"])}.example`;
    const url = `__GITLAB__/${me().username}`;
    const fill = (text: string): PlanStep[] => [
      click("link", "Edit profile"),
      type("What's your status?", text),
      ...retype("Website url", `https://${website}`),
    ];
    const save = [click("button", "Update profile settings"), stop()];
    return {
      slots: { status, website: `https://${website}` },
      evaluation: {
        program_html: [
          {
            url,
            locator: "document.querySelector('.cover-status').lastChild.textContent",
            required_contents: { exact_match: status },
          },
          shows(url, '.profile-header [itemprop="url"]', website),
        ],
      },
      plan: [...fill(status), ...save],
      nearMisses: { "another status": [...fill(wrong), ...save], "not saved": [...fill(status), stop()] },
    };
  },
};

const licences = [
  "MIT License",
  "Apache License 2.1",
  "ISC License",
  "Zlib License",
  "The Unlicense",
  "Blue Oak Model License 1.0.0",
];

export const replaceFile: Template = {
  name: "forge-replace-licence",
  sites,
  kind: "change",
  intent:
    'Replace the whole content of the licence file of {{project}} on its default branch with the one line "{{line}}".',
  draw(random) {
    const project = random.choice(joinedProjects());
    const [line, wrong] = random.sample(licences, 2) as [string, string];
    const [file, branch] = [licenseFile(project), project.branch as string];
    if (!branchAt(seeded(), project, branch)) return undefined;
    const url = urlOf(project, `/-/raw/${branch}/${file}`);
    const edit = [...openProject(project), click("link", file), click("link", "Edit")];
    const save = [click("button", "Commit changes"), stop()];
    return {
      slots: { project: fullPath(project), line },
      evaluation: {
        program_html: [{ url, locator: "document.body.outerText", required_contents: { exact_match: line } }],
      },
      plan: [...edit, ...retype("File contents", line), ...save],
      nearMisses: {
        "text added to the old one": [...edit, type("File contents", line), ...save],
        "another licence": [...edit, ...retype("File contents", wrong), ...save],
        "not committed": [...edit, ...retype("File contents", line), stop()],
      },
    };
  },
};

const slogans = [
  "Small on purpose",
  "Now with fewer surprises",
  "Kept simple since the first day",
  "For people who read manuals",
  "Looking for new maintainers",
  "Works offline, and quietly",
];

export const describe: Template = {
  name: "forge-describe-project",
  sites,
  kind: "change",
  intent: 'Change the description of my project {{project}} to "{{text}}" and make the project {{visibility}}.',
  draw(random) {
    const project = random.choice(ownProjects());
    const text = random.choice(slogans);
    const visibility = random.choice(
      ["Private", "Internal", "Public"].filter((one) => one.toLowerCase() !== project.visibility),
    );
    const url = urlOf(project);
    const fill = [...openProject(project), section("Settings"), ...retype("Project description (optional)", text)];
    const save = [click("button", "Save changes"), stop()];
    return {
      slots: { project: project.name, text, visibility: visibility.toLowerCase() },
      evaluation: {
        program_html: [
          shows(url, ".home-panel-description-markdown", text),
          {
            url,
            locator: "document.querySelector('.visibility-icon').getAttribute('title')",
            required_contents: { must_include: [`${visibility} -`] },
          },
        ],
      },
      plan: [...fill, click("radio", visibility), ...save],
      nearMisses: {
        "description alone": [...fill, ...save],
        "not saved": [...fill, click("radio", visibility), stop()],
      },
    };
  },
};
