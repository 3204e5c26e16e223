/** Tasks in the encyclopedia about towns, mountains, bridges and football. */
import { click, stop } from "../../plan.js";
import { bridges, clubs } from "../../seed/landmarks.js";
import type { Random } from "../../seed/random.js";
import { rivers, towns } from "../../seed/region.js";
import { seasonPage } from "../../sites/wiki/articles/football.js";
import { districtNames } from "../../sites/wiki/articles/towns.js";
import { relief } from "../../sites/wiki/data.js";
import { seasons } from "../../sites/wiki/facts/league.js";
import { people } from "../../sites/wiki/facts/people.js";
import { type Problem, rarelyImpossible, type Template } from "../common/template.js";
import { addressOf, look, searchField } from "./steps.js";

const site = { sites: ["wikipedia"] } as const;
const places = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

function toldSeason(random: Random): Problem | undefined {
  const season = random.choice(seasons());
  const [champion, second] = season.table;
  if (!champion || !second) return undefined;
  const read = look(seasonPage(season));
  return {
    slots: { season: season.name },
    evaluation: { reference_answers: { exact_match: champion.club.name } },
    plan: [...read, stop(champion.club.name)],
    nearMisses: { "the runners-up": [...read, stop(second.club.name)], "not found": [...read, stop("N/A")] },
  };
}

function untoldSeason(random: Random): Problem {
  const year = random.between(1984, 2009);
  const [champion] = seasons()[0]?.table ?? [];
  const read = [...look("Haldane Football League")];
  return {
    slots: { season: `${year}–${`${year + 1}`.slice(2)}` },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: "The encyclopedia tells of no season before 2010–11.",
    },
    plan: [...read, stop("N/A")],
    nearMisses: {
      "the first champions that are listed": [...read, stop(champion?.club.name)],
      "a guess": [stop(random.choice(clubs).name)],
    },
  };
}

export const wikiPlaceTemplates: readonly Template[] = [
  {
    ...site,
    name: "wiki-district-rank",
    kind: "find",
    intent: "Which town of the district of {{district}} has the {{rank}} largest population? Answer with its name.",
    draw(random) {
      const district = random.choice(districtNames());
      const own = towns.filter((town) => town.district === district);
      own.sort((one, other) => other.inhabitants - one.inhabitants);
      const at = random.between(1, own.length - 1);
      const [town, other] = [own[at], own[at - 1]];
      if (!town || !other) return undefined;
      return {
        slots: { district, rank: places[at - 1] as string },
        evaluation: { reference_answers: { exact_match: town.name } },
        plan: [...look(district), stop(town.name)],
        nearMisses: {
          "the next larger": [...look(district), stop(other.name)],
          "no answer": [...look(district), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-height-difference",
    kind: "find",
    intent: "By how many metres is {{higher}} higher than {{lower}}? Answer with the number alone.",
    draw(random) {
      const [[name, height], [otherName, otherHeight]] = random.sample(relief.mountains, 2) as [
        (typeof relief.mountains)[number],
        (typeof relief.mountains)[number],
      ];
      if (height <= otherHeight || height - otherHeight > 999) return undefined;
      const read = [...look(name), ...look(otherName)];
      return {
        slots: { higher: name, lower: otherName },
        evaluation: { reference_answers: { exact_match: `${height - otherHeight}` } },
        plan: [...read, stop(`${height - otherHeight}`)],
        nearMisses: {
          "the height alone": [...look(name), stop(`${height}`)],
          "ten metres off": [...read, stop(`${height - otherHeight + 10}`)],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-season-goals",
    kind: "find",
    intent:
      "How many goals did the club that finished {{place}} in the {{season}} season of the Haldane Football League score? Answer with a number.",
    draw(random) {
      const season = random.choice(seasons());
      const at = random.between(1, 9);
      const [club, next] = [season.table[at], season.table[at + 1]];
      if (!club || !next || club.scored === next.scored || club.scored === club.conceded) return undefined;
      const read = look(seasonPage(season));
      return {
        slots: { place: places[at - 1] as string, season: season.name },
        evaluation: { reference_answers: { exact_match: `${club.scored}` } },
        plan: [...read, stop(`${club.scored}`)],
        nearMisses: {
          "goals against": [...read, stop(`${club.conceded}`)],
          "the next club": [...read, stop(`${next.scored}`)],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-season-winner",
    kind: "find",
    intent:
      "Which club won the {{season}} season of the Haldane Football League? Answer with its name, or with N/A if the encyclopedia does not tell.",
    draw: rarelyImpossible(untoldSeason, toldSeason),
  },
  {
    ...site,
    name: "wiki-bridge-of-river",
    kind: "find",
    intent: "What is the name of the {{which}} bridge over the River {{river}}?",
    draw(random) {
      const { name: river } = random.choice(rivers);
      const which = random.choice(["oldest", "newest", "longest", "shortest"]);
      const key = which.endsWith("est") && /old|new/.test(which) ? "opened" : "length";
      const own = bridges.filter((bridge) => bridge.river === river).sort((one, other) => one[key] - other[key]);
      if (which === "newest" || which === "longest") own.reverse();
      const [bridge, other] = own;
      if (!bridge || !other || bridge[key] === other[key]) return undefined;
      const list = look("List of bridges in Haldane");
      return {
        slots: { which, river },
        evaluation: { reference_answers: { exact_match: bridge.name } },
        plan: [...list, click("link", key === "opened" ? "Opened" : "Length (m)"), stop(bridge.name)],
        nearMisses: {
          "the second one": [...list, stop(other.name)],
          "its town": [...list, stop(bridge.town.name)],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-people-category",
    kind: "navigate",
    intent: "Open the category page with everybody from {{town}} who has an article in the encyclopedia.",
    draw(random) {
      const town = random.choice(towns);
      if (!people().some((person) => person.town === town)) return undefined;
      const category = `People from ${town.name}`;
      return {
        slots: { town: town.name },
        evaluation: { reference_url: addressOf(`Category:${category}`) },
        plan: [click("link", "All categories"), click("link", category), stop()],
        nearMisses: {
          "the town's article": [...look(town.name), stop()],
          "stopping at the list of categories": [click("link", "All categories"), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-club-stadium",
    kind: "find",
    intent:
      "How many spectators does the stadium of the football club with the nickname {{nickname}} hold? Answer with the number as it is written there.",
    draw(random) {
      const club = random.choice(clubs);
      const other = random.choice(clubs.filter((one) => one !== club));
      const read = [...look("Haldane Football League"), click("link", club.name)];
      const capacity = club.capacity.toLocaleString("en-US");
      const nickname = `"${club.nickname}"`;
      return {
        slots: { nickname },
        evaluation: { reference_answers: { exact_match: capacity } },
        plan: [...read, stop(capacity)],
        nearMisses: {
          "another stadium": [...read, stop(other.capacity.toLocaleString("en-US"))],
          "the year of foundation": [...read, stop(`${club.founded}`)],
          "a search without reading": [...look(club.name).slice(0, 1), stop(searchField)],
        },
      };
    },
  },
];
