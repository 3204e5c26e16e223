/** Tasks on the map about routes between places. */
import { click, stop } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { type Town, towns } from "../../seed/region.js";
import type { KindName } from "../../sites/map/atlas/kinds.js";
import type { Place } from "../../sites/map/atlas/place.js";
import type { Template } from "../common/template.js";
import {
  askWay,
  called,
  distanceOf,
  fillWay,
  isAlone,
  minutesOf,
  modes,
  placesOf,
  shownWay,
  timeOf,
  townPlace,
  travel,
  way,
} from "./steps.js";

const site = { sites: ["map"] } as const;
const goals: readonly KindName[] = ["museum", "station", "hospital", "university", "theatre", "library", "townhall"];

/** Draws two places of a town that are more than 350 meters apart on foot, or returns undefined. */
function pair(random: Random, town: Town): [Place, Place] | undefined {
  const open = goals.flatMap((kind) => placesOf(kind, town)).filter(isAlone);
  const [from, to] = random.sample(open, 2) as [Place, Place];
  return way(from, to, "foot").length > 350 ? [from, to] : undefined;
}

export const mapRouteTemplates: readonly Template[] = [
  {
    ...site,
    name: "map-travel-time",
    kind: "find",
    intent: "How long does it take to go {{mode}} from {{from}} to {{to}}? Answer in the form h:mm.",
    draw(random) {
      const [from, to] = pair(random, random.choice(towns)) ?? [];
      const mode = random.choice(["foot", "bike"] as const);
      if (!from || !to) return undefined;
      const time = timeOf(way(from, to, mode));
      const byCar = timeOf(way(from, to, "car"));
      if (time === byCar) return undefined;
      const asked = askWay(from, to, mode);
      return {
        slots: { mode: travel[mode], from: called(from), to: called(to) },
        evaluation: { reference_answers: { exact_match: time } },
        plan: [...asked, stop(time)],
        nearMisses: {
          "by car": [...askWay(from, to, "car"), stop(byCar)],
          "the distance": [...asked, stop(distanceOf(way(from, to, mode)))],
        },
      };
    },
  },
  {
    ...site,
    name: "map-drive-distance",
    kind: "find",
    intent: "How far is it by car from {{from}} to {{to}}? Answer with the distance as the map gives it, such as 12km.",
    draw(random) {
      const [from, to] = random.sample(towns, 2).map(townPlace) as [Place, Place];
      const route = way(from, to, "car");
      const onFoot = distanceOf(way(from, to, "foot"));
      if (distanceOf(route) === onFoot) return undefined;
      return {
        slots: { from: from.name, to: to.name },
        evaluation: { reference_answers: { exact_match: distanceOf(route) } },
        plan: [...askWay(from, to, "car"), stop(distanceOf(route))],
        nearMisses: {
          "on foot": [...askWay(from, to, "foot"), stop(onFoot)],
          "the time": [...askWay(from, to, "car"), stop(timeOf(route))],
        },
      };
    },
  },
  {
    ...site,
    name: "map-show-route",
    kind: "navigate",
    intent: "Show the way {{mode}} from {{from}} to {{to}} on the map.",
    draw(random) {
      const [from, to] = pair(random, random.choice(towns)) ?? [];
      const mode = random.choice(modes);
      if (!from || !to) return undefined;
      const start = click("link", "Find directions between two points");
      const other = mode === "foot" ? "bike" : "foot";
      return {
        slots: { mode: travel[mode], from: called(from), to: called(to) },
        evaluation: { program_html: shownWay(from, to, mode) },
        plan: [...askWay(from, to, mode), stop()],
        nearMisses: {
          "the other direction": [...askWay(to, from, mode), stop()],
          "another way to travel": [...askWay(from, to, other), stop()],
          "the form not sent": [start, ...fillWay(from, to, mode), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "map-reverse-route",
    kind: "navigate",
    intent:
      "I went from {{from}} to {{to}} {{mode}} and want to go back the same way of travelling. Show the directions for the way back.",
    draw(random) {
      const [from, to] = pair(random, random.choice(towns)) ?? [];
      const mode = random.choice(["bike", "foot"] as const);
      if (!from || !to) return undefined;
      return {
        slots: { mode: travel[mode], from: called(from), to: called(to) },
        evaluation: { program_html: shownWay(to, from, mode) },
        plan: [...askWay(from, to, mode), click("link", "Reverse Directions"), stop()],
        nearMisses: {
          "the way there": [...askWay(from, to, mode), stop()],
          "by car": [...askWay(to, from, "car"), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "map-slower-by",
    kind: "find",
    intent:
      "How many minutes longer does it take by bicycle than by car from {{from}} to {{to}}? Answer with a number.",
    draw(random) {
      const [from, to] = random.sample(towns, 2).map(townPlace) as [Place, Place];
      const [bike, car] = [way(from, to, "bike"), way(from, to, "car")];
      if (car.length > 90_000) return undefined;
      const minutes = minutesOf(bike) - minutesOf(car);
      const asked = [...askWay(from, to, "car"), click("link", "Close"), ...askWay(from, to, "bike")];
      return {
        slots: { from: from.name, to: to.name },
        evaluation: { reference_answers: { exact_match: `${minutes}` } },
        plan: [...asked, stop(`${minutes}`)],
        nearMisses: {
          "the time by bicycle": [...asked, stop(`${minutesOf(bike)}`)],
          "a minute off": [...asked, stop(`${minutes + 1}`)],
        },
      };
    },
  },
  {
    ...site,
    name: "map-two-legs",
    kind: "find",
    intent:
      "I walk from {{first}} to {{second}} and then take a car to {{third}}. How many minutes is that in all? Add the times that the map gives, and answer with a number.",
    draw(random) {
      const [first, second] = pair(random, random.choice(towns)) ?? [];
      if (!first || !second) return undefined;
      const third = townPlace(random.choice(towns.filter((town) => town !== first.town)));
      const walk = minutesOf(way(first, second, "foot"));
      const drive = minutesOf(way(second, third, "car"));
      const asked = [...askWay(first, second, "foot"), click("link", "Close"), ...askWay(second, third, "car")];
      return {
        slots: { first: called(first), second: called(second), third: third.name },
        evaluation: { reference_answers: { exact_match: `${walk + drive}` } },
        plan: [...asked, stop(`${walk + drive}`)],
        nearMisses: {
          "the drive alone": [...asked, stop(`${drive}`)],
          "the walk alone": [...askWay(first, second, "foot"), stop(`${walk}`)],
        },
      };
    },
  },
  {
    ...site,
    name: "map-nearest-on-foot",
    kind: "find",
    intent: "Which {{kind}} of {{town}} is the shortest walk away from {{place}}? Answer with its name.",
    draw(random) {
      const town = random.choice(towns);
      const kind = random.choice(["pharmacy", "museum", "library", "bookshop", "hospital", "cinema"] as const);
      const open = placesOf(kind, town);
      const [place] = pair(random, town) ?? [];
      if (!place || place.kind === kind || open.length < 2 || open.length > 3 || !open.every(isAlone)) return undefined;
      const walks = open.map((one) => ({ one, length: way(place, one, "foot").length }));
      walks.sort((one, other) => one.length - other.length);
      const [best, second] = walks;
      if (!best || !second || second.length < best.length * 1.2 + 60) return undefined;
      const asked = [...askWay(place, best.one, "foot"), click("link", "Close"), ...askWay(place, second.one, "foot")];
      return {
        slots: { kind: kind === "bookshop" ? "book shop" : kind, town: town.name, place: called(place) },
        evaluation: { reference_answers: { exact_match: best.one.name } },
        plan: [...asked, stop(best.one.name)],
        nearMisses: {
          "the second": [...asked, stop(second.one.name)],
          "the distance": [...asked, stop(distanceOf(way(place, best.one, "foot")))],
        },
      };
    },
  },
];
