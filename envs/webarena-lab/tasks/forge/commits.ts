/** Tasks in the code forge that ask about commits and their authors. */
import { day, now } from "../../clock.js";
import { choose, click, type PlanStep, stop } from "../../plan.js";
import { shownDay } from "../../sites/forge/dates.js";
import type { Commit, Project } from "../../sites/forge/records.js";
import { contributorsOf, logOf } from "../../sites/forge/repository.js";
import type { Template } from "../common/template.js";
import { fullPath, mainOf, openProject, publicProjects, section, seeded, userOf } from "./view.js";

const sites = ["gitlab"] as const;

function logIn(project: Project): Commit[] {
  return logOf(seeded(), mainOf(project));
}

/** Returns the steps that show the commits of one author in a project's log. */
function authorLog(project: Project, name: string): PlanStep[] {
  return [...openProject(project), section("Commits"), choose("Author", name), click("button", "Apply")];
}

export const commitsInRange: Template = {
  name: "forge-commits-in-range",
  sites,
  kind: "find",
  intent:
    "How many commits has {{person}} made to the default branch of {{project}} from {{from}} to {{to}}, both days included? Answer with the number alone.",
  draw(random) {
    const project = random.choice(publicProjects());
    const log = logIn(project);
    const { author } = random.choice(log);
    const own = log.filter((commit) => commit.author === author);
    const start = Math.floor(random.choice(own).date / day) * day - random.between(0, 60) * day;
    const end = Math.min(start + random.between(60, 400) * day, now - day);
    const count = own.filter(({ date }) => date >= start && date < end + day).length;
    if (count < 2 || count > 12 || count === own.length) return undefined;
    const { name } = userOf(author);
    const look = authorLog(project, name);
    return {
      slots: { person: name, project: fullPath(project), from: shownDay(start), to: shownDay(end) },
      evaluation: { reference_answers: { exact_match: `${count}` } },
      plan: [...look, stop(`${count}`)],
      nearMisses: {
        "all commits of the person": [...look, stop(`${own.length}`)],
        "one too few": [...look, stop(`${count - 1}`)],
      },
    };
  },
};

export const busiestInYear: Template = {
  name: "forge-busiest-in-year",
  sites,
  kind: "find",
  intent:
    "Who made the most commits to the default branch of {{project}} in {{year}}? Answer with the full name alone.",
  draw(random) {
    const project = random.choice(publicProjects());
    const year = random.between(2019, 2023);
    const log = logIn(project).filter(({ date }) => new Date(date).getUTCFullYear() === year);
    const counts = new Map<number, number>();
    for (const { author } of log) counts.set(author, (counts.get(author) ?? 0) + 1);
    const ranked = [...counts].sort((one, other) => other[1] - one[1]);
    const [first, second] = ranked;
    if (!first || !second || first[1] === second[1] || first[1] > 12) return undefined;
    const overall = contributorsOf(seeded(), mainOf(project))[0]?.user.id;
    // If the person is also first overall, the list of contributors would reveal the answer.
    if (overall === first[0] && random.chance(0.7)) return undefined;
    const look = [...openProject(project), section("Commits")];
    return {
      slots: { project: fullPath(project), year },
      evaluation: { reference_answers: { exact_match: userOf(first[0]).name } },
      plan: [...look, stop(userOf(first[0]).name)],
      nearMisses: {
        "the second": [...look, stop(userOf(second[0]).name)],
        "the user name": [...look, stop(userOf(first[0]).username)],
      },
    };
  },
};

export const topContributor: Template = {
  name: "forge-top-contributor-email",
  sites,
  kind: "find",
  intent:
    "What is the email address of the person with the most commits to the default branch of {{project}}? Answer with the address alone.",
  draw(random) {
    const project = random.choice(publicProjects());
    const [first, second] = contributorsOf(seeded(), mainOf(project));
    if (!first || !second || first.commits === second.commits) return undefined;
    const look = [...openProject(project), section("Contributors")];
    return {
      slots: { project: fullPath(project) },
      evaluation: { reference_answers: { exact_match: first.user.email } },
      plan: [...look, stop(first.user.email)],
      nearMisses: {
        "the second": [...look, stop(second.user.email)],
        "the user name": [...look, stop(first.user.username)],
      },
    };
  },
};

export const topThree: Template = {
  name: "forge-top-three",
  sites,
  kind: "find",
  intent:
    "Name the three people with the most commits to the default branch of {{project}}, with how many commits each of them made, most commits first. Answer in the form: Jo Doe: 30, Al Roe: 20, Mia Poe: 10",
  draw(random) {
    const project = random.choice(publicProjects());
    const ranked = contributorsOf(seeded(), mainOf(project));
    const [one, two, three, four] = ranked;
    if (!one || !two || !three || !four) return undefined;
    if (one.commits === two.commits || two.commits === three.commits || three.commits === four.commits)
      return undefined;
    const look = [...openProject(project), section("Contributors")];
    const text = (people: typeof ranked) => people.map(({ user, commits }) => `${user.name}: ${commits}`).join(", ");
    const wanted = [one, two, three];
    return {
      slots: { project: fullPath(project) },
      evaluation: { reference_answers: { exact_match: text(wanted) } },
      plan: [...look, stop(text(wanted))],
      nearMisses: {
        "the fourth for the third": [...look, stop(text([one, two, four]))],
        "all contributors": [...look, stop(text(ranked))],
        "names alone": [...look, stop(wanted.map(({ user }) => user.name).join(", "))],
      },
    };
  },
};
