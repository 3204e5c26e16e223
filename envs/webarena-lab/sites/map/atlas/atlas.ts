/** The map of the region: its road network and its places. Each process generates the map once. */
import { Random } from "../../../seed/random.js";
import { towns } from "../../../seed/region.js";
import { type Edge, Network, type Way } from "./network.js";
import type { Place } from "./place.js";
import { Places } from "./places.js";
import { layRoads, type PlacedTown } from "./roads.js";
import { Streets } from "./streets.js";

export interface Atlas {
  network: Network;
  /** All places. Each town precedes the places inside it. */
  places: readonly Place[];
  placeById: ReadonlyMap<number, Place>;
  wayById: ReadonlyMap<number, Way>;
}

let known: Atlas | undefined;

export function atlas(): Atlas {
  known ??= drawAtlas();
  return known;
}

function drawAtlas(): Atlas {
  const network = new Network();
  const placed = new Map<string, PlacedTown>();
  const edgesOf = new Map<string, Edge[]>();
  for (const town of towns) {
    const before = network.edges.length;
    placed.set(town.name, { town, streets: new Streets(network, town, Random.of(`map streets ${town.name}`)) });
    edgesOf.set(town.name, network.edges.slice(before));
  }
  layRoads(network, placed, Random.of("map roads"));
  const places = new Places(network, Random.of("map places"));
  for (const town of towns) places.addTown(town, edgesOf.get(town.name) ?? []);
  return {
    network,
    places: places.all,
    placeById: new Map(places.all.map((place) => [place.id, place])),
    wayById: new Map(network.ways.map((way) => [way.id, way])),
  };
}
