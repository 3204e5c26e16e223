/** Tasks on the map that search for places in a town or near a place. */
import { click, enter, type PlanStep, stop } from "../../plan.js";
import { towns } from "../../seed/region.js";
import { atlas } from "../../sites/map/atlas/atlas.js";
import type { KindName } from "../../sites/map/atlas/kinds.js";
import { wayName } from "../../sites/map/atlas/place.js";
import { search } from "../../sites/map/atlas/search.js";
import { listed, type Template } from "../common/template.js";
import { called, isAlone, namedPlace, open, placesOf, sidebar } from "./steps.js";

const site = { sites: ["map"] } as const;

/** Kinds of places, with the plural noun of each kind. */
const plurals = [
  ["restaurant", "restaurants"],
  ["cafe", "cafes"],
  ["pub", "pubs"],
  ["hotel", "hotels"],
  ["bakery", "bakeries"],
  ["school", "schools"],
] as const satisfies readonly (readonly [KindName, string])[];

export const mapSearchTemplates: readonly Template[] = [
  {
    ...site,
    name: "map-count-in-town",
    kind: "find",
    intent: "How many {{kind}} does the map show in {{town}}? Answer with a number.",
    draw(random) {
      const town = random.choice(towns);
      const [kind, plural] = random.choice(plurals);
      const count = placesOf(kind, town).length;
      if (count < 4 || count > 34 || count % 10 === 0) return undefined;
      const list: PlanStep[] = [enter("Search", `${plural} in ${town.name}`)];
      const pages = Array.from({ length: Math.floor(count / 10) }, () => click("link", "More results"));
      return {
        slots: { kind: plural, town: town.name },
        evaluation: { reference_answers: { exact_match: `${count}` } },
        plan: [...list, ...pages, stop(`${count}`)],
        nearMisses: {
          "one too many": [...list, ...pages, stop(`${count + 1}`)],
          "one page less": [...list, stop(`${count > 10 ? count - 10 : count - 1}`)],
        },
      };
    },
  },
  {
    ...site,
    name: "map-list-near",
    kind: "navigate",
    intent: "List the {{kind}} near {{place}} on the map.",
    draw(random) {
      const place = namedPlace(random, ["station", "museum", "university", "hospital", "stadium"]);
      const [kind, plural] = random.choice(plurals);
      const hits = search(`${plural} near ${called(place)}`).slice(0, 5);
      const first = placesOf(kind, place.town)[0];
      if (hits.length < 5 || !first || !isAlone(place)) return undefined;
      const other = namedPlace(random, ["station"]);
      if (other.town === place.town) return undefined;
      return {
        slots: { kind: plural, place: called(place) },
        evaluation: {
          program_html: [{ ...sidebar, required_contents: { must_include: hits.map(({ name }) => name) } }],
        },
        plan: [enter("Search", `${plural} near ${called(place)}`), stop()],
        nearMisses: {
          "the place itself": [...open(place), stop()],
          "another place": [enter("Search", `${plural} near ${called(other)}`), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "map-open-street",
    kind: "navigate",
    intent: "Open the map's page on the street {{street}} in {{town}}.",
    draw(random) {
      const street = random.choice(atlas().network.ways.filter(({ town }) => town));
      const { name, town, id } = street;
      if (!town) return undefined;
      const other = random.choice(atlas().network.ways.filter((way) => way.town === town && way !== street));
      const find = (one: string) => enter("Search", `${one}, ${town.name}`);
      return {
        slots: { street: name, town: town.name },
        evaluation: { reference_url: `__MAP__/way/${id}` },
        plan: [find(name), click("link", wayName(street)), stop()],
        nearMisses: {
          "another street": [find(other.name), click("link", wayName(other)), stop()],
          "stopping at the results": [find(name), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "map-most-stars",
    kind: "find",
    intent: "Which hotel in {{town}} has the most stars, according to the map? Answer with its name.",
    draw(random) {
      const town = random.choice(towns);
      const hotels = placesOf("hotel", town);
      const stars = (hotel: (typeof hotels)[number]) => Number(hotel.tags.get("stars"));
      const [best, second] = [...hotels].sort((one, other) => stars(other) - stars(one));
      if (!best || !second || hotels.length > 5 || stars(best) === stars(second)) return undefined;
      const list = enter("Search", `hotels in ${town.name}`);
      const reading = hotels.flatMap((hotel) => open(hotel));
      return {
        slots: { town: town.name },
        evaluation: { reference_answers: { exact_match: best.name } },
        plan: [...reading, stop(best.name)],
        nearMisses: {
          "the second": [list, stop(second.name)],
          "the number of stars": [...open(best), stop(`${stars(best)}`)],
        },
      };
    },
  },
  {
    ...site,
    name: "map-cuisine",
    kind: "find",
    intent:
      "Name the {{cuisine}} restaurants in {{town}}. Answer with all of their names, in alphabetical order and separated by commas.",
    draw(random) {
      const town = random.choice(towns);
      const cuisine = random.choice([
        "italian",
        "indian",
        "seafood",
        "french",
        "japanese",
        "mexican",
        "turkish",
        "chinese",
      ]);
      const own = placesOf("restaurant", town).filter(({ tags }) => tags.get("cuisine") === cuisine);
      if (own.length < 2 || own.length > 5) return undefined;
      const found = search(`${cuisine} restaurants in ${town.name}`);
      if (found.length !== own.length) return undefined;
      const names = own.map(({ name }) => name);
      const list = enter("Search", `${cuisine} restaurants in ${town.name}`);
      return {
        slots: {
          cuisine: cuisine === "seafood" ? cuisine : cuisine.replace(/^./, (letter) => letter.toUpperCase()),
          town: town.name,
        },
        evaluation: { reference_answers: { exact_match: listed(names) } },
        plan: [list, stop(listed(names))],
        nearMisses: {
          "one left out": [list, stop(listed(names.slice(1)))],
          "all restaurants": [list, stop(listed(placesOf("restaurant", town).map(({ name }) => name)))],
          "the town": [list, stop(town.name)],
        },
      };
    },
  },
];
