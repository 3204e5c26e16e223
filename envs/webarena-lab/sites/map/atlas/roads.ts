/** Roads between towns. A road connects the edges of two or more towns. */
import type { Random } from "../../../seed/random.js";
import type { Town } from "../../../seed/region.js";
import { type LatLon, land, type RoadClass } from "./data.js";
import { bearing, between, distance, moved } from "./geo.js";
import type { Network } from "./network.js";
import type { Streets } from "./streets.js";

/** Distance between two bends of a road in meters. */
const bendEvery = 3_800;

export interface PlacedTown {
  town: Town;
  streets: Streets;
}

export function layRoads(network: Network, towns: ReadonlyMap<string, PlacedTown>, random: Random): void {
  for (const [highway, ref, name, stops] of land.roads) {
    for (let at = 1; at < stops.length; at++) {
      const [from, to] = [towns.get(stops[at - 1] ?? ""), towns.get(stops[at] ?? "")];
      if (!from || !to) throw new Error(`expected only towns of the region on the road ${ref}, but received ${stops}`);
      layRoad(network, { highway, ref, name }, from, to, random);
    }
  }
}

interface RoadName {
  highway: RoadClass;
  ref: string;
  name: string;
}

function layRoad(network: Network, road: RoadName, one: PlacedTown, other: PlacedTown, random: Random): void {
  const from = one.streets.gate([other.town.latitude, other.town.longitude]);
  const to = other.streets.gate([one.town.latitude, one.town.longitude]);
  const [start, end] = [network.at(from), network.at(to)];
  const length = distance(start, end);
  const bends = Math.max(2, Math.round(length / bendEvery));
  // Curves keep two roads between the same towns apart. Motorways have weaker curves.
  const bow = length * (road.highway === "motorway" ? 0.045 : random.uniform(-0.08, 0.08));
  const sway = road.highway === "motorway" ? 120 : 420;
  const across = ((bearing(start, end) + 90) * Math.PI) / 180;
  const points = Array.from({ length: bends - 1 }, (_, at): LatLon => {
    const share = (at + 1) / bends;
    const off = Math.sin(share * Math.PI) * bow + random.uniform(-sway, sway);
    return moved(between(start, end, share), Math.cos(across) * off, Math.sin(across) * off);
  });
  network.addWay({ ...road, junctions: [from, ...points.map((point) => network.addJunction(point)), to] });
}
