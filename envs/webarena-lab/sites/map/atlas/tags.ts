/** Generates tags of places, such as telephone number, opening hours and web site. */
import type { Random } from "../../../seed/random.js";
import type { KindName } from "./kinds.js";
import type { Place } from "./place.js";

type Described = Pick<Place, "name" | "town" | "street" | "houseNumber"> & { kind: KindName };
type Tags = Map<string, string>;

/** For each kind of place, the share with a telephone number and the share with a web site, from 0 to 1. */
const known: Partial<Record<KindName, [phone: number, website: number]>> = {
  restaurant: [0.75, 0.6],
  cafe: [0.55, 0.45],
  pub: [0.6, 0.4],
  hotel: [0.95, 0.9],
  museum: [1, 1],
  university: [1, 1],
  hospital: [1, 0.8],
  pharmacy: [0.85, 0.4],
  supermarket: [0.7, 0.8],
  library: [0.8, 0.7],
  bakery: [0.6, 0.3],
  bookshop: [0.8, 0.6],
  cinema: [0.8, 0.8],
  theatre: [1, 1],
  townhall: [1, 1],
};

/** Properties of a place that are drawn together with its name. */
export interface Traits {
  brand?: string;
  cuisine?: string;
}

export function tagsOf(random: Random, place: Described, { brand, cuisine }: Traits): Tags {
  const { kind, name, town, street, houseNumber } = place;
  const tags: Tags = new Map();
  if (street && houseNumber !== undefined) {
    tags.set("addr:housenumber", `${houseNumber}`).set("addr:street", street.name).set("addr:city", town.name);
    tags.set("addr:postcode", street.postcode ?? "");
  }
  const [phone, website] = known[kind] ?? [0, 0];
  if (random.chance(phone)) tags.set("phone", phoneOf(random, town.postcode));
  if (random.chance(website)) tags.set("website", `https://www.${slug(brand ?? name)}.test`);
  if (brand !== undefined) tags.set("brand", brand);
  const hours = hoursOf(random, kind);
  if (hours) tags.set("opening_hours", hours);
  if (random.chance(0.3)) tags.set("wheelchair", random.choice(["yes", "yes", "limited", "no"]));
  if (cuisine !== undefined) tags.set("cuisine", cuisine);
  addOwn(tags, random, kind);
  return tags;
}

function addOwn(tags: Tags, random: Random, kind: KindName): void {
  switch (kind) {
    case "restaurant":
      if (random.chance(0.4)) tags.set("outdoor_seating", random.choice(["yes", "no"]));
      return;
    case "hotel":
      tags.set("stars", `${random.between(2, 5)}`).set("rooms", `${random.between(8, 180)}`);
      return;
    case "hospital":
      tags.set("emergency", random.chance(0.7) ? "yes" : "no").set("beds", `${random.between(60, 620)}`);
      return;
    case "pharmacy":
      tags.set("dispensing", random.chance(0.9) ? "yes" : "no");
      return;
    case "cafe":
      if (random.chance(0.5)) tags.set("internet_access", random.choice(["wlan", "no"]));
  }
}

function phoneOf(random: Random, area: string): string {
  return `+999 ${area} ${random.between(200, 989)} ${`${random.between(0, 9999)}`.padStart(4, "0")}`;
}

function hoursOf(random: Random, kind: KindName): string | undefined {
  const at = (hour: number, half = random.chance(0.3)) => `${`${hour}`.padStart(2, "0")}:${half ? "30" : "00"}`;
  switch (kind) {
    case "restaurant":
      return random.chance(0.8)
        ? `Tu-Sa ${at(random.between(11, 12))}-${at(random.between(21, 22))}; Su ${at(12)}-${at(random.between(18, 20))}; Mo off`
        : undefined;
    case "cafe":
    case "bakery":
      return random.chance(0.8)
        ? `Mo-Fr ${at(random.between(7, 8))}-${at(random.between(16, 18))}; Sa ${at(8)}-${at(random.between(13, 16))}; Su off`
        : undefined;
    case "pub":
      return `Mo-Th ${at(random.between(15, 17))}-${at(22)}; Fr-Sa ${at(random.between(12, 14))}-${at(23)}; Su ${at(12)}-${at(random.between(17, 20))}`;
    case "supermarket":
      return `Mo-Sa ${at(random.between(7, 8))}-${at(random.between(20, 22))}; Su ${at(9)}-${at(random.between(13, 17))}`;
    case "museum":
      return `Tu-Fr ${at(10, false)}-${at(random.between(16, 18))}; Sa-Su ${at(random.between(10, 11))}-${at(random.between(17, 19))}; Mo off`;
    case "library":
    case "post":
    case "bank":
    case "bookshop":
    case "townhall":
      return `Mo-Fr ${at(random.between(8, 9))}-${at(random.between(16, 18))}; Sa ${at(random.between(9, 10))}-${at(random.between(12, 14))}; Su off`;
    case "pharmacy":
      return random.chance(0.12)
        ? "24/7"
        : `Mo-Fr ${at(8)}-${at(random.between(18, 19))}; Sa ${at(9)}-${at(random.between(13, 16))}; Su off`;
    case "hospital":
      return "24/7";
    default:
      return undefined;
  }
}

function slug(name: string): string {
  return name
    .normalize("NFD")
    .replace(/[̀-ͯ]/g, "")
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/[^a-z0-9]+/g, "");
}
