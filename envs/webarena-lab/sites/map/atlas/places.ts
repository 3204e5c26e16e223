/** Generates the places of the towns, such as shops, hotels and museums along their streets. */
import { bridges, clubs, museums, universities } from "../../../seed/landmarks.js";
import type { Random } from "../../../seed/random.js";
import { firstNames, lastNames, type Town } from "../../../seed/region.js";
import { type LatLon, land, names } from "./data.js";
import { between, distance, moved, nearestOn, rounded } from "./geo.js";
import { type KindName, kinds } from "./kinds.js";
import type { Edge, Network, Way } from "./network.js";
import type { Place } from "./place.js";
import { type Traits, tagsOf } from "./tags.js";

const firstNode = 4_106_238_911;
const nodeStep = 7_919;
/** Distance of houses from the middle of the street in meters. */
const setBack = 9;

/** Number of places of each kind in a town: `base`, plus `bySize` multiplied by the size of the town. */
const counts: Partial<Record<KindName, [base: number, bySize: number]>> = {
  restaurant: [5, 4],
  cafe: [3, 3],
  pub: [2, 2],
  hotel: [2, 1.6],
  pharmacy: [1.6, 1.1],
  supermarket: [1.8, 1.4],
  park: [2, 1],
  bakery: [2, 1],
  bank: [1, 1],
  school: [2, 1],
  fuel: [1, 1],
  library: [1, 0.4],
  hospital: [0.7, 0.4],
  post: [1, 0.35],
  cinema: [0, 0.7],
  bookshop: [0.4, 0.5],
  theatre: [0, 0.4],
};

export class Places {
  readonly all: Place[] = [];
  private readonly addresses = new Set<string>();
  private readonly takenNames = new Set<string>();

  constructor(
    private readonly network: Network,
    private readonly random: Random,
  ) {}

  addTown(town: Town, edges: readonly Edge[]): void {
    this.add({ kind: "town", name: town.name, at: [town.latitude, town.longitude], town });
    const streets = edges.filter(({ way }) => way.highway !== "footway");
    this.addLandmarks(town, streets);
    const size = Math.sqrt(town.inhabitants) / 100;
    for (const [kind, [base, bySize]] of Object.entries(counts) as [KindName, [number, number]][]) {
      const count = Math.round(base + bySize * size);
      const brands = this.random.sample(brandsOf(kind), brandsOf(kind).length);
      for (let at = 0; at < count; at++) {
        this.addUsual(kind, town, this.edgeFor(kind, town, streets), brandAt(kind, brands, at));
      }
    }
  }

  private addUsual(kind: KindName, town: Town, edge: Edge, brand: string | undefined): void {
    if (kind === "restaurant") {
      const cuisine = this.random.choice(Object.keys(names.cuisines));
      this.addOn(kind, this.free(names.cuisines[cuisine] ?? []), town, edge, { cuisine });
    } else if (brand === undefined) this.addOn(kind, this.free(patternsOf(kind)), town, edge);
    else this.addOn(kind, kind === "hotel" ? `${brand} ${town.name}` : brand, town, edge, { brand });
  }

  private addLandmarks(town: Town, streets: readonly Edge[]): void {
    const own = <T extends { town: Town }>(list: readonly T[]) => list.filter((one) => one.town === town);
    const place = (kind: KindName, name: string) => this.addOn(kind, name, town, this.edgeFor(kind, town, streets));
    for (const { name } of own(universities)) place("university", name);
    for (const { name } of own(museums)) place("museum", name);
    for (const { stadium } of own(clubs)) place("stadium", stadium);
    place("townhall", `${town.name} Town Hall`);
    place("station", town.name === "Port Alder" ? "Port Alder Central Station" : `${town.name} Station`);
    for (const [at, { name, river }] of own(bridges).entries()) this.addBridge(name, river, town, streets, at);
    for (const [name, near, , ref] of land.airports) if (near === town.name) this.addAirport(name, town, ref);
  }

  /** Adds a bridge on the street nearest to the river. */
  private addBridge(name: string, river: string, town: Town, streets: readonly Edge[], at: number): void {
    const line = land.rivers[river] ?? [];
    const centre: LatLon = [town.latitude, town.longitude];
    const target = line.reduce((best, one) => (distance(one, centre) < distance(best, centre) ? one : best), centre);
    const point = moved(target, (at - 0.5) * 480, (at % 2) * 260);
    const near = [...streets].sort((one, other) => this.metres(point, one) - this.metres(point, other));
    const { from, to, way } = near[0] as Edge;
    const middle = between(this.network.at(from), this.network.at(to), 0.5);
    this.add(
      { kind: "bridge", name, at: middle, town },
      new Map([
        ["bridge:street", way.name],
        ["waterway", `River ${river}`],
      ]),
    );
  }

  private metres(point: LatLon, { from, to }: Edge): number {
    return nearestOn(point, this.network.at(from), this.network.at(to)).metres;
  }

  /** Adds an airport beside a road, at a bend outside the town. */
  private addAirport(name: string, town: Town, ref: string): void {
    const centre: LatLon = [town.latitude, town.longitude];
    const ways = this.network.ways.filter((way) => way.ref === ref);
    const bends = ways.flatMap(({ junctions }) => junctions.slice(1, -1)).map((one) => this.network.at(one));
    const far = bends.filter((bend) => distance(bend, centre) > 5_000);
    const [bend] = far.sort((one, other) => distance(one, centre) - distance(other, centre));
    if (!bend) throw new Error(`the road ${ref} has no bend outside ${town.name}`);
    this.add({ kind: "airport", name, at: moved(bend, 60, 40), town });
  }

  private edgeFor(kind: KindName, town: Town, streets: readonly Edge[]): Edge {
    // Shops and inns are in the center, whereas schools, parks and stations can be anywhere.
    const isCentral = !["school", "park", "hospital", "fuel", "university", "stadium", "supermarket"].includes(kind);
    const draws = Array.from({ length: isCentral ? 2 : 1 }, () => this.random.choice(streets));
    const centre: LatLon = [town.latitude, town.longitude];
    const far = (edge: Edge) => distance(centre, this.network.at(edge.from));
    return draws.reduce((best, one) => (far(one) < far(best) ? one : best));
  }

  private addOn(kind: KindName, name: string, town: Town, edge: Edge, traits: Traits = {}): void {
    const { from, to, way } = edge;
    const [start, end] = [this.network.at(from), this.network.at(to)];
    const share = this.random.uniform(0.12, 0.88);
    const side = this.random.chance(0.5) ? 1 : -1;
    const across = Math.atan2(end[1] - start[1], end[0] - start[0]) + Math.PI / 2;
    const at = moved(between(start, end, share), Math.cos(across) * setBack * side, Math.sin(across) * setBack * side);
    const houseNumber = this.houseNumber(way, from, share, side);
    const place = { kind, name, at, town, street: way, houseNumber };
    this.add(place, tagsOf(this.random, place, traits));
  }

  /**
   * Returns a house number. The numbers increase along the street. They are even on one side and odd on the other side.
   */
  private houseNumber(way: Way, from: number, share: number, side: number): number {
    const block = way.junctions.indexOf(from);
    let number = 2 * Math.floor((block + share) * 9) + (side > 0 ? 2 : 1);
    while (this.addresses.has(`${way.id} ${number}`)) number += 2;
    this.addresses.add(`${way.id} ${number}`);
    return number;
  }

  private add(place: Omit<Place, "id" | "tags">, tags: ReadonlyMap<string, string> = new Map()): void {
    const { kind, name, at, town } = place;
    const own: [string, string][] =
      kind === "town" ? [["place", town.inhabitants > 1e5 ? "city" : "town"]] : [[...kinds[kind].tag]];
    const sorted = [...own, ["name", name] as [string, string], ...tags].sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
    this.all.push({ ...place, at: rounded(at), id: firstNode + this.all.length * nodeStep, tags: new Map(sorted) });
  }

  /** Draws a name that is unique among all places. */
  private free(patterns: readonly string[]): string {
    for (let draw = 0; ; draw++) {
      const name = this.filled(this.random.choice(patterns)) + (draw > 60 ? ` ${draw - 58}` : "");
      if (this.takenNames.has(name)) continue;
      this.takenNames.add(name);
      return name;
    }
  }

  private filled(pattern: string): string {
    return pattern.replace(/\{(\w)\}/g, (_, slot: string) => this.random.choice(slotWords[slot] ?? []));
  }
}

const slotWords: Record<string, readonly string[]> = {
  a: names.adjectives,
  n: names.nouns,
  o: names.nouns,
  g: names.placeNames,
  l: lastNames,
  m: lastNames,
  f: firstNames,
};

function brandsOf(kind: KindName): readonly string[] {
  if (kind === "supermarket") return names.supermarketBrands;
  if (kind === "hotel") return names.hotelBrands;
  if (kind === "bank") return names.bankBrands;
  return kind === "fuel" ? names.fuelBrands : [];
}

/** Draws a brand. No town has places of all brands of a kind, or two hotels of the same chain. */
function brandAt(kind: KindName, brands: readonly string[], at: number): string | undefined {
  if (kind === "hotel") return at === 0 ? brands[0] : undefined;
  return brands[at % Math.max(1, brands.length - 1)];
}

function patternsOf(kind: KindName): readonly string[] {
  const lists: Partial<Record<KindName, readonly string[]>> = {
    cafe: names.cafes,
    pub: names.pubs,
    hotel: names.hotels,
    bakery: names.bakeries,
    bookshop: names.bookshops,
    cinema: names.cinemas,
    pharmacy: names.pharmacyNames,
    school: names.schoolNames,
    park: names.parkNames,
    library: ["{l} Library", "{g} Library"],
    hospital: ["Saint {f}'s Hospital", "{l} Memorial Hospital"],
    post: ["{g} Post Office", "{l} Post Office"],
    theatre: ["{n} Theatre", "{l} Playhouse"],
  };
  return lists[kind] ?? ["{g}"];
}
