/** Searches the map by name or address, by the kind of place in a town or near a place, or by coordinates. */
import { atlas } from "./atlas.js";
import type { LatLon } from "./data.js";
import { distance, nearestOn } from "./geo.js";
import { type KindName, kindOf, kinds } from "./kinds.js";
import type { Way } from "./network.js";
import { fullName, labelOf, type Place, wayLabel, wayName } from "./place.js";

export interface Hit {
  /** Label such as `Restaurant`. */
  label: string;
  name: string;
  path: string;
  at: LatLon;
}

/** Maximum distance in meters of a place that counts as nearby. */
const nearby = 25_000;

export function placeHit(place: Place): Hit {
  return { label: labelOf(place), name: fullName(place), path: `/node/${place.id}`, at: place.at };
}

export function wayHit(way: Way): Hit {
  const { network } = atlas();
  const middle = way.junctions[way.junctions.length >> 1] as number;
  return { label: wayLabel(way), name: wayName(way), path: `/way/${way.id}`, at: network.at(middle) };
}

export function coordinatesOf(query: string): LatLon | undefined {
  const [, lat, lon] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(query) ?? [];
  return lat === undefined || lon === undefined ? undefined : [Number(lat), Number(lon)];
}

export function search(query: string): Hit[] {
  const point = coordinatesOf(query);
  if (point) return atPoint(point);
  const [, what = "", relation = "", where = ""] =
    /^(.+?)\s+(near|close to|around|in)\s+(.+)$/i.exec(query.trim()) ?? [];
  if (where) {
    const hits = relation.toLowerCase() === "in" ? inTown(what, where) : near(what, where);
    if (hits.length > 0) return hits;
  }
  const kind = kindOf(query);
  if (kind)
    return atlas()
      .places.filter((place) => place.kind === kind)
      .map(placeHit);
  return byWords(query);
}

/** Returns the place, the street and the town nearest to a point. */
function atPoint(point: LatLon): Hit[] {
  const { places, network } = atlas();
  const metres = ({ at }: Place) => distance(at, point);
  const closer = (best: Place, one: Place) => (metres(one) < metres(best) ? one : best);
  const place = places.filter(({ kind }) => kind !== "town").reduce(closer);
  const town = places.filter(({ kind }) => kind === "town").reduce(closer);
  const [edge] = network.edges
    .map(({ from, to, way }) => ({ way, metres: nearestOn(point, network.at(from), network.at(to)).metres }))
    .sort((one, other) => one.metres - other.metres);
  return [
    ...(metres(place) < 60 ? [placeHit(place)] : []),
    ...(edge && edge.metres < 2_000 ? [wayHit(edge.way)] : []),
    ...(metres(town) < nearby ? [placeHit(town)] : []),
  ];
}

function inTown(what: string, where: string): Hit[] {
  const wanted = normal(where).trim();
  const isIn = ({ town }: Place) =>
    [town.name, town.district, "haldane"].some((name) => {
      const own = normal(name).trim();
      return wanted === own || wanted === `${own} haldane` || wanted === `${normal(town.name).trim()} ${own}`;
    });
  return suited(what, isIn).map(placeHit);
}

function near(what: string, where: string): Hit[] {
  const [centre] = search(where);
  if (!centre) return [];
  return suited(what, ({ at }) => distance(at, centre.at) < nearby)
    .filter((place) => `/node/${place.id}` !== centre.path)
    .sort((one, other) => distance(one.at, centre.at) - distance(other.at, centre.at))
    .map(placeHit);
}

/** Returns the places whose kind, name or cuisine matches a search text. */
function suited(what: string, fits: (place: Place) => boolean): Place[] {
  const kind = kindOf(what.replace(/^(?:the|nearest|closest|all)\s+/i, ""));
  const words = wordsOf(what);
  const [cuisine = ""] = words;
  return atlas().places.filter((place) => {
    if (!fits(place)) return false;
    if (kind) return place.kind === kind;
    if (isCuisine(words) && place.tags.get("cuisine") === cuisine) return true;
    const text = normal(`${place.name} ${labelOf(place)}`);
    return words.every((word) => holds(text, word));
  });
}

function isCuisine(words: readonly string[]): boolean {
  return (
    words.length === 1 || (words.length === 2 && (kinds.restaurant.words as readonly string[]).includes(words[1] ?? ""))
  );
}

interface Indexed {
  hit: Hit;
  /** Normalized text with a space at both ends. */
  text: string;
  name: string;
  weight: number;
}

let index: readonly Indexed[] | undefined;

function indexed(): readonly Indexed[] {
  index ??= [
    ...atlas().places.map((place) => entry(placeHit(place), place.name, weightOf(place.kind))),
    ...atlas().network.ways.map((way) => entry(wayHit(way), way.name, way.town ? 0 : 2)),
  ];
  return index;
}

function entry(hit: Hit, name: string, weight: number): Indexed {
  return { hit, text: normal(`${hit.label} ${hit.name}`), name: normal(name), weight };
}

function weightOf(kind: KindName | "town"): number {
  return kind === "town" ? 6 : kinds[kind].weight;
}

/**
 * Returns the results that contain all words of a query. Equal names rank first, followed by names at the start of the
 * query, names that begin with the query, names with all words, and addresses.
 */
function byWords(query: string): Hit[] {
  const wanted = normal(query);
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const ranked = indexed().flatMap(({ hit, text, name, weight }) => {
    if (!words.every((word) => holds(text, word))) return [];
    return [{ hit, rank: rankOf(name, wanted, words) * 10 + weight }];
  });
  return ranked.sort((one, other) => other.rank - one.rank).map(({ hit }) => hit);
}

function rankOf(name: string, wanted: string, words: readonly string[]): number {
  if (name === wanted) return 4;
  // For example, the text is a name followed by the town: `Riverside Café, Venn`.
  if (wanted.startsWith(name)) return 3;
  if (name.startsWith(wanted.trimEnd())) return 2;
  return words.every((word) => holds(name, word)) ? 1 : 0;
}

function holds(text: string, word: string): boolean {
  return text.includes(/^\d+$/.test(word) ? ` ${word} ` : ` ${word}`);
}

function wordsOf(text: string): string[] {
  return normal(text).split(" ").filter(Boolean);
}

/** Normalizes a text: converts it to lower case, removes accents and signs, and adds a space at both ends. */
function normal(text: string): string {
  const plain = text.normalize("NFD").replace(/[\u0300-\u036f'’]/g, "");
  return ` ${plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()} `;
}
