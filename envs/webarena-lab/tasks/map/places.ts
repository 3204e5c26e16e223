/** Tasks on the map about the address, telephone number, opening hours or position of a place. */
import { click, enter, stop } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { towns } from "../../seed/region.js";
import { names } from "../../sites/map/atlas/data.js";
import type { KindName } from "../../sites/map/atlas/kinds.js";
import { fullName, type Place } from "../../sites/map/atlas/place.js";
import { type Problem, rarelyImpossible, type Template } from "../common/template.js";
import { isAlone, namedPlace, nodeUrl, open, placesOf } from "./steps.js";

const site = { sites: ["map"] } as const;
const called: readonly KindName[] = ["restaurant", "cafe", "hotel", "bakery", "bookshop", "pub", "museum", "library"];

export const mapPlaceTemplates: readonly Template[] = [
  {
    ...site,
    name: "map-postcode",
    kind: "find",
    intent: "What is the postcode of {{place}} in {{town}}?",
    draw(random) {
      const place = namedPlace(random, [
        "university",
        "museum",
        "hospital",
        "theatre",
        "library",
        "stadium",
        "townhall",
      ]);
      const code = place.street?.postcode;
      const other = placesOf("station", place.town)[0]?.street?.postcode;
      if (!code || !other || code === other || !isAlone(place)) return undefined;
      return {
        slots: { place: place.name, town: place.town.name },
        evaluation: { reference_answers: { exact_match: code } },
        plan: [...open(place), stop(code)],
        nearMisses: {
          "another postcode of the town": [...open(place), stop(other)],
          "its first part alone": [...open(place), stop(code.split(" ")[0])],
        },
      };
    },
  },
  {
    ...site,
    name: "map-phone",
    kind: "find",
    intent:
      "I want to call {{place}} in {{town}}. What is the telephone number? Answer with the number as the map gives it.",
    draw(random) {
      const place = namedPlace(random, called);
      const phone = place.tags.get("phone");
      const other = namedPlace(random, called).tags.get("phone");
      if (!phone || !other || phone === other || !isAlone(place)) return undefined;
      return {
        slots: { place: place.name, town: place.town.name },
        evaluation: { reference_answers: { exact_match: phone } },
        plan: [...open(place), stop(phone)],
        nearMisses: {
          "another place's number": [...open(place), stop(other)],
          "the web site": [...open(place), stop(place.tags.get("website") ?? "none")],
        },
      };
    },
  },
  {
    ...site,
    name: "map-phone-or-none",
    kind: "find",
    intent:
      "Look up the telephone number of {{place}} in {{town}} on the map. Answer with the number as the map gives it, or with N/A if it gives none.",
    draw: rarelyImpossible(
      (random) => phoneOf(random, (place) => !place.tags.has("phone")),
      (random) => phoneOf(random, (place) => place.tags.has("phone")),
    ),
  },
  {
    ...site,
    name: "map-closing-time",
    kind: "find",
    intent: "Until what time is {{place}} in {{town}} open on {{day}}? Answer in the form hh:mm.",
    draw(random) {
      const place = namedPlace(random, ["restaurant", "library", "museum", "pub", "cafe", "pharmacy"]);
      const hours = place.tags.get("opening_hours") ?? "";
      const [day, part] = random.choice([
        ["Saturdays", /(?:Tu-Sa|Fr-Sa|Mo-Sa|Sa-Su|Sa) (\d\d:\d\d)-(\d\d:\d\d)/],
        ["Wednesdays", /(?:Tu-Sa|Tu-Fr|Mo-Th|Mo-Fr|Mo-Sa) (\d\d:\d\d)-(\d\d:\d\d)/],
      ] as const);
      const [, from, to] = part.exec(hours) ?? [];
      const others = [...hours.matchAll(/-(\d\d:\d\d)/g)].map(([, time]) => time as string);
      const other = others.find((time) => time !== to);
      if (!from || !to || !other || !isAlone(place)) return undefined;
      return {
        slots: { place: place.name, town: place.town.name, day },
        evaluation: { reference_answers: { exact_match: to } },
        plan: [...open(place), stop(to)],
        nearMisses: {
          "another day": [...open(place), stop(other)],
          "when it opens": [...open(place), stop(from)],
        },
      };
    },
  },
  {
    ...site,
    name: "map-open-place",
    kind: "navigate",
    intent: "Open the map's page on {{place}} at {{address}} in {{town}}.",
    draw(random) {
      const place = namedPlace(random, ["supermarket", "bank", "fuel", "hotel", "restaurant"]);
      const { street, houseNumber, town } = place;
      const other = random.choice(placesOf("supermarket").filter((one) => one !== place));
      if (!street || !isAlone(place)) return undefined;
      return {
        slots: { place: place.name, address: `${houseNumber} ${street.name}`, town: town.name },
        evaluation: { reference_url: nodeUrl(place) },
        plan: [...open(place), stop()],
        nearMisses: {
          "stopping at the results": [...open(place).slice(0, 1), stop()],
          "another place": [...open(other), stop()],
          "its street": [...open(place), ...openStreet(street.name, town.name), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "map-coordinates",
    kind: "find",
    intent:
      "Give the latitude and longitude of {{place}} in {{town}} in decimal degrees, with all decimals of the map. Answer in the form: 12.3456, 65.4321",
    draw(random) {
      const place = namedPlace(random, ["station", "museum", "university", "theatre", "airport", "hospital"]);
      const [lat, lon] = place.at.map((degrees) => `${degrees}`) as [string, string];
      const other = placesOf("townhall", place.town)[0];
      if (!other || !isAlone(place)) return undefined;
      return {
        slots: { place: place.name, town: place.town.name },
        evaluation: { reference_answers: { exact_match: `${lat}, ${lon}` } },
        plan: [...open(place), stop(`${lat}, ${lon}`)],
        nearMisses: {
          "another place of the town": [...open(place), stop(other.at.join(", "))],
          "the latitude alone": [...open(place), stop(lat)],
        },
      };
    },
  },
  {
    ...site,
    name: "map-reverse-lookup",
    kind: "find",
    intent: "What is the name of the {{kind}} at the coordinates {{coordinates}}?",
    draw(random) {
      const [kind, label] = random.choice([
        ["restaurant", "restaurant"],
        ["cafe", "cafe"],
        ["museum", "museum"],
        ["pharmacy", "pharmacy"],
        ["hotel", "hotel"],
      ] as const);
      const place = namedPlace(random, [kind]);
      const other = random.choice(placesOf(kind).filter(({ name }) => name !== place.name));
      const coordinates = place.at.map((degrees) => degrees.toFixed(5)).join(", ");
      const found = [enter("Search", coordinates), click("link", fullName(place))];
      return {
        slots: { kind: label, coordinates },
        evaluation: { reference_answers: { exact_match: place.name } },
        plan: [...found, stop(place.name)],
        nearMisses: {
          "another one": [...found, stop(other.name)],
          "the street": [...found, stop(place.street?.name)],
        },
      };
    },
  },
  {
    ...site,
    name: "map-chain-address",
    kind: "find",
    intent:
      "What is the address of the {{brand}} supermarket in {{town}}? Answer with the house number and the street, as in 12 Long Street, or with N/A if there is none.",
    draw: rarelyImpossible(
      (random) => chainIn(random, false),
      (random) => chainIn(random, true),
    ),
  },
];

function phoneOf(random: Random, fits: (place: Place) => boolean): Problem | undefined {
  const place = namedPlace(random, ["restaurant", "cafe", "pub", "bakery", "library"]);
  const other = placesOf("hotel", place.town)[0]?.tags.get("phone");
  if (!fits(place) || !other || !isAlone(place)) return undefined;
  const phone = place.tags.get("phone");
  return {
    slots: { place: place.name, town: place.town.name },
    evaluation: {
      reference_answers: { exact_match: phone ?? "N/A" },
      ...(phone === undefined && { string_note: "The map has no telephone number of this place." }),
    },
    plan: [...open(place), stop(phone ?? "N/A")],
    nearMisses: {
      "a number of the same town": [...open(place), stop(other)],
      "no answer": [...open(place), stop()],
      ...(phone !== undefined && { "not found": [...open(place), stop("N/A")] }),
    },
  };
}

function chainIn(random: Random, isPresent: boolean): Problem | undefined {
  const town = random.choice(towns);
  const brand = random.choice(names.supermarketBrands);
  const [all, own] = [
    placesOf("supermarket", town),
    placesOf("supermarket", town).filter(({ name }) => name === brand),
  ];
  const [place, other] = [own[0], all.find(({ name }) => name !== brand)];
  if (own.length !== (isPresent ? 1 : 0) || !other) return undefined;
  const list = enter("Search", `supermarkets in ${town.name}`);
  const answer = place ? streetAddress(place) : "N/A";
  return {
    slots: { brand, town: town.name },
    evaluation: {
      reference_answers: { exact_match: answer },
      ...(!place && { string_note: "The chain has no supermarket in this town." }),
    },
    plan: [...(place ? open(place) : [list]), stop(answer)],
    nearMisses: {
      "another chain": [list, stop(streetAddress(other))],
      "the name": [list, stop(brand)],
    },
  };
}

function streetAddress({ houseNumber, street }: Place): string {
  return `${houseNumber} ${street?.name}`;
}

function openStreet(street: string, town: string) {
  return [enter("Search", `${street}, ${town}`), click("link", new RegExp(`^${street}, ${town}, `))];
}
