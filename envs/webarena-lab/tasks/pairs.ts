/** Tasks that need both the encyclopedia and the map. */
import { click, enter, goto, stop } from "../plan.js";
import { bridges, clubs } from "../seed/landmarks.js";
import type { Random } from "../seed/random.js";
import { rivers } from "../seed/region.js";
import { fullName, type Place } from "../sites/map/atlas/place.js";
import { search } from "../sites/map/atlas/search.js";
import { seasonPage } from "../sites/wiki/articles/football.js";
import { pageOf } from "../sites/wiki/articles/works.js";
import { companies } from "../sites/wiki/facts/companies.js";
import { seasons } from "../sites/wiki/facts/league.js";
import { people } from "../sites/wiki/facts/people.js";
import { works } from "../sites/wiki/facts/works.js";
import { type Problem, rarelyImpossible, type Template } from "./common/template.js";
import {
  askWay,
  called,
  distanceOf,
  isAlone,
  namedPlace,
  nodeUrl,
  open,
  placesOf,
  shownWay,
  sidebar,
  timeOf,
  townPlace,
  way,
} from "./map/steps.js";
import { look } from "./wiki/steps.js";

const fromWiki = { sites: ["wikipedia", "map"] } as const;
const fromMap = { sites: ["map", "wikipedia"] } as const;
const toMap = goto("http://map.test");
const toWiki = goto("http://wiki.test");

function placeNamed(name: string): Place | undefined {
  return ["museum", "university", "stadium", "bridge"]
    .flatMap((kind) => placesOf(kind as "museum"))
    .find((place) => place.name === name);
}

function phoneInClubTown(random: Random, fits: (place: Place) => boolean): Problem | undefined {
  const club = random.choice(clubs);
  const kind = random.choice(["restaurant", "cafe", "pub", "bakery", "library"] as const);
  const place = random.choice(placesOf(kind, club.town));
  const [hall] = placesOf("townhall", club.town);
  if (!fits(place) || !isAlone(place)) return undefined;
  const phone = place.tags.get("phone");
  const read = [toWiki, ...look(club.name), goto("http://map.test"), ...open(place)];
  return {
    slots: { kind, name: place.name, club: club.name },
    evaluation: {
      reference_answers: { exact_match: phone ?? "N/A" },
      ...(phone === undefined && { string_note: "The map has no telephone number of this place." }),
    },
    plan: [...read, stop(phone ?? "N/A")],
    nearMisses: {
      "the town hall's number": [...read, stop(hall?.tags.get("phone"))],
      "no answer": [...read, stop()],
    },
  };
}

export const pairsTemplates: readonly Template[] = [
  {
    ...fromWiki,
    name: "pair-birth-and-death",
    kind: "find",
    intent:
      "How far is it by car from the town where {{person}} was born to the town where {{person}} died? Answer with the distance as the map gives it, such as 12km.",
    draw(random) {
      const { name, town, deathTown } = random.choice(people().filter(({ died }) => died !== undefined));
      if (!deathTown || deathTown === town) return undefined;
      const [from, to] = [townPlace(town), townPlace(deathTown)];
      const route = way(from, to, "car");
      const read = [...look(name), toMap, ...askWay(from, to, "car")];
      return {
        slots: { person: name },
        evaluation: { reference_answers: { exact_match: distanceOf(route) } },
        plan: [...read, stop(distanceOf(route))],
        nearMisses: {
          "the time": [...read, stop(timeOf(route))],
          "no answer": [...read, stop()],
        },
      };
    },
  },
  {
    ...fromWiki,
    name: "pair-painting-postcode",
    kind: "find",
    intent:
      'I want to send a letter to the museum where the painting "{{painting}}" hangs. What is its postcode on the map?',
    draw(random) {
      const painting = random.choice(works().filter(({ museum }) => museum));
      const place = placeNamed(painting.museum?.name ?? "");
      const code = place?.street?.postcode;
      const other = random.choice(placesOf("museum")).street?.postcode;
      if (!place || !code || !other || other === code) return undefined;
      const read = [...look(pageOf(painting)), toMap, ...open(place)];
      return {
        slots: { painting: painting.title },
        evaluation: { reference_answers: { exact_match: code } },
        plan: [...read, stop(code)],
        nearMisses: {
          "another museum": [...read, stop(other)],
          "the first part": [...look(pageOf(painting)), stop(code.split(" ")[0])],
        },
      };
    },
  },
  {
    ...fromWiki,
    name: "pair-university-page",
    kind: "navigate",
    intent: "Open the map's page on the university at which {{person}} studied.",
    draw(random) {
      const { name, university } = random.choice(people().filter(({ profession }) => profession === "scientist"));
      const place = placeNamed(university?.name ?? "");
      const other = random.choice(placesOf("university"));
      if (!place || !university || other === place) return undefined;
      return {
        slots: { person: name },
        evaluation: { reference_url: nodeUrl(place) },
        plan: [...look(name), toMap, ...open(place), stop()],
        nearMisses: {
          "another university": [...look(name), toMap, ...open(other), stop()],
          "its article": [...look(name), click("link", university.name), stop()],
        },
      };
    },
  },
  {
    ...fromMap,
    name: "pair-champions-stadium",
    kind: "navigate",
    intent:
      "Show the way by car from {{start}} to the stadium of the club that won the {{season}} season of the Haldane Football League.",
    draw(random) {
      const season = random.choice(seasons());
      const [champion, second] = season.table;
      const goal = placeNamed(champion?.club.stadium ?? "");
      const wrong = placeNamed(second?.club.stadium ?? "");
      const start = namedPlace(random, ["station"]);
      if (!goal || !wrong || !champion) return undefined;
      const read = [toWiki, ...look(seasonPage(season)), click("link", champion.club.name), goto("http://map.test")];
      return {
        slots: { start: start.name, season: season.name },
        evaluation: { program_html: shownWay(start, goal, "car") },
        plan: [...read, ...askWay(start, goal, "car"), stop()],
        nearMisses: {
          "the runners-up": [...read, ...askWay(start, wrong, "car"), stop()],
          "on foot": [...read, ...askWay(start, goal, "foot"), stop()],
        },
      };
    },
  },
  {
    ...fromWiki,
    name: "pair-founder-town-hall",
    kind: "find",
    intent:
      "What is the telephone number of the town hall of the town where the founder of {{company}} was born? Answer with the number as the map gives it.",
    draw(random) {
      const { name, founder, town } = random.choice(companies());
      const [hall] = placesOf("townhall", founder.town);
      const [other] = placesOf("townhall", town);
      const [phone, wrong] = [hall?.tags.get("phone"), other?.tags.get("phone")];
      if (!hall || !phone || !wrong || phone === wrong) return undefined;
      const read = [...look(name), click("link", founder.name), toMap, ...open(hall)];
      return {
        slots: { company: name },
        evaluation: { reference_answers: { exact_match: phone } },
        plan: [...read, stop(phone)],
        nearMisses: {
          "the company's own town": [...look(name), stop(wrong)],
          "the founder": [...read, stop(founder.name)],
        },
      };
    },
  },
  {
    ...fromMap,
    name: "pair-club-town-phone",
    kind: "find",
    intent:
      "Look up on the map the telephone number of the {{kind}} called {{name}} in the home town of the football club {{club}}. Answer with the number as the map gives it, or with N/A if it gives none.",
    draw: rarelyImpossible(
      (random) => phoneInClubTown(random, (place) => !place.tags.has("phone")),
      (random) => phoneInClubTown(random, (place) => place.tags.has("phone")),
    ),
  },
  {
    ...fromMap,
    name: "pair-hotels-near-bridge",
    kind: "navigate",
    intent: "List the {{kind}} near the {{which}} bridge over the River {{river}} on the map.",
    draw(random) {
      const { name: river } = random.choice(rivers);
      const which = random.choice(["oldest", "newest", "longest"]);
      const kind = random.choice(["hotels", "cafes", "restaurants"]);
      const key = which === "longest" ? "length" : "opened";
      const own = bridges.filter((bridge) => bridge.river === river).sort((one, other) => one[key] - other[key]);
      if (which !== "oldest") own.reverse();
      const [first, last] = [placeNamed(own[0]?.name ?? ""), placeNamed(own.at(-1)?.name ?? "")];
      if (!first || !last || first.town === last.town) return undefined;
      const hits = search(`${kind} near ${called(first)}`).slice(0, 4);
      const read = [toWiki, ...look("List of bridges in Haldane"), goto("http://map.test")];
      return {
        slots: { kind, which, river },
        evaluation: {
          program_html: [{ ...sidebar, required_contents: { must_include: hits.map(({ name }) => name) } }],
        },
        plan: [...read, enter("Search", `${kind} near ${called(first)}`), stop()],
        nearMisses: {
          "another bridge": [...read, enter("Search", `${kind} near ${called(last)}`), stop()],
          "the bridge itself": [...read, enter("Search", called(first)), click("link", fullName(first)), stop()],
        },
      };
    },
  },
];
